// Steps that are agents' turns: a step comes to what its turn comes to, and what a turn sets off counts as caused by its run.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChatHouse, type ChatHouse } from '../../../../../test/support/chat.ts';
import type { TestHouse } from '../../../../../test/support/house.ts';
import { activeBy, ran, runNow, startedBy, step, worked } from '../../../../../test/support/workflows.ts';

let desk: ChatHouse;
let house: TestHouse;
let asks: string;

beforeAll(async () => {
  desk = await openChatHouse();
  ({ house } = desk);
  await house.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  asks = await activeBy(house.admin, [
    step('agent', 'agent', { message: 'What waits?' }, { next: 'card' }),
    step('card', 'create_work_item', { project: 'OUT', title: 'It said {{ steps.agent.text }}' }),
  ]);
});
afterAll(() => desk[Symbol.asyncDispose]());

const turnsOf = (run: string) => house.sql<{ state: string; sentence: string | null }[]>`
  select state, sentence from chat_turns
  where run_step_id in (select id from workflow_run_steps where run_id = ${run}) order by id`;

const retried = async (run: string) => {
  const answer = await house.admin.rest('POST', `/api/workflows/runs/${run}/retry`, {});
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await worked(house);
  return runNow(house, run);
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
      const run = await ran(house, house.admin, asks);
      const [turn] = await turnsOf(run.id);
      expect(turn?.state).not.toBe('done');
      expect(run).toMatchObject({ state: 'failed', at_step: 'agent', error: turn?.sentence });
      desk.model.next.push({ text: 'All is well.' });
      const again = await retried(run.id);
      expect(again.state, again.error ?? '').toBe('succeeded');
      expect((await turnsOf(run.id)).map(({ state }) => state)).toEqual([turn?.state, 'done']);
      const titles = await house.sql`select 1 from work_items where title = 'It said All is well.'`;
      expect(titles.length).toBeGreaterThan(0);
    },
  );

  test('R2: a turn whose process is gone fails the step, and a retry begins a new turn', async () => {
    let open = (): void => undefined;
    desk.model.hold = () => new Promise<void>((resolve) => (open = resolve));
    const run = await startedBy(house.admin, asks);
    const step_done = house.instance.jobs.run('workflow_steps');
    await expect.poll(async () => (await turnsOf(run)).length).toBe(1);
    await house.sql`
      update chat_turns set state = 'stalled', lease = null, finished_at = now(), sentence = 'its process is gone'
      where state = 'running'`;
    await step_done;
    desk.model.hold = null;
    open();
    expect(await runNow(house, run)).toMatchObject({ state: 'failed', error: 'its process is gone' });
    desk.model.next.length = 0;
    desk.model.next.push({ text: 'Back again.' });
    expect((await retried(run)).state).toBe('succeeded');
    expect((await turnsOf(run)).map(({ state }) => state)).toEqual(['stalled', 'done']);
  });

  test('R2: a turn that failed while nobody of the run was there fails the step when it is looked at', async () => {
    let open = (): void => undefined;
    desk.model.hold = () => new Promise<void>((resolve) => (open = resolve));
    const run = await startedBy(house.admin, asks);
    const step_done = house.instance.jobs.run('workflow_steps');
    await expect.poll(async () => (await turnsOf(run)).length).toBe(1);
    // The process that began both is gone; the run waits for its turn, as one that another process took up does.
    await house.sql`
      update workflow_runs set state = 'waiting', due_at = now(), lease = null, lease_until = null where id = ${run}`;
    await house.sql`update workflow_run_steps set state = 'waiting' where run_id = ${run}`;
    await house.sql`
      update chat_turns set state = 'stalled', lease = null, finished_at = now(), sentence = 'its process is gone'
      where state = 'running'`;
    desk.model.hold = null;
    open();
    await step_done;
    await worked(house);
    expect(await runNow(house, run)).toMatchObject({ state: 'failed', error: 'its process is gone' });
    expect(await turnsOf(run)).toHaveLength(1);
  });
});

