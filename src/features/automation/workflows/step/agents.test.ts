// Steps that are agents' turns: a step comes to what its turn comes to, and what a turn sets off counts as caused by its run.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChatApp, type ChatApp } from '../../../../../test/support/chat.ts';
import type { TestApp } from '../../../../../test/support/app.ts';
import { activeBy, ran, runNow, startedBy, step, worked } from '../../../../../test/support/workflows.ts';

let desk: ChatApp;
let app: TestApp;
let asks: string;

beforeAll(async () => {
  desk = await openChatApp();
  ({ app } = desk);
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  asks = await activeBy(app.admin, [
    step('agent', 'agent', { message: 'What waits?' }, { next: 'card' }),
    step('card', 'create_work_item', { project: 'OUT', title: 'It said {{ steps.agent.text }}' }),
  ]);
});
afterAll(() => desk[Symbol.asyncDispose]());

const turnsOf = (run: string) => app.sql<{ state: string; sentence: string | null }[]>`
  select state, sentence from chat_turns
  where run_step_id in (select id from workflow_run_steps where run_id = ${run}) order by id`;

const retried = async (run: string) => {
  const answer = await app.admin.rest('POST', `/api/workflows/runs/${run}/retry`, {});
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await worked(app);
  return runNow(app, run);
};

describe('R2: a step comes to what its turn comes to', () => {
  test.each([
    ['breaks off after some text', { breaks: 'I began to' }],
    ['is refused by the model', { status: 400 }],
    ['is cut at its longest', { text: 'half an ans', ends: 'length' as const }],
  ])(
    'R2: a turn that %s fails the step with its sentence, and a retry begins a new turn',
    async (_, plan) => {
      desk.model.next.push(plan);
      const run = await ran(app, app.admin, asks);
      const [turn] = await turnsOf(run.id);
      expect(turn?.state).not.toBe('done');
      expect(run).toMatchObject({ state: 'failed', at_step: 'agent', error: turn?.sentence });
      desk.model.next.push({ text: 'All is well.' });
      const again = await retried(run.id);
      expect(again.state, again.error ?? '').toBe('succeeded');
      expect((await turnsOf(run.id)).map(({ state }) => state)).toEqual([turn?.state, 'done']);
      const titles = await app.sql`select 1 from work_items where title = 'It said All is well.'`;
      expect(titles.length).toBeGreaterThan(0);
    },
  );

  test('R2: a turn whose process is gone fails the step, and a retry begins a new turn', async () => {
    let open = (): void => undefined;
    desk.model.hold = () => new Promise<void>((resolve) => (open = resolve));
    const run = await startedBy(app.admin, asks);
    const step_done = app.instance.jobs.run('workflow_steps');
    await expect.poll(async () => (await turnsOf(run)).length).toBe(1);
    await app.sql`
      update chat_turns set state = 'stalled', lease = null, finished_at = now(), sentence = 'its process is gone'
      where state = 'running'`;
    await step_done;
    desk.model.hold = null;
    open();
    expect(await runNow(app, run)).toMatchObject({ state: 'failed', error: 'its process is gone' });
    desk.model.next.length = 0;
    desk.model.next.push({ text: 'Back again.' });
    expect((await retried(run)).state).toBe('succeeded');
    expect((await turnsOf(run)).map(({ state }) => state)).toEqual(['stalled', 'done']);
  });

  test('R2: a turn that failed while no one of the run was there fails the step when it is looked at', async () => {
    let open = (): void => undefined;
    desk.model.hold = () => new Promise<void>((resolve) => (open = resolve));
    const run = await startedBy(app.admin, asks);
    const step_done = app.instance.jobs.run('workflow_steps');
    await expect.poll(async () => (await turnsOf(run)).length).toBe(1);
    // The process that began both is gone; the run waits for its turn, as one that another process took up does.
    await app.sql`
      update workflow_runs set state = 'waiting', due_at = now(), lease = null, lease_until = null where id = ${run}`;
    await app.sql`update workflow_run_steps set state = 'waiting' where run_id = ${run}`;
    await app.sql`
      update chat_turns set state = 'stalled', lease = null, finished_at = now(), sentence = 'its process is gone'
      where state = 'running'`;
    desk.model.hold = null;
    open();
    await step_done;
    await worked(app);
    expect(await runNow(app, run)).toMatchObject({ state: 'failed', error: 'its process is gone' });
    expect(await turnsOf(run)).toHaveLength(1);
  });
});

