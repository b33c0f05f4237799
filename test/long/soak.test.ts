// Three processes of the product on one database under mixed load for half an hour, or SOAK_MINUTES, one of them killed
// every minute, one of them cut off from the database twice. What was asked and answered is kept outside and compared at the end
// with what is in the database, with what the mail server took and with what the receiver of events was told.
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { DIALECT } from '../../src/store/connect.ts';
import type { Sql } from '../letters/seed.ts';
import { freshDatabase } from '../support/database.ts';
import { faultProxy, type Fault } from '../support/fault-proxy.ts';
import { layApp, openOutside } from './soak-app.ts';
import { compare, newLedger, RECOVERS_MS, share, tally, type Sure } from './soak-ledger.ts';
import { messageIdOf, runLoad } from './soak-load.ts';
import { floors, newNode, trend, type Node } from './soak-nodes.ts';

const MINUTE_MS = 60_000;
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 30);
const LASTS_MS = MINUTES * MINUTE_MS;
const AGENTS = 4;
const SAMPLE_MS = 2_000;
/** Leases run out after a minute, a failed post comes again after one, and a mailbox of a killed watcher after one and a half. */
const DRAINS_MS = 8 * MINUTE_MS;
/** What a process may have in flight when it dies: letters between the dot and the answer, posts of one commit. */
const IN_FLIGHT = { letters: 8, posts: 10 };
/**
 * What a process may grow by over the second half, of its mean, in what it needs after a collection of its garbage. What it has of
 * the machine says less: measured, V8 lets 100 MB lie for minutes and returns them when it likes. That is told beside it.
 */
const GROWS_AT_MOST = MINUTES < 20 ? 0.2 : 0.1;
const WEIGH_MS = 20_000;
const BREATH_MS = 1.5 * MINUTE_MS;

