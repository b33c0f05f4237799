// Mailboxes that are watched, against a real IMAP server that the test starts, stops and renumbers.
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dovecot, type Delivery, type Dovecot } from '../../../test/support/dovecot.ts';
import { freshDatabase, type FreshDatabase } from '../../../test/support/database.ts';
import { openTestHouse, type TestHouse } from '../../../test/support/house.ts';
import { rawReceiver } from '../../../test/support/receiver.ts';
import { MAIL_HOST, openSenders, type Senders } from '../../../test/support/senders.ts';

const PASSWORD = 'correct-horse-of-the-mailbox';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The server takes one name alone for each test. */
const USERS = Array.from({ length: 20 }, (_, at) => `user${at}`);

let server: Dovecot;
let database: FreshDatabase;
let senders: Senders;
let house: TestHouse;
let user: string;
let taken = 0;
const masterKey = randomBytes(32);

beforeAll(async () => {
  database = await freshDatabase();
  senders = await openSenders({ database, masterKey });
  house = senders.house;
  const users = Object.fromEntries(USERS.map((each) => [each, PASSWORD]));
  server = await dovecot(senders.certificate, users);
});
afterAll(async () => {
  await senders.close();
  await server[Symbol.asyncDispose]();
  await database.drop();
});
beforeEach(() => {
  user = USERS[taken++] ?? '';
});
afterEach(async () => {
  await house.sql`update identities set inbound_kind = 'none', inbound = '{}', inbound_secret = null`;
  await round();
});

const round = (of: TestHouse = house): Promise<number> => of.instance.jobs.run('mailboxes');

const imap = (more: object = {}): object => ({
  kind: 'imap',
  host: MAIL_HOST,
  port: server.tlsPort,
  security: 'tls',
  user,
  secret: PASSWORD,
  ...more,
});

/** Now, as the house has it. */
const deliver = (letter: string, delivery: Delivery = {}) =>
  server.deliver(user, letter, { at: house.clock.now(), ...delivery });

const anInbox = async (more: object = {}) => senders.anIdentity({ inbound: imap(more) });

const mail = (subject: string, body = 'Yes, gladly.'): string =>
  `Delivered-To: ann@case.example\r\nFrom: dana@acme.example\r\nTo: ann@case.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@acme.example>\r\n\r\n${body}\r\n`;

type Stored = {
  subject: string;
  folder_role: string;
  cut: boolean;
  message_id: string;
  delivered_to: string[];
  state: string;
};

async function stored(identity: { id: string }): Promise<Stored[]> {
  const rows = await house.sql<(Omit<Stored, 'subject'> & { bytes: Buffer })[]>`
    select folder_role, cut, message_id, delivered_to, state, bytes from inbound_mails
    where identity_id = ${identity.id} order by id`;
  return rows.map(({ bytes, ...row }) => ({
    ...row,
    subject: /^Subject: (.*)\r$/m.exec(bytes.toString())?.[1] ?? '',
  }));
}

const subjects = async (identity: { id: string }): Promise<string[]> =>
  (await stored(identity)).map(({ subject }) => subject);

const standing = async (identity: { id: string }) => {
  const [row] = await house.sql<
    { trouble: string | null; polled_at: Date | null; tries: number; lease: string | null }[]
  >`
    select trouble, polled_at, tries, lease from mailboxes where identity_id = ${identity.id} and role = 'inbox'`;
  return row;
};

const until = <T>(look: () => Promise<T>, says: (seen: T) => void, timeout = 15_000): Promise<void> =>
  expect.poll(look, { timeout, interval: 50 }).toSatisfy((seen) => {
    says(seen as T);
    return true;
  });

const watched = async (identity: { id: string }) =>
  until(
    () => standing(identity),
    (seen) => expect(seen).toMatchObject({ trouble: null, polled_at: expect.any(Date) }),
  );

