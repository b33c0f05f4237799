// What the lists of workflows say beside the workflows themselves: how each last ran, its versions, and what a step gave.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { activeBy, ran, savedBy, step } from '../../../../test/support/workflows.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const bell = (id = 'bell') => step(id, 'notify', { sentence: 'Something came in' });
const listed = async (id: string) =>
  (await app.admin.rest('GET', '/api/workflows')).body.items.find((one: { id: string }) => one.id === id);

test('versions that were activated are read word for word, the newest first', async () => {
  const id = await activeBy(app.admin, [bell()]);
  const { revision } = (await app.admin.rest('GET', `/api/workflows/${id}`)).body.workflow;
  const edited = await app.admin.rest('PATCH', `/api/workflows/${id}`, {
    revision,
    steps: [bell('other')],
  });
  await app.admin.rest('POST', `/api/workflows/${id}/activate`, {
    revision: edited.body.workflow.revision,
  });
  const { body } = await app.admin.rest('GET', `/api/workflows/${id}/versions`);
  expect(body.items).toMatchObject([
    { version: 2, active: true, steps: [{ id: 'other' }], runs_as: { id: app.admin.id } },
    { version: 1, active: false, steps: [{ id: 'bell' }] },
  ]);
});

test('what a step was given and gave is read by administrators and by whoever it acted for, and by no one else', async () => {
  const id = await activeBy(app.admin, [bell()]);
  const run = await ran(app, app.admin, id);
  const path = `/api/workflows/runs/${run.id}/steps`;
  const read = await app.admin.rest('GET', `${path}/1`);
  expect(read.body.step).toMatchObject({
    id: 'bell',
    input: { sentence: 'Something came in' },
    output: { users: [app.admin.id] },
    withheld: null,
    asks: null,
  });
  const policy = await app.admin.rest('POST', '/api/admin/policies', {
    name: 'run-readers',
    version: 1,
    statements: [{ effect: 'allow', actions: ['run.read', 'workflow.read'], resources: ['*'] }],
  });
  expect(policy.status, JSON.stringify(policy.body)).toBe(201);
  const reader = await app.token({ mode: 'service', policies: ['run-readers'] });
  const withheld = await reader.rest('GET', `${path}/1`);
  expect(withheld.body.step).toMatchObject({
    output: null,
    withheld: expect.stringContaining('administrators'),
  });
  expect((await app.admin.rest('GET', `${path}/2`)).status).toBe(404);
  expect((await app.admin.rest('GET', `${path}/first`)).status).toBe(400);
});

test('the list says how each workflow last ran, and how often in a day', async () => {
  const never = await savedBy(app.admin, [bell()]);
  const id = await activeBy(app.admin, [bell()]);
  await ran(app, app.admin, id);
  const run = await ran(app, app.admin, id);
  expect(await listed(never.id)).toMatchObject({ last_run: null, runs_last_day: 0 });
  expect(await listed(id)).toMatchObject({
    last_run: { id: run.id, state: 'succeeded' },
    runs_last_day: 2,
  });
  app.clock.advance(25 * 3_600_000);
  expect(await listed(id)).toMatchObject({ last_run: { id: run.id }, runs_last_day: 0 });
});
