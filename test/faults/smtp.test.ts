// The way to a mail server fails in every way that ways fail: before the end of a letter it goes later, after it no one knows
// and nothing is sent again, and by the server's own count every letter is there once.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { DEADLINES } from '../../src/mail/transport/session.ts';
import { layDesk, openDesk, type Desk, type DeskWishes } from '../letters/desk.ts';
import { faultProxy, type Fault, type FaultProxy } from '../support/fault-proxy.ts';
import type { TestApp, TokenClient } from '../support/app.ts';
import { withPatience } from '../support/patience.ts';
import { smtpSink, type SmtpSink } from '../support/smtp.ts';

const SENDS = '/api/admin/outreach/sends';
const DOT = '\r\n.\r\n';

let app: TestApp;
let reader: TokenClient;
let sink: SmtpSink;
let proxy: FaultProxy;

beforeAll(async () => {
  app = await openDesk();
  reader = await app.token();
});
afterAll(() => app?.close());
beforeEach(async () => {
  sink = await smtpSink();
  proxy = await faultProxy(sink.port);
});
afterEach(async () => {
  await proxy[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

const laid = (wishes: DeskWishes = {}): Promise<Desk> =>
  layDesk(app, { ...wishes, identity: { port: proxy.port } });

/** No one does anything for it but wait. */
async function heals(desk: Desk): Promise<void> {
  await proxy.set({ kind: 'none' });
  const waits = async (): Promise<boolean> =>
    (await app.sql`select 1 from sends where state in ('scheduled', 'sending')`).length > 0;
  for (let round = 0; round < 10 && (await waits()); round += 1) {
    app.clock.advance(2 * MINUTE_MS);
    await desk.send();
  }
}

const counted = ({ people }: Desk): number[] =>
  people.map(({ address }) => sink.letters.filter(({ to }) => to.includes(address)).length);

async function staysUncertain(desk: Desk): Promise<void> {
  expect(await desk.row()).toMatchObject({ state: 'uncertain', delivery: null });
  const before = sink.letters.length;
  await heals(desk);
  for (let day = 0; day < 3; day += 1) {
    app.clock.advance(DAY_MS);
    await desk.send();
  }
  expect(sink.letters).toHaveLength(before);
  const listed = (await reader.rest('GET', `${SENDS}?state=uncertain`)).body;
  expect(listed.items).toMatchObject([{ id: desk.letters[0]!.id, state: 'uncertain' }]);
  const { outlook } = (await reader.rest('GET', `${SENDS}/${desk.letters[0]!.id}`)).body;
  expect(outlook.why_not.sentence).toMatch(/^[A-Z][^.]{20,290}\.$/);
  expect(outlook.why_not).toMatchObject({ reason: 'uncertain', who: 'person' });
}

test('a connection that ends anywhere in a session sends the letter later, or leaves it uncertain: it is there once', async () => {
  const [seen, waits]: string[][] = [[], []];
  for (let bytes = 0; bytes <= 280; bytes += 40) {
    sink.letters.length = 0;
    const desk = await laid();
    await proxy.set({ kind: bytes % 80 === 0 ? 'cut' : 'reset', after_bytes: bytes });
    await desk.send();
    const { state, waiting_for } = await desk.row();
    seen!.push(state);
    if (state === 'scheduled') {
      waits!.push(waiting_for);
      expect(sink.letters).toHaveLength(0);
    }
    await heals(desk);
    const after = await desk.row();
    expect([bytes, after['state']]).toEqual([bytes, state === 'uncertain' ? 'uncertain' : 'sent']);
    expect([bytes, counted(desk)]).toEqual([bytes, [1]]);
  }
  expect(new Set(seen)).toEqual(new Set(['scheduled', 'uncertain', 'sent']));
  // Before the connection is it is the server, then it is the letter's own.
  expect(waits![0]).toBe('transport_down');
  expect(waits!.lastIndexOf('transport_down')).toBeLessThan(waits!.indexOf('broke_off'));
});

test.each<[string, string, Fault]>([
  ['a server that is down', 'transport_down', { kind: 'down' }],
  ['a server that takes the connection and says nothing', 'transport_down', { kind: 'swallow' }],
  ['a server that stops answering at the envelope', 'broke_off', { kind: 'swallow', from: 'MAIL FROM' }],
  [
    'a server that hears the recipient and says nothing',
    'broke_off',
    { kind: 'swallow', from: 'RCPT', heard: true },
  ],
  ['a server that stops hearing before the letter', 'broke_off', { kind: 'swallow', from: 'DATA' }],
])('%s has nothing: the letter waits, says why, and goes by itself', async (_, reason, fault) => {
  const desk = await laid();
  await proxy.set(fault);
  const short = { setupMs: 400, envelopeMs: 400, pieceMs: 400 };
  await withPatience(DEADLINES, short, desk.send);
  expect(await desk.row()).toMatchObject({ state: 'scheduled', waiting_for: reason, lease: null });
  expect(sink.letters).toEqual([]);
  const { send, outlook } = (await reader.rest('GET', `${SENDS}/${desk.letters[0]!.id}`)).body;
  expect(send.waiting_for).toBe(reason);
  expect(outlook.goes_at).not.toBeNull();
  await heals(desk);
  expect(await desk.row()).toMatchObject({ state: 'sent', delivery: 'accepted' });
  expect(counted(desk)).toEqual([1]);
});

describe('after the end of the letter', () => {
  test('a connection that breaks before the answer leaves it uncertain, listed, and never sent again', async () => {
    const desk = await laid();
    await proxy.set({ kind: 'unanswered', text: DOT });
    await desk.send();
    await staysUncertain(desk);
    expect(counted(desk)).toEqual([1]);
  });

  test('an answer that never comes leaves it uncertain, whether or not the server has it', async () => {
    for (const heard of [true, false]) {
      sink.letters.length = 0;
      const desk = await laid();
      await proxy.set({ kind: 'swallow', from: DOT, heard });
      await withPatience(DEADLINES, { finalMs: 400 }, desk.send);
      await staysUncertain(desk);
      expect(counted(desk)).toEqual([heard ? 1 : 0]);
    }
  });
});

test('a slow way, and one that gives a byte at a time, make letters slow and nothing else', async () => {
  for (const fault of [
    { kind: 'latency', ms: 20 },
    { kind: 'drip', bytes: 1, every_ms: 0 },
  ] as const) {
    sink.letters.length = 0;
    const desk = await laid();
    await proxy.set(fault);
    await desk.send();
    expect(await desk.row()).toMatchObject({ state: 'sent', attempts: 1 });
    expect(counted(desk)).toEqual([1]);
  }
});

test('many letters over a way that breaks again and again: each is there once, or is uncertain and there at most once', async () => {
  const desk = await laid({ people: 24 });
  await proxy.set({ kind: 'latency', ms: 2 });
  const breaks = setInterval(() => proxy.resetAll(), 60);
  for (let round = 0; round < 3; round += 1) {
    await desk.send();
    app.clock.advance(2 * MINUTE_MS);
  }
  clearInterval(breaks);
  await heals(desk);
  const rows = await app.sql<{ to_address: string; state: string }[]>`select to_address, state from sends`;
  expect(rows).toHaveLength(24);
  for (const { to_address, state } of rows) {
    const count = sink.letters.filter(({ to }) => to.includes(to_address)).length;
    if (state === 'uncertain') expect(count).toBeLessThanOrEqual(1);
    else expect([state, count]).toEqual(['sent', 1]);
  }
});
