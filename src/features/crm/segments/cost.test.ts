// Checks that counting people, whose cost the asker chooses, holds no one up: through the entry points.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;
let admin: PersonClient;
const PEOPLE = '/api/admin/crm/people';
const SEGMENTS = '/api/admin/crm/segments';
const filter = { all: [{ field: 'country', op: 'is', value: 'DE' }] };

beforeAll(async () => {
  app = await openTestApp();
  admin = app.admin;
  await admin.rest('POST', PEOPLE, { name: 'Ann Lee', country: 'DE' });
});
afterAll(() => app?.close());

/** What is done while no one can read people. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const locked = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const held = app.sql.begin(async (tx) => {
    await tx`lock table people in access exclusive mode`;
    locked.resolve();
    await open.promise;
  });
  await locked.promise;
  try {
    return await work();
  } finally {
    open.resolve();
    await held;
  }
}

const counting = async (): Promise<number> =>
  (
    await app.sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and wait_event_type = 'Lock'
        and query like '%as count from people p%'`
  )[0]!.n;

test('hole D5: equal counts that are asked for at once run once, and others of the same caller wait their turn', async () => {
  const other = { all: [{ field: 'country', op: 'is', value: 'AT' }] };
  const asked = await whileLocked(async () => {
    const answers = [filter, filter, filter, other].map((each) =>
      admin.rest('POST', `${SEGMENTS}/count`, { filter: each }),
    );
    await expect.poll(counting).toBe(1);
    // No one else waits for them.
    expect((await admin.rest('GET', '/api/inbox/counts')).status).toBe(200);
    expect(await counting()).toBe(1);
    return answers;
  });
  expect((await Promise.all(asked)).map(({ body }) => body.count)).toEqual([1, 1, 1, 0]);
});

test('hole D5: a list of segments whose counting takes too long has them without a number', async () => {
  await admin.rest('POST', SEGMENTS, { name: 'Slow', filter });
  const listed = await whileLocked(() => admin.rest('GET', SEGMENTS));
  expect(listed.status).toBe(200);
  expect(listed.body.items).toMatchObject([{ name: 'Slow', count: null, fault: null }]);
  expect((await admin.rest('GET', SEGMENTS)).body.items).toMatchObject([{ name: 'Slow', count: 1 }]);
});

test('hole D5: a segment is saved although no one could count it, and its act waits for no count', async () => {
  const made = await whileLocked(() => admin.rest('POST', SEGMENTS, { name: 'Uncounted', filter }));
  expect([made.status, made.body.segment?.count]).toEqual([201, null]);
});

test('hole D5: a filter that costs too much is refused with what its conditions cost', async () => {
  const domains = { field: 'email_domain', op: 'is', value: 'wren.example' };
  const most = { all: Array.from({ length: 15 }, () => domains) };
  expect((await admin.rest('POST', `${SEGMENTS}/count`, { filter: most })).status).toBe(200);
  const more = { all: [...most.all, ...filter.all] };
  for (const path of [SEGMENTS, `${SEGMENTS}/count`]) {
    const refused = await admin.rest('POST', path, {
      filter: more,
      ...(path === SEGMENTS && { name: 'Costly' }),
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain('its cost is 46 and the limit is 45');
  }
});
