// Receivers that hang, reset, drip, flood, redirect or lie: the batch ends in time, memory stays, and a row keeps a status
// and a class of ours alone.
import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS, deliveriesPass } from '../../src/features/instance/events/pass.ts';
import { claimBatch, openSlots, workBatch } from '../../src/jobs/batch.ts';
import { certificateFor } from '../support/certificate.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { deadPort, rawReceiver, receiver, type Receiver } from '../support/receiver.ts';
import { emit, pass, rows, setWebhook } from './outbox.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The pass as it is, with shorter times: 0.4 s an attempt, and 1.2 s in which attempts start. */
const SHORT = { attempt_ms: 400, starts_within_ms: 1_200 };
const DEADLINE_MS = SHORT.attempt_ms + SHORT.starts_within_ms;

const PLANTED = 'planted text of a receiver';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ allowPrivate: true });
});
afterAll(() => app?.close());

const quiet = () => new AbortController().signal;

/** One batch against this address: how long it took, and what the rows say. */
async function batch(
  url: string,
  count: number,
  limits = SHORT,
): Promise<{ tookMs: number; seen: string[] }> {
  await app.sql`delete from event_deliveries`;
  await setWebhook(app, url);
  await emit(app, count);
  const started = performance.now();
  const short = deliveriesPass(limits);
  const running = app.instance.app;
  const crew = short.open(running);
  const claimed = await claimBatch(running, short, new Map());
  const way = {
    mayStart: () => true,
    cut: quiet(),
    slots: openSlots(short.at_a_time),
    turn: Promise.resolve(),
    ended: () => undefined,
  };
  await workBatch(running, short, crew, claimed!, way).settled;
  crew.close();
  const tookMs = performance.now() - started;
  const found = await rows(app);
  expect(JSON.stringify(found), 'I6').not.toContain('planted');
  return {
    tookMs,
    seen: [
      ...new Set(found.map((row) => `${row.state} ${row.attempts} ${row.last_status} ${row.last_error}`)),
    ],
  };
}

const MIB = Buffer.alloc(1024 * 1024, PLANTED);

const KINDS: [string, string, () => Promise<Receiver>, boolean?][] = [
  ['hangs', 'pending 1 null timeout', () => rawReceiver((socket) => socket.resume())],
  [
    'hangs up',
    'pending 1 null reset',
    () => rawReceiver((socket) => socket.once('data', () => socket.destroy())),
  ],
  [
    'resets',
    'pending 1 null reset',
    () => rawReceiver((socket) => socket.once('data', () => socket.resetAndDestroy())),
  ],
  [
    'drips',
    'pending 1 200 too_slow',
    () =>
      receiver((response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('p'), 20);
        response.on('close', () => clearInterval(drip));
      }),
  ],
  [
    'answers 1 GB',
    'pending 1 200 too_long',
    () =>
      receiver((response) => {
        response.writeHead(200, { 'content-length': String(1024 * MIB.length) });
        let left = 1024;
        const pour = (): void => {
          while (left-- > 0 && !response.destroyed)
            if (!response.write(MIB)) return void response.once('drain', pour);
        };
        pour();
      }),
  ],
  [
    'speaks no HTTP',
    'pending 1 null bad_answer',
    () => rawReceiver((socket) => void socket.once('data', () => socket.end(PLANTED))),
  ],
  [
    'redirects',
    'pending 1 307 redirect',
    () =>
      receiver(
        (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/planted' }).end(PLANTED),
      ),
  ],
  [
    'says why it refuses',
    'pending 1 418 status',
    () => receiver((response) => void response.writeHead(418, PLANTED).end(PLANTED)),
  ],
  [
    'has a bad certificate',
    'pending 1 null certificate',
    () => receiver((response) => void response.end(), certificateFor(['127.0.0.1'])),
    true,
  ],
];

test.each(KINDS)('a receiver that %s: %s', async (name, expected, open, tls) => {
  await using server = await open();
  // Whoever is slow ends by a deadline, everyone else by what they do, however busy the machine is that both sides share.
  const limits = ['hangs', 'drips'].includes(name) ? SHORT : LIMITS;
  const { tookMs, seen } = await batch(`http${tls ? 's' : ''}://127.0.0.1:${server.port}/`, 10, limits);
  expect(seen).toEqual([expected]);
  expect(tookMs).toBeLessThan(DEADLINE_MS + 2_000);
});

test('no one there', async () => {
  expect((await batch(`http://127.0.0.1:${await deadPort()}/`, 3)).seen).toEqual(['pending 1 null refused']);
});

test('fifty rows at a receiver that hangs: the batch ends within its deadline, and rows that had no turn spent nothing', async () => {
  await using server = await rawReceiver((socket) => socket.resume());
  const { tookMs, seen } = await batch(`http://127.0.0.1:${server.port}/`, 50);
  expect(tookMs).toBeLessThan(DEADLINE_MS + 2_000);
  expect(seen.sort()).toEqual(['pending 0 null null', 'pending 1 null timeout']);
  expect(await app.sql`select id from event_deliveries where lease is not null`).toEqual([]);
});

test('fifty answers of 1 GB grow memory by no more than 20 MiB', async () => {
  const [, , open] = KINDS.find(([name]) => name === 'answers 1 GB')!;
  await using server = await open();
  const url = `http://127.0.0.1:${server.port}/`;
  await batch(url, 50, LIMITS);
  const used = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / MIB.length;
  };
  const before = used();
  const { seen } = await batch(url, 50, LIMITS);
  expect(seen).toEqual(['pending 1 200 too_long']);
  expect(used() - before).toBeLessThan(20);
});

test('one answer that does not come keeps nothing else waiting, and no more than ten are ever on their way', async () => {
  await app.sql`delete from event_deliveries`;
  let first: ServerResponse | null = null;
  let open = 0;
  let most = 0;
  await using server = await receiver((response) => {
    most = Math.max(most, ++open);
    if (first === null) return void (first = response);
    setTimeout(() => {
      open -= 1;
      response.writeHead(200).end();
    }, 20);
  });
  await setWebhook(app, `http://127.0.0.1:${server.port}/`);
  await emit(app, 230);
  const running = pass(app);
  const waiting = async (): Promise<number> =>
    (await app.sql`select 1 from event_deliveries where state = 'pending'`).length;
  // Four further batches go by while the first is not through.
  while ((await waiting()) > 1) await new Promise((resolve) => setTimeout(resolve, 20));
  first!.writeHead(200).end();
  await running;
  expect(await waiting()).toBe(0);
  expect(server.arrived).toHaveLength(230);
  expect(most).toBe(10);
});

test('a busy moment of this process is not the receiver being late', async () => {
  await using server = await receiver((response) => {
    response.writeHead(200).end();
    // The answer lies in the socket by then, and so does the deadline.
    setImmediate(() => {
      const until = performance.now() + 2 * SHORT.attempt_ms;
      while (performance.now() < until);
    });
  });
  expect((await batch(`http://127.0.0.1:${server.port}/`, 1)).seen).toEqual(['delivered 1 200 null']);
});
