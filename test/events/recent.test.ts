// The list for those who run no listener: the same rows, newest first.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_NAMES } from '../../src/kernel/events.ts';
import { type Answer, openTestHouse, type TestHouse } from '../support/house.ts';
import { desk, emit, pass, rows } from './outbox.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(() => house?.close());

const recent = async (query: string): Promise<Answer> =>
  (await desk(house)).rest('GET', `/api/admin/events/recent?${query}`);

test('GET /api/admin/events/recent gives the rows newest first, with exactly these fields', async () => {
  const ids = await emit(house, 3);
  const found = await rows(house);
  expect(found.map((row) => row.id)).toEqual(ids.toReversed());
  expect(Object.keys(found[0]!).sort()).toEqual(
    [
      'id',
      'event',
      'occurred_at',
      'body',
      'state',
      'attempts',
      'next_attempt_at',
      'last_status',
      'last_error',
      'delivered_at',
    ].sort(),
  );
  expect(JSON.parse(found[0]!.body)).toMatchObject({
    id: ids[2],
    event: 'send.held',
    occurred_at: found[0]!.occurred_at,
  });
});

test('it is filtered by event and state, and paged by key', async () => {
  await pass(house);
  for (const event of EVENT_NAMES) await emit(house, 4, event);
  expect((await rows(house, '&state=skipped')).every((row) => row.state === 'skipped')).toBe(true);
  expect(await rows(house, '&event=deal.opened')).toHaveLength(4);
  expect(await rows(house, '&event=deal.opened&state=skipped')).toHaveLength(0);
  const first = (await recent('limit=3&event=send.held')).body;
  const second = (await recent(`limit=200&event=send.held&cursor=${first.next_cursor}`)).body;
  const whole = await rows(house, '&event=send.held');
  expect([...first.items, ...second.items]).toEqual(whole);
  expect(second.next_cursor).toBeNull();
  for (const bad of ['state=lost', 'event=mail.read', 'limit=201', 'cursor=x', 'stray=1'])
    expect((await recent(bad)).status, bad).toBe(400);
});

test('every list and the claim are served by an index at 100,000 rows', async () => {
  await house.sql`
    insert into event_deliveries (id, event, occurred_at, body, state, next_attempt_at, delivered_at)
    select gen_random_uuid(), 'send.held', now() - n * interval '1 second', '{}',
      case when n % 100 = 0 then 'pending' when n % 50 = 1 then 'failed' else 'delivered' end,
      case when n % 100 = 0 then now() end, case when n % 100 <> 0 and n % 50 <> 1 then now() end
    from generate_series(1, 100000) n`;
  await house.sql`analyze event_deliveries`;
  const plan = async (query: string): Promise<string> =>
    (await house.sql.unsafe(`explain ${query}`)).map((row) => row['QUERY PLAN']).join('\n');
  const newest = 'order by id desc limit 51';
  for (const query of [
    `select * from event_deliveries ${newest}`,
    `select * from event_deliveries where event = 'deal.opened' ${newest}`,
    `select * from event_deliveries where state = 'failed' ${newest}`,
    `select * from event_deliveries where state = 'failed' and event = 'send.held' and id < gen_random_uuid() ${newest}`,
    `select id from event_deliveries where state = 'pending' and next_attempt_at <= now() and (leased_until is null or leased_until <= now()) order by next_attempt_at, id limit 50 for update skip locked`,
    `delete from event_deliveries where id in (select id from (select id, state, occurred_at from event_deliveries order by id limit 5000) oldest where state <> 'pending' and occurred_at < now() - interval '30 days')`,
    `select id from event_deliveries where state = 'failed' and occurred_at >= now() - interval '1 day' order by occurred_at, id limit 1000 for update skip locked`,
    `update event_deliveries set lease_id = null, leased_until = null where id = any('{0198c0de-0000-7000-8000-00000000000e}'::uuid[])`,
  ])
    expect(await plan(query), query).not.toContain('Seq Scan');
});
