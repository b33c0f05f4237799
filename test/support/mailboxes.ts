// Mailboxes on a real IMAP server, and identities whose answers come to them. Each test takes a mailbox of its own.
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { freshDatabase, type FreshDatabase } from './database.ts';
import { dovecot, type Delivery, type Dovecot } from './dovecot.ts';
import type { AppOptions, TestApp } from './app.ts';
import { MAIL_HOST, openSenders, type Senders } from './senders.ts';

const PASSWORD = 'correct-horse-of-the-mailbox';
const USERS = Array.from({ length: 20 }, (_, at) => `user${at}`);

export type StoredMail = {
  subject: string;
  folder_role: string;
  cut: boolean;
  message_id: string;
  delivered_to: string[];
  state: string;
};

type Identified = { id: string };

export type Mailboxes = {
  server: Dovecot;
  senders: Senders;
  app: TestApp;
  database: FreshDatabase;
  masterKey: Buffer;
  /** Of the test that runs. */
  user(): string;
  /** One round of the watch, here or in another process. */
  round(of?: TestApp): Promise<number>;
  /** The settings of the mailbox. */
  imap(more?: object): object;
  anInbox(more?: object): Promise<any>;
  /** Now, as the app has it. */
  deliver(mail: string, delivery?: Delivery): Promise<void>;
  stored(identity: Identified): Promise<StoredMail[]>;
  subjects(identity: Identified): Promise<string[]>;
  standing(
    identity: Identified,
  ): Promise<
    { trouble: string | null; polled_at: Date | null; attempts: number; lease: string | null } | undefined
  >;
  /** Until it was read to its end. */
  watched(identity: Identified): Promise<void>;
  /** Nothing is watched any more, and the next test has a mailbox of its own. */
  letGo(): Promise<void>;
  close(): Promise<void>;
};

export async function openMailboxes(wishes: Pick<AppOptions, 'baseUrl'> = {}): Promise<Mailboxes> {
  const masterKey = randomBytes(32);
  const database = await freshDatabase();
  const senders = await openSenders({ database, masterKey, ...wishes });
  const { app } = senders;
  const passwords = Object.fromEntries(USERS.map((each) => [each, PASSWORD]));
  const server = await dovecot(senders.certificate, passwords);
  let taken = 0;
  const user = (): string => USERS[taken] ?? '';
  const round = (of: TestApp = app): Promise<number> => of.instance.jobs.run('mailboxes');
  const imap = (more: object = {}): object => ({
    kind: 'imap',
    host: MAIL_HOST,
    port: server.tlsPort,
    security: 'tls',
    user: user(),
    secret: PASSWORD,
    ...more,
  });
  const stored: Mailboxes['stored'] = async ({ id }) => {
    const rows = await app.sql<(Omit<StoredMail, 'subject'> & { bytes: Buffer })[]>`
      select folder_role, cut, message_id, delivered_to, state, bytes from inbound_mails
      where identity_id = ${id} order by id`;
    return rows.map(({ bytes, ...row }) => ({
      ...row,
      subject: /^Subject: (.*)\r$/m.exec(bytes.toString())?.[1] ?? '',
    }));
  };
  const standing: Mailboxes['standing'] = async ({ id }) => {
    const [row] = await app.sql<
      { trouble: string | null; polled_at: Date | null; attempts: number; lease: string | null }[]
    >`select trouble, polled_at, attempts, lease from mailboxes where identity_id = ${id} and role = 'inbox'`;
    return row;
  };
  return {
    server,
    senders,
    app,
    database,
    masterKey,
    user,
    round,
    imap,
    stored,
    standing,
    anInbox: (more = {}) => senders.anIdentity({ inbound: imap(more) }),
    deliver: (mail, delivery = {}) => server.deliver(user(), mail, { at: app.clock.now(), ...delivery }),
    subjects: async (identity) => (await stored(identity)).map(({ subject }) => subject),
    watched: (identity) =>
      until(
        () => standing(identity),
        (seen) => expect(seen).toMatchObject({ trouble: null, polled_at: expect.any(Date) }),
      ),
    async letGo() {
      await app.sql`update identities set inbound_kind = 'none', inbound = '{}', inbound_secret = null`;
      await round();
      taken += 1;
    },
    async close() {
      await senders.close();
      await server[Symbol.asyncDispose]();
      await database.drop();
    },
  };
}

export const mail = (subject: string, body = 'Yes, gladly.'): string =>
  `Delivered-To: ann@case.example\r\nFrom: dana@acme.example\r\nTo: ann@case.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@acme.example>\r\n\r\n${body}\r\n`;

/** The product itself waits two minutes for one mail of a server that went away. */
const PATIENCE_MS = 150_000;

export const until = <T>(
  look: () => Promise<T>,
  says: (seen: T) => void,
  timeout = PATIENCE_MS,
): Promise<void> =>
  expect.poll(look, { timeout, interval: 50 }).toSatisfy((seen) => {
    says(seen as T);
    return true;
  });
