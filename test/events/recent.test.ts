// The list for those who run no listener: the same rows, newest first.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_NAMES } from '../../src/kernel/events.rules.ts';
import { newId } from '../../src/kernel/ids.ts';
import { eventsOf, newProject, parkedBy } from '../support/board.ts';
import { type Answer, openTestApp, type RestClient, type TestApp } from '../support/app.ts';
import { desk, emit, pass, rows, sample } from './outbox.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const recent = async (query: string): Promise<Answer> =>
  (await desk(app)).rest('GET', `/api/admin/events/recent?${query}`);

test('GET /api/admin/events/recent gives the rows newest first, with exactly these fields', async () => {
  const ids = await emit(app, 3);
  const found = await rows(app);
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
  await pass(app);
  for (const event of EVENT_NAMES) await emit(app, 4, event);
  expect((await rows(app, '&state=skipped')).every((row) => row.state === 'skipped')).toBe(true);
  expect(await rows(app, '&event=deal.opened')).toHaveLength(4);
  expect(await rows(app, '&event=deal.opened&state=skipped')).toHaveLength(0);
  const first = (await recent('limit=3&event=send.held')).body;
  const second = (await recent(`limit=200&event=send.held&cursor=${first.next_cursor}`)).body;
  const whole = await rows(app, '&event=send.held');
  expect([...first.items, ...second.items]).toEqual(whole);
  expect(second.next_cursor).toBeNull();
  for (const bad of ['state=lost', 'event=mail.read', 'limit=201', 'cursor=x', 'stray=1'])
    expect((await recent(bad)).status, bad).toBe(400);
});

test('every list and the claim are served by an index at 100,000 rows', async () => {
  await app.sql`
    insert into event_deliveries (id, event, occurred_at, body, state, next_attempt_at, delivered_at)
    select gen_random_uuid(), 'send.held', now() - n * interval '1 second', '{}',
      case when n % 100 = 0 then 'pending' when n % 50 = 1 then 'failed' else 'delivered' end,
      case when n % 100 = 0 then now() end, case when n % 100 <> 0 and n % 50 <> 1 then now() end
    from generate_series(1, 100000) n`;
  await app.sql`analyze event_deliveries`;
  const plan = async (query: string): Promise<string> =>
    (await app.sql.unsafe(`explain ${query}`)).map((row) => row['QUERY PLAN']).join('\n');
  const newest = 'order by id desc limit 51';
  for (const query of [
    `select * from event_deliveries ${newest}`,
    `select * from event_deliveries where event = 'deal.opened' ${newest}`,
    `select * from event_deliveries where state = 'failed' ${newest}`,
    `select * from event_deliveries where state = 'failed' and event = 'send.held' and id < gen_random_uuid() ${newest}`,
    `select id from event_deliveries where state = 'pending' and next_attempt_at <= now() and (lease_until is null or lease_until <= now()) order by next_attempt_at, id limit 50 for update skip locked`,
    `delete from event_deliveries where id in (select id from (select id, state, occurred_at from event_deliveries order by id limit 5000) oldest where state <> 'pending' and occurred_at < now() - interval '30 days')`,
    `select id from event_deliveries where state = 'failed' and occurred_at >= now() - interval '1 day' order by occurred_at, id limit 1000 for update skip locked`,
    `update event_deliveries set lease = null, lease_until = null where id = any('{0198c0de-0000-7000-8000-00000000000e}'::uuid[])`,
  ])
    expect(await plan(query), query).not.toContain('Seq Scan');
});

test('hole B2: an event about what its reader may not read is in no list, and is not sent again by them', async () => {
  const mine = await openTestApp();
  try {
    const project = await newProject(mine);
    const agent = await mine.token({ name: 'scout' });
    const [seen, denied] = [await parkedBy(agent, project.key), await parkedBy(agent, project.key)];
    const elsewhere = await parkedBy(agent, (await newProject(mine)).key);
    const held = newId();
    const data = { ...sample()['send.held'], person_id: held };
    const { database } = mine.instance.app;
    await database.transact((tx) => database.emit(tx, 'send.held', data, mine.clock.now()));
    await mine.admin.rest('POST', '/api/admin/policies', {
      name: 'events',
      version: 1,
      statements: [
        { effect: 'allow', actions: ['admin.event.*'], resources: ['*'] },
        { effect: 'allow', actions: ['work.*'], resources: [`work:project/${project.key}`] },
        { effect: 'deny', actions: ['work.*'], resources: [`work:item/${denied.item.id}`] },
        { effect: 'deny', actions: ['crm.person.*'], resources: [`crm:person/${held}`] },
      ],
    });
    const by = await mine.token({ mode: 'service', policies: ['events'] });
    const listed = async (who: RestClient): Promise<string> =>
      JSON.stringify((await who.rest('GET', '/api/admin/events/recent?limit=200')).body.items);
    expect(await listed(by)).toContain(seen.item.id);
    for (const id of [denied.item.id, elsewhere.item.id, held]) {
      expect(await listed(mine.admin)).toContain(id);
      expect(await listed(by)).not.toContain(id);
    }
    await mine.sql`update event_deliveries set state = 'failed', attempts = 4, next_attempt_at = null`;
    const [row] = await eventsOf(mine, denied.item);
    expect((await by.rest('POST', `/api/admin/events/${row?.id}/redeliver`)).status).toBe(404);
    const span = { since: '2020-01-01T00:00:00Z', state: 'failed' };
    const again = await by.rest('POST', '/api/admin/events/redeliver', span);
    expect(again.body).toEqual({ queued: 1, more: false });
  } finally {
    await mine.close();
  }
});
