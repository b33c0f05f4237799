// A real IMAP server on loopback (Dovecot), with its own settings, users and mail in a folder of its own; started and stopped
// by the test. Mail is delivered as a local delivery agent does it: a file in a Maildir.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Certificate } from './certificate.ts';
import { freePort } from './server.ts';

const run = promisify(execFile);

export type Delivery = { folder?: 'INBOX' | 'Sent' | 'Junk'; at?: Date };

export type Dovecot = AsyncDisposable & {
  /** TLS from the first byte. */
  tlsPort: number;
  /** STARTTLS. */
  port: number;
  deliver(user: string, mail: string | Buffer, delivery?: Delivery): Promise<void>;
  /** Numbers every mail of a folder again, as a restored backup does. */
  renumber(user: string, folder?: string): Promise<void>;
  setPassword(user: string, password: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  log(): Promise<string>;
  /** Where its files are: what `more` names is beneath. */
  folder: string;
};

/** Whose files the mail is: never root's, which Dovecot refuses. */
const NOBODY = 65_534;

/** `more`: further settings, which outlast these. */
export async function dovecot(
  certificate: Certificate,
  users: Record<string, string>,
  more: (folder: string) => string = () => '',
): Promise<Dovecot> {
  const root = process.getuid?.() === 0;
  const folder = await mkdtemp(join(tmpdir(), 'dunnock-imap-'));
  await chmod(folder, 0o755);
  const owner = root ? { uid: NOBODY, gid: NOBODY } : userInfo();
  const own = async (path: string) => void (root && (await chown(path, owner.uid, owner.gid)));
  const passwords = new Map(Object.entries(users));
  const [port, tlsPort] = [await freePort(), await freePort()];
  const at = (...path: string[]) => join(folder, ...path);

  const writeUsers = () =>
    writeFile(at('users'), [...passwords].map(([user, secret]) => `${user}:{PLAIN}${secret}\n`).join(''));
  const makeFolder = async (path: string): Promise<void> => {
    await mkdir(path, { recursive: true });
    await own(path);
  };
  for (const each of ['mail', 'home']) await makeFolder(at(each));
  await writeUsers();
  await writeFile(at('cert.pem'), certificate.cert);
  await writeFile(at('key.pem'), certificate.key);
  await writeFile(
    at('dovecot.conf'),
    `
protocols = imap
listen = 127.0.0.1
base_dir = ${at('run')}
state_dir = ${at('state')}
log_path = ${at('log')}
ssl = yes
ssl_cert = <${at('cert.pem')}
ssl_key = <${at('key.pem')}
disable_plaintext_auth = yes
auth_failure_delay = 0
first_valid_uid = 1
mail_location = maildir:${at('mail')}/%u
${root ? '' : `default_internal_user = ${userInfo().username}\ndefault_login_user = ${userInfo().username}\ndefault_internal_group =`}
passdb {
  driver = passwd-file
  args = ${at('users')}
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${at('home')}/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
    ssl = yes
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
  mailbox Junk {
    auto = create
    special_use = \\Junk
  }
}
${more(folder)}
`,
  );

  let server: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const child = spawn('/usr/sbin/dovecot', ['-F', '-c', at('dovecot.conf')], { stdio: 'ignore' });
    server = child;
    for (let left = 100; left > 0; left -= 1) {
      if (await listens(tlsPort)) return;
      if (child.exitCode !== null) break;
      await sleep(100);
    }
    throw new Error(`dovecot did not start: ${await readFile(at('log'), 'utf8').catch(() => 'no log')}`);
  };
  const stop = async (): Promise<void> => {
    const child = server;
    server = null;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  };
  const dovecotAdmin = (...args: string[]) => run('/usr/bin/doveadm', ['-c', at('dovecot.conf'), ...args]);

  await start();
  let numbered = 1_900_000_000;
  return {
    folder,
    port,
    tlsPort,
    async deliver(user, mail, { folder: into = 'INBOX', at: when } = {}) {
      const box = into === 'INBOX' ? at('mail', user) : at('mail', user, `.${into}`);
      for (const each of [at('mail', user), box, join(box, 'tmp'), join(box, 'new'), join(box, 'cur')])
        await makeFolder(each);
      const name = `${Date.now()}.${randomUUID()}.there`;
      await writeFile(join(box, 'tmp', name), mail);
      await own(join(box, 'tmp', name));
      if (when) await utimes(join(box, 'tmp', name), when, when);
      await rename(join(box, 'tmp', name), join(box, 'new', name));
    },
    async renumber(user, name = 'INBOX') {
      numbered += 1;
      await dovecotAdmin('mailbox', 'update', '-u', user, '--uid-validity', String(numbered), name);
    },
    async setPassword(user, password) {
      passwords.set(user, password);
      await writeUsers();
    },
    start,
    stop,
    log: () => readFile(at('log'), 'utf8'),
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