test('R2: a run that is cancelled stops the turn of its agent', async () => {
  let open = (): void => undefined;
  desk.model.hold = () => new Promise<void>((resolve) => (open = resolve));
  const run = await startedBy(app.admin, asks);
  const working = app.instance.jobs.run('workflow_steps');
  await expect.poll(async () => (await turnsOf(run)).length).toBe(1);
  await app.admin.rest('POST', `/api/workflows/runs/${run}/cancel`, {});
  await working;
  desk.model.hold = null;
  open();
  expect((await runNow(app, run)).state).toBe('cancelled');
  expect(await turnsOf(run)).toMatchObject([{ state: 'stopped' }]);
});

test('R2: the turn of a run does no act more once anyone behind the run is gone', async () => {
  const behind = await app.token({ scopes: { wire: true, scripts: true } });
  const acts = Array.from({ length: 60 }, (_, n) => ({
    name: 'work_create',
    input: { project: 'OUT', title: `Behind ${n}` },
  }));
  const workflow = await activeBy(behind, [step('agent', 'agent', { message: 'Make cards.' })]);
  const starter = await app.token();
  desk.model.next.length = 0;
  desk.model.next.push({ calls: acts }, { text: 'All done.' });
  const run = await startedBy(starter, workflow);
  const working = app.instance.jobs.run('workflow_steps');
  const cards = () => app.sql`select 1 from work_items where title like 'Behind %'`;
  await expect.poll(async () => (await cards()).length).toBeGreaterThan(1);
  // The turn is the starter's, who stays.
  expect(await app.sql`select token_id from chat_turns where state = 'running'`).toEqual([
    { token_id: starter.id },
  ]);
  const revoked = await app.admin.rest('DELETE', `/api/admin/tokens/${behind.id}`);
  expect(revoked.status).toBe(200);
  const answeredAt = app.clock.now();
  await working;
  expect(await turnsOf(run)).toMatchObject([
    { state: 'stopped', sentence: expect.stringContaining('who activated') },
  ]);
  const late = await app.sql`
    select 1 from audit where act = 'item_create' and outcome = 'done' and at > ${answeredAt}`;
  // One that had begun before the deletion was answered may end.
  expect(late.length).toBeLessThanOrEqual(1);
  expect((await cards()).length).toBeLessThan(60);
  desk.model.next.length = 0;
});

test('R5: what an agent of a run sets off counts as caused by it, and ends after five runs in a row', async () => {
  const cards: string[] = [];
  for (let i = 0; i < 9; i += 1) {
    const made = await app.admin.rest('POST', '/api/work/items', { project: 'OUT', title: `Card ${i}` });
    cards.push(made.body.item.id);
  }
  desk.model.next.length = 0;
  for (const item_id of cards)
    desk.model.next.push(
      { calls: [{ name: 'work_move', input: { item_id, status: 'done' } }] },
      { text: 'Parked.' },
    );
  const loop = [step('agent', 'agent', { message: 'Park the next card.' })];
  const workflow = await activeBy(app.admin, loop, { kind: 'event', event: 'work.review_parked' });
  await startedBy(app.admin, workflow);
  for (let i = 0; i < 9; i += 1) await worked(app);
  const runs = await app.sql<{ depth: number; state: string; error: string | null }[]>`
    select depth, state, error from workflow_runs where workflow_id = ${workflow} order by depth`;
  expect(runs.map(({ depth, state }) => [depth, state])).toEqual([
    ...[0, 1, 2, 3, 4, 5].map((depth) => [depth, 'succeeded']),
    [6, 'failed'],
  ]);
  expect(runs.at(-1)?.error).toMatch(/workflows set each other off 5 times in a row/);
  await app.admin.rest('POST', `/api/workflows/${workflow}/deactivate`, {});
});
