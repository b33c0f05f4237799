// Who waits for our answer: not whoever said no, and whoever said yes comes first; also of what came in before that was the rule.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';
import type { Reading } from '../../../kernel/events.rules.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { openThread } from './record/open.store.ts';
import { settleThreads } from './record/settle.store.ts';
import { insertTouch } from './record/touch.store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.sql`truncate threads cascade`;
});

const transact = <T>(work: (tx: Transaction) => Promise<T>) => app.instance.app.database.transact(work);
const now = () => app.clock.now();
const rest = async (method: string, path: string, body?: object) => {
  const answer = await app.admin.rest(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};

/** Something said, a moment later than what was said before; `us` is a letter of ours. */
async function say(thread_id: string, what: Reading | 'us'): Promise<Date> {
  app.clock.advance(MINUTE_MS);
  const at = now();
  await transact((tx) =>
    insertTouch(
      tx,
      {
        thread_id,
        direction: what === 'us' ? 'out' : 'in',
        channel: 'email',
        at,
        text: what,
        ...(what !== 'us' && { reading: { reading: what, by: 'rule' } }),
      },
      at,
    ),
  );
  return at;
}

async function conversation(...said: (Reading | 'us')[]): Promise<{ id: string; at: Date[] }> {
  const id = await transact((tx) => openThread(tx, { channel: 'email', subject: 'Prices' }, now()));
  const at: Date[] = [];
  for (const what of said) at.push(await say(id, what));
  return { id, at };
}

const unanswered = async (query = ''): Promise<string[]> =>
  (await rest('GET', `/api/inbox?state=unanswered${query}`)).items.map(({ id }: { id: string }) => id);

test('whoever declines or unsubscribes waits for nothing, in the list, the counts and the resource', async () => {
  const asks = await conversation('us', 'neutral');
  const declined = await conversation('us', 'neutral', 'negative');
  const left = await conversation('us', 'unsubscribe');
  expect(await unanswered()).toEqual([asks.id]);
  expect(await rest('GET', '/api/inbox/counts')).toMatchObject({
    unanswered: 1,
    unanswered_unassigned: 1,
    by_reading: { neutral: 1 },
    open: 3,
  });
  const token = await app.token();
  const resource = await token.rpc('resources/read', { uri: 'service://inbox/unanswered' });
  const text = JSON.stringify(resource);
  expect(text).toContain(asks.id);
  for (const { id } of [declined, left]) {
    expect(text).not.toContain(id);
    expect((await rest('GET', `/api/threads/${id}`)).thread).toMatchObject({
      waiting: 'none',
      waiting_since: null,
    });
  }
});

test('a question after a no waits from then on, and an answer to a no waits for theirs', async () => {
  const back = await conversation('us', 'neutral', 'negative', 'neutral');
  const answered = await conversation('us', 'negative', 'us');
  const seen = async ({ id }: { id: string }) => (await rest('GET', `/api/threads/${id}`)).thread;
  expect(await seen(back)).toMatchObject({ waiting: 'us', waiting_since: back.at[3]!.toISOString() });
  expect(await seen(answered)).toMatchObject({
    waiting: 'them',
    waiting_since: answered.at[2]!.toISOString(),
  });
  // Read as a no by mistake: whoever corrects it has them wait again, since they wrote.
  const mistaken = await conversation('us', 'negative');
  expect(await unanswered()).toEqual([back.id]);
  await rest('POST', `/api/threads/${mistaken.id}/reading`, { reading: 'neutral' });
  expect(await seen(mistaken)).toMatchObject({
    waiting: 'us',
    waiting_since: mistaken.at[1]!.toISOString(),
  });
});

test('positive replies come first, then whoever waits longest, page by page', async () => {
  const first = await conversation('us', 'neutral');
  const second = await conversation('us', 'unread');
  const yes = await conversation('us', 'positive');
  const later = await conversation('us', 'positive');
  const order = [yes.id, later.id, first.id, second.id];
  expect(await unanswered()).toEqual(order);
  const paged: string[] = [];
  for (let cursor = ''; paged.length < 4;) {
    const page = await rest('GET', `/api/inbox?state=unanswered&limit=1${cursor && `&cursor=${cursor}`}`);
    paged.push(page.items[0].id);
    cursor = page.next_cursor ?? '';
    if (cursor === '') break;
  }
  expect(paged).toEqual(order);
});

test('what came in before follows the rule after the upgrade', async () => {
  const talks = [
    await conversation('us', 'neutral'),
    await conversation('us', 'neutral', 'negative'),
    await conversation('unsubscribe'),
    await conversation('us', 'neutral', 'negative', 'positive', 'neutral'),
    await conversation('us', 'negative', 'us'),
    await conversation('us', 'negative', 'out_of_office'),
    await conversation('us', 'positive', 'us'),
  ];
  const ids = talks.map(({ id }) => id);
  const waits = () => app.sql`select id, waiting, waiting_since from threads order by id`;
  const settled = await waits();
  // As the version before had it: every word of theirs after ours waits.
  await app.sql`
    update threads t set waiting = case when s.said > coalesce(s.ours, '-infinity') then 'us' else 'them' end,
      waiting_since = case when s.said > coalesce(s.ours, '-infinity') then s.since else s.ours end
    from (
      select x.thread_id, max(x.at) filter (where x.direction = 'out') as ours,
        max(x.at) filter (where x.direction = 'in' and x.reading <> 'out_of_office') as said,
        min(x.at) filter (where x.direction = 'in' and x.reading <> 'out_of_office') as since
      from touches x group by 1) s
    where t.id = s.thread_id and s.said is not null`;
  expect(await waits()).not.toEqual(settled);
  const file = await readFile(new URL('../../../../migrations/0021_who_waits.sql', import.meta.url), 'utf8');
  await app.sql.unsafe(file.split('create index')[0]!);
  expect(await waits()).toEqual(settled);
  await transact((tx) => settleThreads(tx, ids, now()));
  expect(await waits()).toEqual(settled);
});
