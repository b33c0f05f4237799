// A mail that was read, in the shape in which touches are kept.
import type { ReadMail } from '../../../../mail/inbound/mail.ts';
import { nameByType } from '../../../../mail/inbound/file-names.ts';
import { NO_VERDICT } from '../../../../mail/inbound/authenticity.ts';
import { addressHash, parseAddress } from '../../../../mail/address.ts';
import { cleanLine } from '../../threads/record/clean.rules.ts';
import type { NewTouch } from '../../threads/record/touch.store.ts';
import type { SettledMail, StoredMail } from '../store.ts';

const bracketed = (id: string): string => `<${id}>`;

/** When it got here is when it was said: the date in it is whatever its writer's clock or wish made it. */
export function touchOf(stored: StoredMail, mail: ReadMail): Omit<NewTouch, 'thread_id' | 'direction'> {
  return {
    channel: 'email',
    at: stored.received_at,
    from: mail.from && { address: mail.from.address, name: mail.from.name },
    to: mail.to.map(({ address }) => address),
    cc: mail.cc.map(({ address }) => address),
    subject: mail.subject,
    text: mail.text,
    text_stripped: mail.text_stripped,
    stripped_whole: mail.stripped_whole,
    html: mail.html,
    message_id: mail.message_id && bracketed(mail.message_id),
    in_reply_to: mail.in_reply_to && bracketed(mail.in_reply_to),
    references: mail.references.map(bracketed),
    automatic: mail.automatic !== null,
    authentication: mail.authentication ?? (stored.source === 'vendor' ? NO_VERDICT : null),
    raw_ref: stored.id,
    attachments: mail.attachments.map((file) => ({
      ...file,
      filename: file.filename ?? nameByType(file.content_type),
    })),
  };
}

/** Whom and what a list of mail shows. */
export const shownOf = ({ from, list_id, subject }: ReadMail): NonNullable<SettledMail['shown']> => ({
  from_address: from && cleanLine(from.address),
  from_name: from?.name ? cleanLine(from.name) : null,
  from_hash: hashOf(from?.address ?? null),
  from_domain: domainOf(from?.address ?? null),
  list_id,
  subject: cleanLine(subject),
});

/** As people's addresses are matched; null: there is none that can be read. */
export function hashOf(address: string | null): string | null {
  const read = address === null ? null : parseAddress(address);
  return read?.ok ? addressHash(read.address.normalised) : null;
}

/** Lower case ASCII. */
export function domainOf(address: string | null): string | null {
  const read = address === null ? null : parseAddress(address);
  return read?.ok ? read.address.domain : null;
}