describe('a mailbox that is watched', () => {
  test('is read of what came since its identity was made, and no old mail', async () => {
    await deliver(mail('years-ago'), { at: new Date(house.clock.now().getTime() - 400 * DAY_MS) });
    await deliver(mail('last-week'), { at: new Date(house.clock.now().getTime() - 7 * DAY_MS) });
    const identity = await anInbox();
    await deliver(mail('just-now'));
    expect(await round()).toBe(1);
    await watched(identity);
    expect(await stored(identity)).toMatchObject([
      {
        subject: 'just-now',
        folder_role: 'inbox',
        message_id: 'just-now@acme.example',
        delivered_to: ['ann@case.example'],
        cut: false,
        state: 'new',
      },
    ]);
  });

  test('gives what arrives within five seconds, without being asked', async () => {
    const identity = await anInbox();
    await round();
    await watched(identity);
    await deliver(mail('first'));
    await until(
      () => subjects(identity),
      (seen) => expect(seen).toEqual(['first']),
      5_000,
    );
    await deliver(mail('second'));
    await until(
      () => subjects(identity),
      (seen) => expect(seen).toEqual(['first', 'second']),
      5_000,
    );
  });

  test('is read in its folders for junk and for what was sent, too', async () => {
    const identity = await anInbox();
    await deliver(mail('to-junk'), { folder: 'Junk' });
    await round();
    await watched(identity);
    await deliver(mail('by-hand'), { folder: 'Sent' });
    house.clock.advance(MINUTE_MS);
    await round();
    await until(
      () => stored(identity),
      (seen) =>
        expect(seen).toMatchObject([
          { subject: 'to-junk', folder_role: 'junk' },
          { subject: 'by-hand', folder_role: 'sent' },
        ]),
    );
  });

  test('that is numbered anew is read again, and nothing of it twice', async () => {
    const identity = await anInbox();
    await round();
    await watched(identity);
    for (const each of ['one', 'two', 'three']) await deliver(mail(each));
    await until(
      () => subjects(identity),
      (seen) => expect(seen).toHaveLength(3),
    );
    await server.stop();
    await server.start();
    await server.renumber(user);
    await deliver(mail('four'));
    house.clock.advance(5 * MINUTE_MS);
    await round();
    await until(
      () => subjects(identity),
      (seen) => expect(seen).toContain('four'),
    );
    expect((await subjects(identity)).toSorted()).toEqual(['four', 'one', 'three', 'two']);
    const [at] = await house.sql<{ uid_validity: string }[]>`
      select uid_validity::text as uid_validity from mailboxes where identity_id = ${identity.id} and role = 'inbox'`;
    expect(Number(at?.uid_validity)).toBeGreaterThan(1_900_000_000);
  });

  test('loses and doubles nothing where it is broken off in the middle, again and again', async () => {
    const identity = await anInbox();
    const all = Array.from({ length: 60 }, (_, at) => `mail-${String(at).padStart(2, '0')}`);
    for (const each of all) await deliver(mail(each));
    for (const some of [5, 35]) {
      await round();
      await until(
        () => subjects(identity),
        (seen) => expect(seen.length).toBeGreaterThanOrEqual(some),
      );
      await server.stop();
      await server.start();
      await until(
        () => standing(identity),
        (seen) => expect(seen?.lease).toBeNull(),
      );
      house.clock.advance(5 * MINUTE_MS);
    }
    await round();
    await until(
      () => subjects(identity),
      (seen) => expect(seen.length).toBeGreaterThanOrEqual(60),
    );
    expect((await subjects(identity)).toSorted()).toEqual(all);
  });

  test('is watched by one process alone, and by another once the first is gone', async () => {
    const identity = await anInbox();
    await round();
    await watched(identity);
    const other = await openTestHouse({
      database,
      masterKey,
      setUp: false,
      lookup: senders.dns.lookup,
      allowHosts: '127.0.0.0/8',
    });
    try {
      expect(await round(other)).toBe(0);
      // The first dies: nothing prolongs its lease. The clocks of both are the machine's, and the other's runs ahead.
      other.clock.advance(house.clock.now().getTime() - other.clock.now().getTime() + 2 * MINUTE_MS);
      expect(await round(other)).toBe(1);
      await deliver(mail('to-whom'));
      await until(
        () => subjects(identity),
        (seen) => expect(seen).toEqual(['to-whom']),
      );
      // What the first still writes changes nothing, and it lets go.
      expect(await round()).toBe(0);
    } finally {
      await other.close();
    }
    expect((await standing(identity))?.lease).toBeNull();
  });

  test('of a longer mail than is kept gives its beginning, and says that it was cut', async () => {
    const identity = await anInbox();
    await deliver(mail('long', 'x'.repeat(76).concat('\r\n').repeat(6_000)), { folder: 'Sent' });
    await round();
    await watched(identity);
    expect(await stored(identity)).toMatchObject([{ subject: 'long', cut: true }]);
  });
});

