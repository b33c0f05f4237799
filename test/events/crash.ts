// A crash round: a child process commits facts with their events and delivers them, is killed without warning again and
// again while the receiver fails one post in ten, and at the end every committed fact must have arrived.
import { fork, type ChildProcess } from 'node:child_process';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Ordered } from '../support/child.ts';
import { freshDatabase } from '../support/database.ts';
import { receiver } from '../support/receiver.ts';

/** Read by the child as its argument. */
export type ChildOrders = Ordered & {
  /** Facts to commit in this life, a few a transaction; some of the transactions are rolled back. */
  facts: number;
  url: string;
  secret: string;
};

export type Round = {
  kills: number;
  /** To be committed in all; what a life does not come to is left out. */
  facts: number;
  /** How long a life goes on after half of its share is committed. */
  lifeMs: () => number;
};

export type Seen = {
  facts: number;
  lost: string[];
  invented: string[];
  posts: number;
  repeated: number;
  differing: string[];
  unsigned: string[];
  failed: number;
};

const SECRET = `whsec_${randomBytes(32).toString('base64url')}`;
/** Longer than the longest rung with its jitter, and than a lease. */
const STEP_MS = 31 * 60_000;
const FAILS_ONE_IN = 10;
/** So that no delivery ends as failed: the ladder has four attempts. */
const MOST_FAILURES = 3;

export async function crashRound({ kills, facts, lifeMs }: Round): Promise<Seen> {
  const database = await freshDatabase();
  const sql = postgres({ ...database.options, max: 2, onnotice: () => undefined });
  await sql`create table test_facts (id uuid primary key)`;

  const bodies = new Map<string, string>();
  const failures = new Map<string, number>();
  const seen: Seen = {
    facts: 0,
    lost: [],
    invented: [],
    posts: 0,
    repeated: 0,
    differing: [],
    unsigned: [],
    failed: 0,
  };
  const accepted = new Set<string>();
  await using server = await receiver((response) => {
    const { headers, body } = server.arrived.pop()!;
    const id = String(headers['x-service-delivery']);
    seen.posts += 1;
    const hash = createHash('sha256').update(body).digest('hex');
    if ((bodies.get(id) ?? hash) !== hash || JSON.parse(body.toString()).id !== id) seen.differing.push(id);
    bodies.set(id, hash);
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    if (headers['x-service-signature'] !== signature) seen.unsigned.push(id);
    const failed = failures.get(id) ?? 0;
    if (failed < MOST_FAILURES && Math.random() * FAILS_ONE_IN < 1) {
      failures.set(id, failed + 1);
      response.writeHead(500).end();
      return;
    }
    if (accepted.has(id)) seen.repeated += 1;
    accepted.add(id);
    response.writeHead(200).end();
  });

  const masterKey = randomBytes(32).toString('hex');
  let life = 0;
  const bear = (count: number): ChildProcess => {
    const orders: ChildOrders = {
      database: database.options,
      masterKey,
      // Each life starts beyond every rung and lease of the life before.
      aheadMs: life++ * STEP_MS,
      facts: count,
      secret: SECRET,
      url: `http://127.0.0.1:${server.port}/`,
    };
    return fork(join(import.meta.dirname, 'crash-child.ts'), [JSON.stringify(orders)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  };
  const told = (child: ChildProcess, word: string): Promise<void> =>
    new Promise((resolve) => {
      child.on('message', (said) => said === word && resolve());
      child.once('exit', () => resolve());
    });
  const kill = async (child: ChildProcess): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };

  for (let n = 0; n < kills; n++) {
    const child = bear(Math.ceil(facts / kills));
    // Half of its share is committed and some of it is on its way.
    await told(child, 'half');
    await sleep(lifeMs());
    await kill(child);
  }
  const open = async (): Promise<number> =>
    (await sql<{ n: number }[]>`select count(*)::int as n from event_deliveries where state = 'pending'`)[0]!
      .n;
  // Lives without a kill: each is one rung further.
  while ((await open()) > 0 && life < kills + 12) {
    const child = bear(0);
    await told(child, 'idle');
    await kill(child);
  }

  const committed = (await sql<{ id: string }[]>`select id from test_facts`).map(({ id }) => id);
  seen.facts = committed.length;
  seen.lost = committed.filter((id) => !accepted.has(id));
  const known = new Set(committed);
  seen.invented = [...bodies.keys()].filter((id) => !known.has(id));
  seen.failed = (
    await sql<{ n: number }[]>`select count(*)::int as n from event_deliveries where state <> 'delivered'`
  )[0]!.n;
  await sql.end();
  await database.drop();
  return seen;
}
