// Checks that the guide and the dashboard speak of the numbers that there are.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

const ROOT = join(import.meta.dirname, '../..');

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ passes: true });
});
afterAll(() => app.close());

const printed = async (): Promise<Map<string, string>> => {
  const token = await app.token();
  const answer = await token.rest('GET', '/metrics');
  expect(answer.status).toBe(200);
  return new Map(
    [...String(answer.body).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map((m) => [m[1] ?? '', m[2] ?? '']),
  );
};

test('the guide lists every number at /metrics, and no other', async () => {
  await expect.poll(async () => (await app.sql`select 1 from pass_runs`).length).toBeGreaterThan(5);
  const guide = readFileSync(join(ROOT, 'docs/guide/metrics.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| `([a-z_0-9]+)` \|/gm)].map((m) => m[1]);
  expect(listed.toSorted()).toEqual([...(await printed()).keys()].toSorted());
});

test('the dashboard asks for numbers that there are', async () => {
  const text = readFileSync(join(ROOT, 'ops/dashboard.json'), 'utf8');
  const dashboard = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
  const asked = dashboard.panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(?:dunnock|process|nodejs)_[a-z_0-9]+/g) ?? []),
  );
  expect(asked.length).toBeGreaterThan(10);
  const kinds = await printed();
  const there = (name: string): boolean =>
    kinds.has(name) || kinds.get(name.replace(/_(bucket|count|sum)$/, '')) === 'histogram';
  expect(asked.filter((name) => !there(name))).toEqual([]);
});

test('what a pass did, and what waits, is told to the page of health and to whoever scrapes', async () => {
  const health = await app.admin.rest('GET', '/api/admin/health');
  expect(health.status).toBe(200);
  const deliveries = health.body.passes.find((pass: { name: string }) => pass.name === 'deliveries');
  expect(deliveries).toMatchObject({ state: 'well', faults: 0, fault: null });
  expect(health.body.queues).toContainEqual({ name: 'events', due: 0, oldest_at: null });
  await app.sql`
    insert into event_deliveries (id, event, occurred_at, body, next_attempt_at)
    values (gen_random_uuid(), 'send.held', now(), '{', ${app.clock.now()})`;
  await app.sql`
    update pass_runs set fault_at = ran_at, fault = 'TypeError', faults = 1, well_at = ran_at - interval '1 second'
    where name = 'landing'`;
  await app.sql`update pass_runs set ran_at = ran_at - interval '2 days' where name = 'warden'`;
  const later = await app.admin.rest('GET', '/api/admin/health');
  const state = (name: string) =>
    later.body.passes.find((pass: { name: string }) => pass.name === name)?.state;
  expect([state('landing'), state('warden')]).toEqual(['failing', 'late']);
  const member = await app.person();
  expect((await member.rest('GET', '/api/admin/health')).status).toBe(403);
});