describe('the test of an identity', () => {
  const tried = async (identity: { id: string }) => {
    const answer = await house.admin.rest('POST', `/api/admin/outreach/identities/${identity.id}/test`, {});
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const inbound = answer.body.rungs.filter(({ rung }: { rung: string }) => rung.startsWith('inbound_'));
    return {
      rungs: inbound.map(({ rung, outcome }: { rung: string; outcome: string }) => [rung, outcome]),
      outcome: answer.body.identity.test_outcome,
    };
  };

  test('climbs its way in too, up to the folder', async () => {
    const identity = await anInbox();
    expect(await tried(identity)).toEqual({
      rungs: ['address', 'connect', 'encryption', 'sign_in', 'folder'].map((rung) => [
        `inbound_${rung}`,
        'pass',
      ]),
      outcome: 'passing',
    });
  });

  test('says where the way in ends, and letters do not hang on it', async () => {
    expect(await tried(await anInbox({ secret: 'wrong' }))).toMatchObject({
      rungs: [
        ['inbound_address', 'pass'],
        ['inbound_connect', 'pass'],
        ['inbound_encryption', 'pass'],
        ['inbound_sign_in', 'fail'],
        ['inbound_folder', 'skipped'],
      ],
      outcome: 'passing',
    });
    expect((await tried(await anInbox({ mailbox: 'Nowhere' }))).rungs.at(-1)).toEqual([
      'inbound_folder',
      'fail',
    ]);
  });
});

describe('a mailbox in trouble', () => {
  const shown = async (identity: { id: string }) => senders.readIdentity(identity.id);

  test('for its password says so in our own words with the identity, and is well once it is saved anew', async () => {
    const identity = await anInbox({ secret: 'wrong' });
    await deliver(mail('waits'));
    await round();
    await until(
      () => shown(identity),
      (seen) => expect(seen.inbound_trouble).toContain('refuses the user name or the password'),
    );
    // Not at once again: hosts lock out whoever tries too often.
    await until(
      () => standing(identity),
      (seen) => expect(seen?.lease).toBeNull(),
    );
    house.clock.advance(MINUTE_MS);
    expect(await round()).toBe(0);
    const saved = await senders.patch(identity.id, { inbound: imap() });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect(await round()).toBe(1);
    await until(
      () => shown(identity),
      (seen) => {
        expect(seen.inbound_trouble).toBeNull();
        expect(seen.last_polled_at).not.toBeNull();
      },
    );
    await until(
      () => subjects(identity),
      (seen) => expect(seen).toEqual(['waits']),
    );
  });

  test('for a folder that is not there says so', async () => {
    const identity = await anInbox({ mailbox: 'Nowhere' });
    await round();
    await until(
      () => shown(identity),
      (seen) => expect(seen.inbound_trouble).toContain('no folder of that name'),
    );
  });

  test('that drips delays no other', async () => {
    await using dripping = await rawReceiver((socket) => {
      const timer = setInterval(() => socket.write('*'), 50);
      socket.on('close', () => clearInterval(timer));
      socket.on('error', () => clearInterval(timer));
    });
    const slow = await anInbox({ port: dripping.port, security: 'starttls' });
    const well = await anInbox();
    expect(await round()).toBe(2);
    await watched(well);
    await deliver(mail('meanwhile'));
    await until(
      () => subjects(well),
      (seen) => expect(seen).toEqual(['meanwhile']),
      5_000,
    );
    expect(await standing(slow)).toMatchObject({ polled_at: null, lease: expect.any(String) });
  });

  test('whose identity is deleted is let go', async () => {
    const identity = await anInbox();
    await round();
    await watched(identity);
    const gone = await house.admin.rest('DELETE', `/api/admin/outreach/identities/${identity.id}`);
    expect(gone.status).toBe(200);
    await round();
    await until(
      () => standing(identity),
      (seen) => expect(seen?.lease).toBeNull(),
    );
    await deliver(mail('too-late'));
    expect(await subjects(identity)).toEqual([]);
  });
});
