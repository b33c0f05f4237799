// A pool that is busy is a wait with a reason, and no failure of a run.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { activeBy, runNow, startedBy, step, worked } from '../../../../../test/support/workflows.ts';
import { AT_ONCE, freeSlot, takeSlot } from '../../scripts/slots.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('R4: a script that finds no place waits with the reason, however often, and runs once there is one', async () => {
  const workflow = await activeBy(app.admin, [step('script', 'lua', { script: 'return 1' })]);
  for (let i = 0; i < AT_ONCE; i += 1) expect(await takeSlot(0, undefined)).toBe(true);
  const run = await startedBy(app.admin, workflow);
  // As after 25 tries.
  await worked(app);
  await app.sql`update workflow_run_steps set waits = '{"again": 25}' where run_id = ${run}`;
  app.clock.advance(10 * 60_000);
  await worked(app);
  expect(await runNow(app, run)).toMatchObject({
    state: 'waiting',
    held: null,
    error: `${AT_ONCE} scripts are running: try again in a few seconds`,
    steps: [{ state: 'waiting' }],
  });
  for (let i = 0; i < AT_ONCE; i += 1) freeSlot();
  app.clock.advance(10 * 60_000);
  await worked(app);
  expect(await runNow(app, run)).toMatchObject({ state: 'succeeded', error: null });
}, 60_000);

test('R4: of thirty scripts that fire at once every one ends well', async () => {
  const workflow = await activeBy(app.admin, [step('script', 'lua', { script: 'return 1' })]);
  const runs = await Promise.all(Array.from({ length: 30 }, () => startedBy(app.admin, workflow)));
  await worked(app);
  const ended = await app.sql<{ state: string }[]>`
    select state from workflow_runs where id = any(${runs}::uuid[])`;
  expect(new Set(ended.map(({ state }) => state))).toEqual(new Set(['succeeded']));
}, 60_000);

test('A low: notify says whose words it is, reaches who may read the run, and fills no one’s bell', async () => {
  const member = await app.person({ policies: [] });
  const denied = await app.admin.rest('POST', '/api/admin/policies', {
    name: 'no-runs',
    version: 1,
    statements: [{ effect: 'deny', actions: ['run.*'], resources: ['*'] }],
  });
  expect(denied.status).toBe(201);
  const blind = await app.person({ policies: ['no-runs'] });
  const users = [member.id, blind.id];
  const bell = step('bell', 'notify', { users, sentence: 'Your session has expired.' });
  const workflow = await activeBy(app.admin, [bell], undefined, 'Odd one');
  await startedBy(app.admin, workflow);
  await worked(app);
  const heard = (id: string) =>
    app.sql<
      { sentence: string; link: string }[]
    >`select sentence, link from notifications where user_id = ${id}`;
  expect(await heard(member.id)).toMatchObject([
    { sentence: 'Odd one: Your session has expired.', link: expect.stringContaining('/workflows/runs/') },
  ]);
  expect(await heard(blind.id)).toEqual([]);
  for (let i = 0; i < 65; i += 1) await startedBy(app.admin, workflow);
  await worked(app);
  // Runs that end at the same moment may each see room for one more.
  const { length } = await heard(member.id);
  expect(length).toBeGreaterThanOrEqual(60);
  expect(length).toBeLessThan(66);
}, 60_000);
