// One mail server that hangs, is slow or cuts costs its own identity only: the letters of other identities and people's answers
// leave within twice their quiet time.
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { whyNot } from '../../src/features/outreach/sends/letter/outlook.ts';
import type { TestApp } from '../support/app.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import {
  drop,
  hang,
  scriptedSmtp,
  smtpSink,
  type ScriptedSmtp,
  type SmtpSink,
  type Turn,
} from '../support/smtp.ts';
import { openDesk } from './desk.ts';
import { makeSlots } from './backoffs.ts';

const LETTERS = 24;
/** What a busy machine adds to moments. */
const SHORT_MS = 4_000;

let database: FreshDatabase;
let masterKey: Buffer;
let app: TestApp;
/** Sends; ended with each test, and what hangs in it cut off. */
let sender: TestApp;
let sink: SmtpSink;
let quietMs = 0;

beforeAll(async () => {
  database = await freshDatabase();
  masterKey = randomBytes(32);
  app = await openDesk({ database, masterKey });
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});
beforeEach(async () => {
  sender = await openDesk({ database, masterKey, setUp: false });
  sink = await smtpSink();
});
afterEach(async () => {
  await sender?.close();
  await sink?.[Symbol.asyncDispose]();
});

test('in a quiet app', async () => {
  const { slots, untilLeft } = await makeSlots(app, [{ port: sink.port, letters: LETTERS, answers: 2 }]);
  const sending = sender.instance.jobs.run('letters');
  quietMs = await untilLeft([...slots[0]!.letters, ...slots[0]!.answers], 60_000);
  await sending;
  expect(sink.letters).toHaveLength(LETTERS + 2);
});

type Script = Partial<Record<Turn, (socket: Parameters<typeof drop>[0]) => void>>;
const later = (reply: string) => (socket: Parameters<typeof drop>[0]) =>
  void setTimeout(() => socket.destroyed || socket.write(`${reply}\r\n`), 3_000).unref();

const TROUBLES: [string, Script][] = [
  ['accepts the connection and says nothing', { greeting: hang }],
  ['hangs after MAIL', { MAIL: hang }],
  ['hangs after the end of a letter', { end: hang }],
  ['takes three seconds for everything', { MAIL: later('250 ok'), end: later('250 2.0.0 ok') }],
  ['cuts every letter', { body: drop }],
];

describe.each([1, 2] as const)('with %i processes, a server that', (processes) => {
  test.each(TROUBLES)('%s', { timeout: 90_000 }, async (_, script) => {
    await using bad = await scriptedSmtp(script);
    const others = processes === 2 ? [await openDesk({ database, masterKey, setUp: false })] : [];
    try {
      await costsItsOwn(bad, [sender, ...others]);
    } finally {
      for (const other of others) await other.close();
    }
  });
});

async function costsItsOwn(bad: ScriptedSmtp, houses: readonly TestApp[]): Promise<void> {
  const { slots, untilLeft, more } = await makeSlots(app, [
    { port: bad.port, letters: 20, answers: 3 },
    { port: sink.port, letters: 0 },
  ]);
  expect(slots).toHaveLength(2);
  const run = () => houses.map((each) => each.instance.jobs.run('letters').catch(() => 0));
  const sending = run();
  // It hangs by now.
  while (bad.connections.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 500));
  // What becomes due only now is not kept waiting either.
  const [letters, answers] = [await more(1, LETTERS, 'letters'), await more(1, 2, 'answers')];
  sending.push(...run());
  await untilLeft([...letters, ...answers], Math.max(2 * quietMs, SHORT_MS));
  await eachSaysWhy();
}

/** Of everything that is due and has not left, a few seconds later. */
async function eachSaysWhy(): Promise<void> {
  const now = new Date(app.clock.now().getTime() + 5_000);
  const waiting = await app.sql<
    { id: string }[]
  >`select id from sends where state in ('scheduled', 'sending')`;
  expect(waiting.length).toBeGreaterThan(0);
  for (const { id } of waiting)
    expect((await whyNot(app.sql, id, now, app.instance.app))?.why_not, id).not.toBeNull();
}

test(
  'fifty identities whose servers hang keep one that works waiting no longer',
  { timeout: 90_000 },
  async () => {
    await using bad = await scriptedSmtp({ end: hang });
    const { slots, untilLeft } = await makeSlots(app, [
      ...Array.from({ length: 50 }, () => ({ port: bad.port, letters: 3 })),
      { port: sink.port, letters: LETTERS, answers: 2 },
    ]);
    void sender.instance.jobs.run('letters').catch(() => 0);
    const { letters, answers } = slots[50]!;
    // All of them are met for the first time at once.
    await untilLeft([...letters, ...answers], 2 * Math.max(2 * quietMs, SHORT_MS) + 15_000);
  },
);

test(
  "an answer of an identity whose letters hang doesn't wait behind them",
  { timeout: 60_000 },
  async () => {
    // The first two letters are never answered, and whatever comes on other connections is.
    let hung = 0;
    await using odd = await scriptedSmtp({
      end: (socket) => {
        hung += 1;
        if (hung > 2) socket.write('250 2.0.0 ok\r\n');
      },
    });
    const { untilLeft, more } = await makeSlots(app, [{ port: odd.port, letters: 2 }]);
    void sender.instance.jobs.run('letters').catch(() => 0);
    while (hung < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    const answers = await more(0, 1, 'answers');
    void sender.instance.jobs.run('letters').catch(() => 0);
    await untilLeft(answers, SHORT_MS);
  },
);

test('a letter that breaks off waits automatically, and the next one of its identity goes', async () => {
  let first = true;
  await using odd = await scriptedSmtp({
    body: (socket) => {
      if (first) socket.destroy();
      first = false;
    },
  });
  const { slots, untilLeft } = await makeSlots(app, [
    { port: odd.port, letters: 3, columns: { min_gap_s: 1 } },
  ]);
  const run = async () => {
    await sender.instance.jobs.run('letters');
    sender.clock.advance(2_000);
  };
  for (let round = 0; round < 3; round += 1) await run();
  const rows = await app.sql<
    { id: string; state: string; waiting_for: string | null; lease: string | null }[]
  >`
    select id, state, waiting_for, lease from sends order by id`;
  const broken = rows.filter(({ state }) => state === 'scheduled');
  expect(broken).toMatchObject([{ waiting_for: 'broke_off', lease: null }]);
  await untilLeft(
    slots[0]!.letters.filter((id) => id !== broken[0]!.id),
    1_000,
  );
  expect(await app.sql`select 1 from sender_lanes where down_until is not null`).toHaveLength(0);
  expect(await app.sql`select kind from send_outcomes where kind <> 'accepted'`).toHaveLength(0);
});
