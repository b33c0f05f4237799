// Mailboxes that are watched, against a real IMAP server that the test starts, stops and renumbers.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp } from '../../../../test/support/app.ts';
import { mail, openMailboxes, until, type Mailboxes } from '../../../../test/support/mailboxes.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let box: Mailboxes;

beforeAll(async () => {
  box = await openMailboxes();
});
afterAll(() => box.close());
afterEach(() => box.letGo());

describe('a mailbox that is watched', () => {
  test('is read of what came since its identity was made, and no old mail', async () => {
    await box.deliver(mail('years-ago'), { at: new Date(box.app.clock.now().getTime() - 400 * DAY_MS) });
    await box.deliver(mail('last-week'), { at: new Date(box.app.clock.now().getTime() - 7 * DAY_MS) });
    const identity = await box.anInbox();
    await box.deliver(mail('just-now'));
    expect(await box.round()).toBe(1);
    await box.watched(identity);
    expect(await box.stored(identity)).toMatchObject([
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
    const identity = await box.anInbox();
    await box.round();
    await box.watched(identity);
    await box.deliver(mail('first'));
    await until(
      () => box.subjects(identity),
      (seen) => expect(seen).toEqual(['first']),
      5_000,
    );
    await box.deliver(mail('second'));
    await until(
      () => box.subjects(identity),
      (seen) => expect(seen).toEqual(['first', 'second']),
      5_000,
    );
  });

  test('is read in its folders for junk and for what was sent, too', async () => {
    const identity = await box.anInbox();
    await box.deliver(mail('to-junk'), { folder: 'Junk' });
    await box.round();
    await box.watched(identity);
    await box.deliver(mail('by-hand'), { folder: 'Sent' });
    box.app.clock.advance(MINUTE_MS);
    await box.round();
    await until(
      () => box.stored(identity),
      (seen) =>
        expect(seen).toMatchObject([
          { subject: 'to-junk', folder_role: 'junk' },
          { subject: 'by-hand', folder_role: 'sent' },
        ]),
    );
  });

  test('that is numbered again is read again, and nothing of it twice', async () => {
    const identity = await box.anInbox();
    await box.round();
    await box.watched(identity);
    for (const each of ['one', 'two', 'three']) await box.deliver(mail(each));
    await until(
      () => box.subjects(identity),
      (seen) => expect(seen).toHaveLength(3),
    );
    await box.server.stop();
    await box.server.start();
    await box.server.renumber(box.user());
    await box.deliver(mail('four'));
    box.app.clock.advance(5 * MINUTE_MS);
    await box.round();
    await until(
      () => box.subjects(identity),
      (seen) => expect(seen).toContain('four'),
    );
    expect((await box.subjects(identity)).toSorted()).toEqual(['four', 'one', 'three', 'two']);
    const [at] = await box.app.sql<{ uid_validity: string }[]>`
      select uid_validity::text as uid_validity from mailboxes where identity_id = ${identity.id} and role = 'inbox'`;
    expect(Number(at?.uid_validity)).toBeGreaterThan(1_900_000_000);
  });

  test('loses and doubles nothing where it is broken off in the middle, again and again', async () => {
    const identity = await box.anInbox();
    const all = Array.from({ length: 60 }, (_, at) => `mail-${String(at).padStart(2, '0')}`);
    for (const each of all) await box.deliver(mail(each));
    for (const some of [5, 35]) {
      await box.round();
      await until(
        () => box.subjects(identity),
        (seen) => expect(seen.length).toBeGreaterThanOrEqual(some),
      );
      await box.server.stop();
      await box.server.start();
      await until(
        () => box.standing(identity),
        (seen) => expect(seen?.lease).toBeNull(),
      );
      box.app.clock.advance(5 * MINUTE_MS);
    }
    await box.round();
    await until(
      () => box.subjects(identity),
      (seen) => expect(seen.length).toBeGreaterThanOrEqual(60),
    );
    expect((await box.subjects(identity)).toSorted()).toEqual(all);
  });

  test('is watched by one process alone, and by another once the first is gone', async () => {
    const identity = await box.anInbox();
    await box.round();
    await box.watched(identity);
    const other = await openTestApp({
      database: box.database,
      masterKey: box.masterKey,
      setUp: false,
      lookup: box.senders.dns.lookup,
      allowHosts: '127.0.0.0/8',
    });
    try {
      expect(await box.round(other)).toBe(0);
      // The first dies: nothing prolongs its lease. The clocks of both are the machine's, and the other's runs ahead.
      other.clock.advance(box.app.clock.now().getTime() - other.clock.now().getTime() + 2 * MINUTE_MS);
      expect(await box.round(other)).toBe(1);
      await box.deliver(mail('to-whom'));
      await until(
        () => box.subjects(identity),
        (seen) => expect(seen).toEqual(['to-whom']),
      );
      // What the first still writes changes nothing, and it lets go.
      expect(await box.round()).toBe(0);
    } finally {
      await other.close();
    }
    expect((await box.standing(identity))?.lease).toBeNull();
  });

  test('of a longer mail than is kept gives its beginning, and says that it was cut', async () => {
    const identity = await box.anInbox();
    await box.deliver(mail('long', 'x'.repeat(76).concat('\r\n').repeat(6_000)), { folder: 'Sent' });
    await box.round();
    await box.watched(identity);
    expect(await box.stored(identity)).toMatchObject([{ subject: 'long', cut: true }]);
  });
});
