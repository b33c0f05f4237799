// What these tests ask of Dovecot beside IMAP: delivery by LMTP, a mailbox that is full, folders by their use, and the signing
// in of Postfix.
import { existsSync } from 'node:fs';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dovecot } from '../support/dovecot.ts';

const LMTP = '/usr/lib/dovecot/lmtp';
const MAILBOX_MB = 200;

/** Further settings of `dovecot`, with LMTP at this port of loopback. */
export function mailboxSettings(lmtpPort: number): (folder: string) => string {
  if (!existsSync(LMTP))
    throw new Error(
      'For tests with real mail servers, ask an administrator to install the package dovecot-lmtpd.',
    );
  return (folder) => `
protocols = imap lmtp
auth_username_format = %Ln
recipient_delimiter = +
submission_host = 127.0.0.1:1
lmtp_save_to_detail_mailbox = yes
postmaster_address = postmaster@acme.example
mail_plugins = $mail_plugins quota
protocol imap {
  mail_plugins = $mail_plugins imap_quota
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${lmtpPort}
  }
}
service auth {
  unix_listener ${join(folder, 'run/smtp-sign-in')} {
    mode = 0666
  }
}
plugin {
  quota = maildir:User quota
  quota_rule = *:storage=${MAILBOX_MB}M
}
namespace inbox {
  mailbox Archive {
    auto = create
    special_use = \\Archive
  }
  mailbox Drafts {
    auto = create
    special_use = \\Drafts
  }
  mailbox Trash {
    auto = create
    special_use = \\Trash
  }
}
`;
}

/** One mail that takes all the room there is, of which the disk sees nothing. */
export async function fill(imap: Dovecot, user: string): Promise<void> {
  await imap.deliver(user, 'Subject: All my holidays\r\n\r\n');
  const box = join(imap.folder, 'mail', user, 'new');
  const [name = ''] = await readdir(box);
  await truncate(join(box, name), (MAILBOX_MB + 1) * 1024 * 1024);
}
