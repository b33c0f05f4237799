// What anyone may ask without signing in costs nothing that others need.
import { expect, test } from 'vitest';
import { openTestApp } from '../support/app.ts';

test('hole D6: 200 health checks at once are one look at the database', async () => {
  const app = await openTestApp();
  const waiting = async (): Promise<number> => {
    const [row] = await app.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%schema_migrations%'`;
    return row?.waiting ?? 0;
  };
  try {
    let asked: Promise<Response>[] = [];
    await app.sql.begin(async (tx) => {
      await tx`lock table schema_migrations in access exclusive mode`;
      asked = Array.from({ length: 200 }, () => fetch(`${app.url}/healthz`));
      await expect.poll(waiting).toBe(1);
      // Whoever reads or writes meanwhile is answered.
      expect((await app.admin.rest('GET', '/api/work/items')).status).toBe(200);
      expect(await waiting()).toBe(1);
    });
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  } finally {
    await app.close();
  }
});