test('R2: a run that is cancelled stops the turn of its agent', async () => {
  let open = (): void => undefined;
  desk.model.hold = () => new Promise<void>((resolve) => (open = resolve));
  const run = await startedBy(house.admin, asks);
  const working = house.instance.jobs.run('workflow_steps');
  await expect.poll(async () => (await turnsOf(run)).length).toBe(1);
  await house.admin.rest('POST', `/api/workflows/runs/${run}/cancel`, {});
  await working;
  desk.model.hold = null;
  open();
  expect((await runNow(house, run)).state).toBe('cancelled');
  expect(await turnsOf(run)).toMatchObject([{ state: 'stopped' }]);
});

test('R2: the turn of a run does no act more once anyone behind the run is gone', async () => {
  const behind = await house.token({ scopes: { wire: true, scripts: true } });
  const acts = Array.from({ length: 60 }, (_, n) => ({
    name: 'work_create',
    input: { project: 'OUT', title: `Behind ${n}` },
  }));
  const workflow = await activeBy(behind, [step('agent', 'agent', { message: 'Make cards.' })]);
  const starter = await house.token();
  desk.model.next.length = 0;
  desk.model.next.push({ calls: acts }, { text: 'All done.' });
  const run = await startedBy(starter, workflow);
  const working = house.instance.jobs.run('workflow_steps');
  const cards = () => house.sql`select 1 from work_items where title like 'Behind %'`;
  await expect.poll(async () => (await cards()).length).toBeGreaterThan(1);
  // The turn is the starter's, who stays.
  expect(await house.sql`select token_id from chat_turns where state = 'running'`).toEqual([
    { token_id: starter.id },
  ]);
  const revoked = await house.admin.rest('DELETE', `/api/admin/tokens/${behind.id}`);
  expect(revoked.status).toBe(200);
  const answeredAt = house.clock.now();
  await working;
  expect(await turnsOf(run)).toMatchObject([
    { state: 'stopped', sentence: expect.stringContaining('who activated') },
  ]);
  const late = await house.sql`
    select 1 from audit where act = 'item_create' and outcome = 'done' and at > ${answeredAt}`;
  // One that had begun before the deletion was answered may end.
  expect(late.length).toBeLessThanOrEqual(1);
  expect((await cards()).length).toBeLessThan(60);
  desk.model.next.length = 0;
});

test('R5: what an agent of a run sets off counts as caused by it, and ends after five runs in a row', async () => {
  const cards: string[] = [];
  for (let i = 0; i < 9; i += 1) {
    const made = await house.admin.rest('POST', '/api/work/items', { project: 'OUT', title: `Card ${i}` });
    cards.push(made.body.item.id);
  }
  desk.model.next.length = 0;
  for (const item_id of cards)
    desk.model.next.push(
      { calls: [{ name: 'work_move', input: { item_id, status: 'done' } }] },
      { text: 'Parked.' },
    );
  const loop = [step('agent', 'agent', { message: 'Park the next card.' })];
  const workflow = await activeBy(house.admin, loop, { kind: 'event', event: 'work.review_parked' });
  await startedBy(house.admin, workflow);
  for (let i = 0; i < 9; i += 1) await worked(house);
  const runs = await house.sql<{ depth: number; state: string; error: string | null }[]>`
    select depth, state, error from workflow_runs where workflow_id = ${workflow} order by depth`;
  expect(runs.map(({ depth, state }) => [depth, state])).toEqual([
    ...[0, 1, 2, 3, 4, 5].map((depth) => [depth, 'succeeded']),
    [6, 'failed'],
  ]);
  expect(runs.at(-1)?.error).toMatch(/workflows set each other off 5 times in a row/);
  await house.admin.rest('POST', `/api/workflows/${workflow}/deactivate`, {});
});
