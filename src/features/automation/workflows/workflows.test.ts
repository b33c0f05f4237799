// Workflows as rows: saved with all that is wrong said at once, edited under a revision, listed in pages, and deleted when
// nothing of them is open.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';
import { activeBy, ran, savedBy, startedBy, step, worked } from '../../../../test/support/workflows.ts';

let app: TestApp;
let member: PersonClient;

beforeAll(async () => {
  app = await openTestApp();
  member = await app.person({ name: 'Mo Member' });
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(() => app.close());

const rest = step('rest', 'wait', { minutes: 5 });

test('what is wrong is said at once, at save and at activation', async () => {
  const refused = await app.admin.rest('POST', '/api/workflows', {
    name: 'x',
    trigger: { kind: 'schedule', cron: 'never', zone: 'Mars/Olympus' },
    steps: [step('a', 'teleport', {}, { next: 'b' }), step('c', 'wait', { minutes: -1 })],
  });
  expect(refused.status).toBe(400);
  expect(Object.keys(refused.body.error.details.fields)).toEqual([
    'trigger.zone',
    'steps.0.next',
    'steps.0.kind',
    'steps.1.input.minutes',
    'steps.1',
  ]);
  const { id, revision } = await savedBy(app.admin, [rest]);
  const unsoundSteps = JSON.stringify([{ ...rest, next: 'gone', on_error: null }]);
  await app.sql`update workflows set steps = ${unsoundSteps}::text::jsonb where id = ${id}`;
  const unsound = await app.admin.rest('POST', `/api/workflows/${id}/activate`, { revision });
  expect(unsound.status).toBe(400);
  expect(unsound.body.error.message).toMatch(/leads to gone/);
});

test('an edit needs the revision that was read, and members read without writing', async () => {
  const { id } = await savedBy(app.admin, [rest]);
  const path = `/api/workflows/${id}`;
  expect(
    (await app.admin.rest('PATCH', path, { revision: 1, name: 'Named anew' })).body.workflow,
  ).toMatchObject({
    revision: 2,
    version: 1,
    name: 'Named anew',
  });
  expect((await app.admin.rest('PATCH', path, { revision: 1, name: 'Again' })).status).toBe(409);
  expect((await member.rest('GET', path)).body.workflow.name).toBe('Named anew');
  expect((await member.rest('PATCH', path, { revision: 2, name: 'Mine' })).body.error.code).toBe(
    'policy_denied',
  );
  expect((await member.rest('POST', `${path}/runs`, {})).body.error.code).toBe('policy_denied');
});

test('a workflow that is not active starts nothing, and one with open runs is not deleted', async () => {
  const { id: draft } = await savedBy(app.admin, [rest]);
  expect((await app.admin.rest('POST', `/api/workflows/${draft}/runs`, {})).status).toBe(409);
  const workflow = await activeBy(app.admin, [rest]);
  const path = `/api/workflows/${workflow}`;
  const run = await ran(app, app.admin, workflow);
  expect((await app.admin.rest('DELETE', path)).body.error.message).toMatch(/deactivate it first/);
  await app.admin.rest('POST', `${path}/deactivate`, {});
  expect((await app.admin.rest('DELETE', path)).body.error.message).toMatch(/this workflow has open runs/);
  expect((await member.rest('POST', `/api/workflows/runs/${run.id}/cancel`, {})).body.run.state).toBe(
    'cancelled',
  );
  expect((await member.rest('POST', `/api/workflows/runs/${run.id}/cancel`, {})).status).toBe(409);
  expect((await app.admin.rest('DELETE', path)).status).toBe(200);
  expect((await app.admin.rest('GET', `/api/workflows/runs/${run.id}`)).status).toBe(404);
});

test('a run that is cancelled asks no one any more', async () => {
  const workflow = await activeBy(app.admin, [step('ask', 'ask_person', { question: 'May I?' })]);
  const run = await ran(app, app.admin, workflow);
  const waiting = async () => (await app.admin.rest('GET', '/api/approvals?kind=workflow_step')).body.items;
  expect(await waiting()).toHaveLength(1);
  await app.admin.rest('POST', `/api/workflows/runs/${run.id}/cancel`, {});
  expect(await waiting()).toHaveLength(0);
});

test('runs and workflows are listed newest first, page by page', async () => {
  const workflow = await activeBy(app.admin, [rest]);
  const started: string[] = [];
  for (let i = 0; i < 5; i += 1) started.push(await startedBy(app.admin, workflow, { i }));
  await worked(app);
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const { body } = await app.admin.rest(
      'GET',
      `/api/workflows/runs?workflow=${workflow}&state=waiting&limit=2${cursor}`,
    );
    seen.push(...body.items.map(({ id }: { id: string }) => id));
    if (body.next_cursor === null) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(seen).toEqual(started.toReversed());
  const { body } = await member.rest('GET', '/api/workflows?limit=1');
  expect(body.items).toMatchObject([{ id: workflow }]);
  expect(body.next_cursor).not.toBeNull();
});

test('what is asked for without sense is answered with a sentence', async () => {
  for (const [method, path, body] of [
    ['GET', '/api/workflows/runs/none', undefined],
    ['GET', '/api/workflows?cursor=%00', undefined],
    ['POST', '/api/workflows', { name: 'x\0', trigger: { kind: 'manual' }, steps: [rest] }],
    [
      'POST',
      '/api/workflows',
      { name: 'x', trigger: { kind: 'manual' }, steps: [{ ...rest, input: { minutes: '\ud800' } }] },
    ],
    [
      'POST',
      '/api/workflows',
      { name: 'x', trigger: { kind: 'manual' }, steps: [{ ...rest, kind: 'constructor' }] },
    ],
    ['POST', '/api/workflows', { name: 'x', trigger: { kind: 'manual' }, steps: [] }],
    ['PUT', '/api/admin/workflows/hosts', { hosts: ['https://x.example/a'] }],
    ['PUT', '/api/admin/workflows/hosts', { hosts: ['\u{1F4A9}\0'] }],
  ] as const) {
    const answer = await app.admin.rest(method, path, body);
    expect([path, answer.status], JSON.stringify(answer.body)).toEqual([path, 400]);
  }
});
