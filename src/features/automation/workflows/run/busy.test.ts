// A pool that is busy is a wait with a reason, and no failure of a run.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestHouse, type TestHouse } from '../../../../../test/support/house.ts';
import { activeBy, runNow, startedBy, step, worked } from '../../../../../test/support/workflows.ts';
import { AT_ONCE, freeSlot, takeSlot } from '../../scripts/slots.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(() => house.close());

test('R4: a script that finds no place waits with the reason, however often, and runs once there is one', async () => {
  const workflow = await activeBy(house.admin, [step('script', 'lua', { script: 'return 1' })]);
  for (let i = 0; i < AT_ONCE; i += 1) expect(await takeSlot(0, undefined)).toBe(true);
  const run = await startedBy(house.admin, workflow);
  // As after 25 tries.
  await worked(house);
  await house.sql`update workflow_run_steps set waits = '{"again": 25}' where run_id = ${run}`;
  house.clock.advance(10 * 60_000);
  await worked(house);
  expect(await runNow(house, run)).toMatchObject({
    state: 'waiting',
    held: null,
    error: `${AT_ONCE} scripts are running: try again in a few seconds`,
    steps: [{ state: 'waiting' }],
  });
  for (let i = 0; i < AT_ONCE; i += 1) freeSlot();
  house.clock.advance(10 * 60_000);
  await worked(house);
  expect(await runNow(house, run)).toMatchObject({ state: 'succeeded', error: null });
}, 60_000);

test('R4: of thirty scripts that fire at once every one ends well', async () => {
  const workflow = await activeBy(house.admin, [step('script', 'lua', { script: 'return 1' })]);
  const runs = await Promise.all(Array.from({ length: 30 }, () => startedBy(house.admin, workflow)));
  await worked(house);
  const ended = await house.sql<{ state: string }[]>`
    select state from workflow_runs where id = any(${runs}::uuid[])`;
  expect(new Set(ended.map(({ state }) => state))).toEqual(new Set(['succeeded']));
}, 60_000);

test('A low: notify says whose words it is, reaches who may read the run, and fills nobody’s bell', async () => {
  const member = await house.person({ policies: [] });
  const denied = await house.admin.rest('POST', '/api/admin/policies', {
    name: 'no-runs',
    version: 1,
    statements: [{ effect: 'deny', actions: ['run.*'], resources: ['*'] }],
  });
  expect(denied.status).toBe(201);
  const blind = await house.person({ policies: ['no-runs'] });
  const users = [member.id, blind.id];
  const bell = step('bell', 'notify', { users, sentence: 'Your session has expired.' });
  const workflow = await activeBy(house.admin, [bell], undefined, 'Odd one');
  await startedBy(house.admin, workflow);
  await worked(house);
  const heard = (id: string) =>
    house.sql<
      { sentence: string; link: string }[]
    >`select sentence, link from notifications where user_id = ${id}`;
  expect(await heard(member.id)).toMatchObject([
    { sentence: 'Odd one: Your session has expired.', link: expect.stringContaining('/workflows/runs/') },
  ]);
  expect(await heard(blind.id)).toEqual([]);
  for (let i = 0; i < 65; i += 1) await startedBy(house.admin, workflow);
  await worked(house);
  // Runs that end at the same moment may each see room for one more.
  const { length } = await heard(member.id);
  expect(length).toBeGreaterThanOrEqual(60);
  expect(length).toBeLessThan(66);
}, 60_000);
