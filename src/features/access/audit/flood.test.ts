// Checks that whoever is refused without end writes no log without end, and that nothing of it is left out.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TokenClient } from '../../../../test/support/app.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';

let app: TestApp;
let token: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.token();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(() => app.close());

const refused = (by: Pick<TokenClient, 'rest'>) =>
  by.rest('PUT', '/api/admin/events/webhook', { url: 'https://hooks.example.com/in' });

const rows = (): Promise<{ act: string; code: string | null; times: number }[]> => app.sql`
  select act, code, times from audit where token_id = ${token.id} and outcome = 'refused' order by id`;

test('D: of two hundred refusals in a minute a hundred are rows, and the rest are counted in one; acts done are all there', async () => {
  const asked = Array.from({ length: 200 }, (_, n) =>
    n % 10 === 0 ? token.rest('POST', '/api/work/items', { project: 'OUT', title: `${n}` }) : refused(token),
  );
  const answers = await Promise.all(asked);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(180);
  expect(await rows()).toHaveLength(100);
  expect((await token.rest('DELETE', '/api/admin/tokens/nothing')).status).toBe(400);
  // Someone else has a minute of their own.
  const kim = await app.person();
  expect((await kim.rest('POST', '/api/admin/users/invite', { email: 'x@example.com' })).status).toBe(403);
  expect(
    await app.sql`select times from audit where principal_id = ${kim.id} and outcome = 'refused'`,
  ).toEqual([{ times: 1 }]);
  app.clock.advance(MINUTE_MS);
  expect((await refused(token)).status).toBe(403);
  const after = await rows();
  expect(after).toHaveLength(103);
  expect(after.filter(({ times }) => times > 1)).toEqual([
    { act: 'events_webhook_set', code: 'wire_required', times: 80 },
  ]);
  expect(after.reduce((sum, { times }) => sum + times, 0)).toBe(182);
  const [done] = await app.sql`
    select count(*)::int as n from audit where token_id = ${token.id} and act = 'item_create' and outcome = 'done'`;
  expect(done).toEqual({ n: 20 });
  const { items } = (
    await app.admin.rest('GET', `/api/admin/activity?actor=${token.id}&outcome=refused&limit=5`)
  ).body;
  expect(items.map(({ count }: { count: number }) => count)).toContain(80);
  const digest = (await app.admin.rest('GET', '/api/digests/activity_digest')).body;
  expect(JSON.stringify(digest)).toContain('181');
});

test('D: what was counted is written when the process ends', async () => {
  const own = await openTestApp();
  const agent = await own.token();
  await Promise.all(Array.from({ length: 110 }, () => refused(agent)));
  const { failures } = own.instance.app;
  await failures.close();
  const [sum] = await own.sql`
    select sum(times)::int as n, count(*)::int as rows from audit where token_id = ${agent.id} and outcome = 'refused'`;
  expect(sum).toEqual({ n: 110, rows: 101 });
  await own.close();
});
