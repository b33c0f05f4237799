// Mail lands in any order, by any number of processes, some of which die in the middle: it comes to the same.
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChildOrders } from '../letters/crash.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { arrives, landAll, told } from '../support/inbound.ts';
import { aCampaign, aDesk, type TestCampaign } from '../support/letters.ts';
import { type SentLetter, sentLetter } from '../support/sent.ts';

let database: FreshDatabase;
let app: TestApp;
let campaign: TestCampaign;
const masterKey = randomBytes(32);
beforeAll(async () => {
  database = await freshDatabase();
  app = await openTestApp({ database, masterKey, name: 'crash' });
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

const KINDS = ['reply', 'away', 'stop', 'colleague', 'fresh', 'bounce_of_nobody'] as const;
type Kind = (typeof KINDS)[number];

function mailOf(kind: Kind, { person, message_id }: SentLetter) {
  const own = { from: person.address, in_reply_to: message_id };
  switch (kind) {
    case 'reply':
      return own;
    case 'away':
      return { ...own, fields: ['Auto-Submitted: auto-replied'], text: 'Away.' };
    case 'stop':
      return { ...own, text: 'unsubscribe' };
    case 'colleague':
      return { ...own, from: 'bo@acme.example' };
    case 'fresh':
      return { from: person.address, subject: 'By the way' };
    case 'bounce_of_nobody':
      return { from: 'eve@elsewhere.example' };
  }
}

/** What is left of it all, without what can only follow the order: why a sequence ended first, and ids. */
async function left({ person, prospect_id }: SentLetter) {
  const { sql } = app;
  const [prospect] =
    await sql`select stage, ended is not null as over from prospects where id = ${prospect_id}`;
  const threads = await sql`
    select t.waiting, t.reading, t.touches, t.prospect_id is not null as of_campaign, t.state,
      (select array_agg(x.reading order by x.at, x.id) from touches x where x.thread_id = t.id) as readings
    from threads t where t.person_id = ${person.id} order by of_campaign`;
  const suppressions = await sql`select reason from suppressions where value_hash = ${person.hash}`;
  const events = (await told(app, 'reply.landed')).filter((it) => it['person_id'] === person.id);
  return {
    prospect,
    threads,
    suppressions,
    readings: events.map(({ reading }) => reading).sort(),
    campaigns: events.map(({ campaign_id }) => campaign_id === null).sort(),
  };
}

test('in whatever order and however many at once it lands', async () => {
  const kinds = fc.array(fc.constantFrom(...KINDS), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(kinds, fc.infiniteStream(fc.nat(1_000)), fc.boolean(), async (said, draws, atOnce) => {
      const start = app.clock.now().getTime() - 3_600_000;
      const lands = async (order: readonly number[], together: boolean) => {
        const letter = await sentLetter(app, campaign, { at: new Date(start - 86_400_000) });
        for (const n of order) {
          const received_at = new Date(start + n * 60_000);
          await arrives(app, mailOf(said[n] as Kind, letter), { received_at });
          if (!together) await landAll(app);
        }
        await landAll(app);
        return left(letter);
      };
      const inOrder = said.map((_, n) => n);
      const drawn = [...draws.take(said.length)];
      const shuffled = inOrder.toSorted((a, b) => (drawn[a] ?? 0) - (drawn[b] ?? 0));
      expect(await lands(shuffled, atOnce)).toEqual(await lands(inOrder, false));
    }),
    { numRuns: 20 },
  );
});

describe('processes that are killed without warning while they land', () => {
  const born = (): ChildProcess => {
    const orders: ChildOrders = {
      database: database.options as ChildOrders['database'],
      masterKey: masterKey.toString('hex'),
      aheadMs: 0,
      untilIdle: false,
    };
    return fork(join(import.meta.dirname, '../letters/crash-child.ts'), [JSON.stringify(orders)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'dunnock-test-compiled') },
    });
  };
  const isOpen = (child: ChildProcess) =>
    new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', () => reject(new Error('the process died before it was open')));
    });
  const dies = async (child: ChildProcess) => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  const waiting = async () =>
    (await app.sql<{ n: number }[]>`select count(*)::int as n from inbound_mails where state = 'new'`)[0]!.n;

  test('lose none, land none twice, and tell of each once', { timeout: 300_000 }, async () => {
    const letters: SentLetter[] = [];
    for (let n = 0; n < 100; n += 1) {
      const letter = await sentLetter(app, campaign);
      letters.push(letter);
      await arrives(app, mailOf(n % 4 === 0 ? 'stop' : 'reply', letter));
    }
    let kills = 0;
    while (kills < 4 && (await waiting()) > 15) {
      const pair = [born(), born()];
      await Promise.all(pair.map(isOpen));
      const before = await waiting();
      // Until they are in the middle of it.
      for (let looks = 0; looks < 2_000 && (await waiting()) === before && before > 0; looks += 1)
        await sleep(2);
      await sleep(Math.random() * 60);
      await Promise.all(pair.map(dies));
      kills += 2;
    }
    expect(kills).toBeGreaterThan(0);
    app.clock.advance(70_000);
    await landAll(app);
    expect(await waiting()).toBe(0);
    const events = await told(app, 'reply.landed');
    for (const [n, { person, prospect_id }] of letters.entries()) {
      const touches = await app.sql`
        select id from touches where person_id = ${person.id} and direction = 'in'`;
      expect(touches).toHaveLength(1);
      expect(events.filter((it) => it['person_id'] === person.id)).toMatchObject([
        { touch_id: touches[0]!['id'] },
      ]);
      const [row] = await app.sql`select stage from prospects where id = ${prospect_id}`;
      expect(row).toEqual({ stage: n % 4 === 0 ? 'unsubscribed' : 'replied' });
    }
    expect(await app.sql`select from inbound_mails where state = 'broken'`).toHaveLength(0);
  });
});
