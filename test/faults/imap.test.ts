// The way to a mailbox fails in every way that ways fail: the identity says so in a sentence, the mailbox is read again by
// itself, and every mail is there once.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { IMAP_LIMITS } from '../../src/mail/imap/session.ts';
import { faultProxy, type Fault, type FaultProxy } from '../support/fault-proxy.ts';
import { mail, openMailboxes, until, type Mailboxes } from '../support/mailboxes.ts';
import { withPatience } from '../support/patience.ts';

const SHORT = { connectMs: 300, setupMs: 300, stepMs: 500, mailMs: 500 };

let box: Mailboxes;
let proxy: FaultProxy;

beforeAll(async () => {
  box = await openMailboxes();
});
afterAll(() => box.close());
beforeEach(async () => {
  proxy = await faultProxy(box.server.tlsPort);
});
afterEach(async () => {
  await proxy.set({ kind: 'none' });
  await box.letGo();
  await proxy[Symbol.asyncDispose]();
});

type Identity = { id: string };

const anInbox = (): Promise<Identity> => box.anInbox({ port: proxy.port });

const shown = async (identity: Identity): Promise<string | null> =>
  (await box.senders.readIdentity(identity.id)).inbound_trouble;

const letGo = (identity: Identity): Promise<void> =>
  until(
    () => box.standing(identity),
    (seen) => expect(seen?.lease).toBeNull(),
  );

/** No one does anything for it but wait. */
async function heals(identity: Identity): Promise<void> {
  await proxy.set({ kind: 'none' });
  await letGo(identity);
  app().clock.advance(31 * MINUTE_MS);
  expect(await box.round()).toBe(1);
  await box.watched(identity);
  expect(await shown(identity)).toBeNull();
}

const app = (): Mailboxes['app'] => box.app;

const all = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `mail-${String(at).padStart(2, '0')}`);

const holds = (identity: Identity, subjects: string[]): Promise<void> =>
  until(
    async () => (await box.subjects(identity)).toSorted(),
    (seen) => expect(seen).toEqual(subjects),
  );

test.each<[string, Fault, RegExp]>([
  ['is down', { kind: 'down' }, /^Connection refused/],
  ['takes the connection and says nothing', { kind: 'swallow' }, /did not answer in time/],
  ['gives a byte now and then', { kind: 'drip', bytes: 1, every_ms: 200 }, /did not answer in time/],
])('a mail server that %s is said with the identity, and read by itself later', async (_, fault, says) => {
  const identity = await anInbox();
  await box.deliver(mail('waits'));
  await proxy.set(fault);
  await withPatience(IMAP_LIMITS, SHORT, async () => {
    await box.round();
    await until(
      () => shown(identity),
      (seen) => expect(seen).toMatch(says),
    );
  });
  await letGo(identity);
  // Not at once again.
  expect(await box.round()).toBe(0);
  await heals(identity);
  await holds(identity, ['waits']);
});

test('a connection that breaks is opened again without a word, and said where it breaks again', async () => {
  const identity = await anInbox();
  for (const says of [null, /^The mail server ended the connection: it is tried again by itself\.$/]) {
    await proxy.set({ kind: 'reset', after_bytes: 0 });
    await box.round();
    await until(
      () => box.standing(identity),
      (seen) => {
        expect(seen?.lease).toBeNull();
        expect(seen?.attempts).toBe(says === null ? 1 : 2);
      },
    );
    if (says === null) expect(await shown(identity)).toBeNull();
    else expect(await shown(identity)).toMatch(says);
    app().clock.advance(MINUTE_MS);
  }
  await heals(identity);
});

test('a connection that ends anywhere in a session loses no mail and doubles none', async () => {
  const identity = await anInbox();
  for (const each of all(12)) await box.deliver(mail(each, 'x'.repeat(300)));
  for (let bytes = 2_000; bytes < 14_000; bytes += 1_500) {
    const before = (await box.standing(identity))?.polled_at?.getTime();
    await proxy.set({ kind: bytes % 1_000 === 0 ? 'cut' : 'reset', after_bytes: bytes });
    await box.round();
    // It was read to its end and waits, or it broke and was given back.
    await until(
      () => box.standing(identity),
      (seen) => expect(seen?.lease === null || seen?.polled_at?.getTime() !== before).toBe(true),
    );
    proxy.resetAll();
    await letGo(identity);
    app().clock.advance(31 * MINUTE_MS);
  }
  await heals(identity);
  await holds(identity, all(12));
});

test('a line that is lost while it is waited on is noticed, and what came meanwhile is read once', async () => {
  const identity = await anInbox();
  await withPatience(IMAP_LIMITS, { stepMs: 1_500 }, async () => {
    await box.round();
    await box.watched(identity);
    await box.deliver(mail('before'));
    await holds(identity, ['before']);
    await proxy.set({ kind: 'swallow' });
    await box.deliver(mail('meanwhile'));
    // The line is tried once a minute.
    app().clock.advance(MINUTE_MS + 1_000);
    await box.round();
    await until(
      () => shown(identity),
      (seen) => expect(seen).toMatch(/did not answer in time/),
    );
  });
  expect(await box.subjects(identity)).toEqual(['before']);
  await heals(identity);
  await holds(identity, ['before', 'meanwhile']);
});

test('a slow way, and one that gives a byte at a time, make mail slow and nothing else', async () => {
  const identity = await anInbox();
  for (const [at, fault] of (
    [
      { kind: 'latency', ms: 10 },
      { kind: 'drip', bytes: 1, every_ms: 0 },
    ] as const
  ).entries()) {
    await proxy.set(fault);
    if (at === 0) await box.round();
    await box.deliver(mail(`mail-0${at}`));
    await holds(identity, all(at + 1));
  }
  expect(await shown(identity)).toBeNull();
});