test(
  'nothing is lost or doubled and no process grows while one of three is killed every minute',
  {
    timeout: LASTS_MS + 20 * MINUTE_MS,
  },
  async () => {
    const database = await freshDatabase();
    onTestFinished(() => database.drop());
    const options = { ...database.options, max: 2, onnotice: () => undefined, types: DIALECT };
    const sql: Sql = postgres(options);
    onTestFinished(() => sql.end());
    const proxy = await faultProxy(Number(new URL(database.url).port));
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const outside = await openOutside();
    onTestFinished(() => outside[Symbol.asyncDispose]());
    const through = new URL(database.url);
    through.port = String(proxy.port);
    const of = (role: 'web' | 'worker' | 'both', url: string): Promise<Node> =>
      newNode(role, { ...outside.settings, DATABASE_URL: url });
    const nodes = [
      await of('web', through.href),
      await of('worker', database.url),
      await of('both', database.url),
    ] as const;
    const [web, worker, both] = nodes;
    onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.kill()))));
    await Promise.all(nodes.map((node) => node.start()));
    const app = await layApp(sql, both.url, outside, AGENTS);

    const ledger = newLedger();
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const changes = { told: 0 };
    const began = performance.now();
    const until = (ms: number): Promise<void> => sleep(Math.max(0, began + ms - performance.now()));
    const load = runLoad({ ledger, app, outside, nodes: [web, both], ending: ending.signal, changes });
    const looking = setInterval(() => nodes.forEach((node) => node.look()), SAMPLE_MS);
    const weighing = setInterval(() => nodes.forEach((node) => void node.weigh()), WEIGH_MS);
    onTestFinished(() => [looking, weighing].forEach(clearInterval));

    // One thing at a time: a node that is being started has no database to be cut off from.
    let turn = Promise.resolve();
    const alone = (act: () => Promise<void>): Promise<void> => (turn = turn.then(act));
    // In the second half only one is killed, so that the memory of the others is that of one life.
    let kills = 0;
    const killing = async (): Promise<void> => {
      for (let minute = 1; minute < MINUTES; minute += 1) {
        await until(minute * MINUTE_MS);
        const victim = minute >= MINUTES / 2 ? both : [web, worker, both][(minute - 1) % 3]!;
        await alone(async () => {
          await victim.kill();
          kills += 1;
          await victim.start();
        });
      }
    };
    const recovered: number[] = [];
    const cutting = async (): Promise<void> => {
      for (const [part, lastsMs, fault] of [
        [0.35, 10_000, { kind: 'down' }],
        [0.65, 30_000, { kind: 'swallow' }],
      ] as [number, number, Fault][]) {
        await until(part * LASTS_MS);
        await alone(async () => {
          const span = { from: performance.now(), until: Infinity };
          ledger.cuts.push({ node: web.name, span });
          await proxy.set(fault);
          await sleep(lastsMs);
          const health = await fetch(`${web.url}/healthz`);
          expect([health.status, await health.json()]).toEqual([503, expect.objectContaining({ ok: false })]);
          await proxy.set({ kind: 'none' });
          span.until = performance.now();
          while ((await fetch(`${web.url}/healthz`)).status !== 200) await sleep(50);
          recovered.push(Math.round(performance.now() - span.until));
        });
      }
    };
    await Promise.all([killing(), cutting(), until(LASTS_MS)]);
    [looking, weighing].forEach(clearInterval);
    ending.abort();
    await load;

    const open = async (): Promise<Record<string, number>> => {
      const [row] = await sql<Record<string, number>[]>`
      select (select count(*)::int from sends where state in ('drafted', 'scheduled', 'sending')) as letters,
        (select count(*)::int from prospects p where not exists (select 1 from sends s where s.prospect_id = p.id)) as steps,
        (select count(*)::int from event_deliveries where state = 'pending') as events,
        (select count(*)::int from inbound_mails where state = 'new') as mails,
        ${ledger.answers.size}::int - (select count(*)::int from inbound_mails where folder_role = 'inbox') as answers`;
      return row!;
    };
    const none = { letters: 0, steps: 0, events: 0, mails: 0, answers: 0 };
    const drainedFrom = performance.now();
    await expect.poll(open, { timeout: DRAINS_MS, interval: 2_000 }).toEqual(none);
    const drained_s = Math.round((performance.now() - drainedFrom) / 1_000);

    const wrong = [...ledger.wrong];
    const titles = await sql<{ title: string }[]>`select title from work_items`;
    wrong.push(...compare('card', ledger.cards, tally(titles.map(({ title }) => title))));

    const told = [...outside.bodies.values()];
    const of_kind = (event: string): any[] =>
      told.filter((body) => body.event === event).map(({ data }) => data);
    wrong.push(
      ...compare('review', ledger.parked, tally(of_kind('work.review_parked').map(({ item_id }) => item_id))),
    );

    const sends = await sql<{ to_address: string; stands: string }[]>`
    select to_address, concat_ws(' ', state, hold_reason, waiting_for, failed_reason) as stands from sends where state <> 'sent'`;
    const uncertain = sends.filter(({ stands }) => stands.startsWith('uncertain'));
    const enrolled = new Map<string, Sure>(ledger.enrolled);
    for (const { to_address } of uncertain) enrolled.set(to_address, 'maybe');
    const { letters } = outside.sink;
    wrong.push(...compare('letter', enrolled, tally(letters.map(({ to }) => to[0] ?? ''))));
    const copies = [...tally(letters.map(({ bytes }) => messageIdOf(bytes)))].filter(
      ([, times]) => times > 1,
    );
    wrong.push(...copies.map(([id]) => `letter ${id}: twice`));

    const mails = await sql<{ message_id: string; touch_id: string | null; state: string }[]>`
    select '<' || message_id || '>' as message_id, touch_id, state from inbound_mails`;
    const answers = new Map<string, Sure>([...ledger.answers.keys()].map((id) => [id, 'yes']));
    wrong.push(...compare('answer', answers, tally(mails.map(({ message_id }) => message_id))));
    const touches = new Map<string, Sure>(mails.map(({ touch_id, state }) => [touch_id ?? state, 'yes']));
    wrong.push(...compare('reply', touches, tally(of_kind('reply.landed').map(({ touch_id }) => touch_id))));

    const kept = await sql<{ id: string; state: string }[]>`select id, state from event_deliveries`;
    wrong.push(
      ...kept.filter(({ state }) => state !== 'delivered').map(({ id, state }) => `event ${id}: ${state}`),
    );
    const events = new Map<string, Sure>(kept.map(({ id }) => [id, 'yes']));
    wrong.push(...compare('delivery', events, tally([...outside.bodies.keys()])));
    const repeated = outside.taken.length - outside.bodies.size;

    const half = began + LASTS_MS / 2;
    const memory = nodes.flatMap((node) => {
      const life = node.lives.at(-1)!;
      const [live, all] = [life.live, life.memory].map((each) => each.filter(({ at }) => at >= half));
      if (!live || !all || life.from > half || live.length < 5) return [];
      const told = ({ slope, mean }: ReturnType<typeof trend>) => ({
        mb: mean / 1e6,
        mb_a_minute: slope / 1e6,
        grows: (slope * MINUTES) / 2 / mean,
      });
      return [{ node: node.name, live: told(trend(live)), all: told(trend(floors(all, BREATH_MS))) }];
    });
    const figures = {
      minutes: MINUTES,
      kills,
      calls: ledger.calls,
      ms: { p50: share(ledger.times, 0.5), p99: share(ledger.times, 0.99) },
      cards: titles.length,
      letters: letters.length,
      uncertain: uncertain.length,
      unsent: sends.map(({ to_address, stands }) => `${to_address}: ${stands}`),
      answers: mails.length,
      events: kept.length,
      repeated,
      changes: changes.told,
      recovered_ms: recovered,
      drained_s,
      memory,
      started_ms: Object.fromEntries(nodes.map((node) => [node.name, node.startedInMs.map(Math.round)])),
      faults: nodes.flatMap((node) =>
        [...node.faults].map(([says, times]) => `${node.name}: ${says} (${times})`),
      ),
      wrong,
    };
    const report = process.env['SOAK_REPORT'];
    if (report) writeFileSync(report, JSON.stringify(figures, null, 1));

    expect(wrong).toEqual([]);
    expect(ledger.calls['done'], 'it was under load').toBeGreaterThan(MINUTES * 300);
    expect(letters.length).toBeGreaterThan(MINUTES * 30);
    expect(mails.length).toBeGreaterThan(MINUTES * 5);
    expect(changes.told).toBeGreaterThan(MINUTES * 30);
    expect(ledger.calls['refused while the database was cut off']).toBeGreaterThan(0);
    expect(Math.max(...recovered)).toBeLessThan(RECOVERS_MS);
    const ends = kills + ledger.cuts.length;
    expect(uncertain.length).toBeLessThanOrEqual(IN_FLIGHT.letters * ends);
    expect(repeated).toBeLessThanOrEqual(IN_FLIGHT.posts * ends);
    expect(memory.length).toBeGreaterThan(0);
    for (const { node, live } of memory) expect(live.grows, node).toBeLessThan(GROWS_AT_MOST);
  },
);
