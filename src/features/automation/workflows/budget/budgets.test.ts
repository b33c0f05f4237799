// What a workflow may take: its runs, its agents' turns and their tokens, apart from what its people have for their chats; and
// what it does when that is used up.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openChatApp, type ChatApp } from '../../../../../test/support/chat.ts';
import type { TestApp } from '../../../../../test/support/app.ts';
import { activeBy, ran, runNow, startedBy, step, worked } from '../../../../../test/support/workflows.ts';

let desk: ChatApp;
let app: TestApp;

beforeAll(async () => {
  desk = await openChatApp();
  ({ app } = desk);
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(() => desk[Symbol.asyncDispose]());
afterEach(() => app.sql`delete from settings where section in ('workflows', 'chat')`);

const budget = async (given: object): Promise<void> => {
  const answer = await app.admin.rest('PATCH', '/api/admin/settings/workflows', given);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body.workflows).toMatchObject(given);
};
const read = async (workflow: string) =>
  (await app.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
const talks = () => [step('agent', 'agent', { message: 'What waits?' })];

const heard = (times: number) =>
  app.instance.app.database.transact(async (tx) => {
    for (let i = 0; i < times; i += 1)
      await app.instance.app.database.emit(
        tx,
        'domain.paused',
        { domain_id: app.admin.id, domain: 'acme.example', reason: 'x' } as never,
        app.clock.now(),
      );
  });

test('R5: a workflow that begins more runs than its hour has pauses itself, in Today and by a notification', async () => {
  await budget({ runs_per_hour: 3 });
  const card = step('card', 'create_work_item', { project: 'OUT', title: 'A card' });
  const trigger = { kind: 'event', event: 'domain.paused' };
  const workflow = await activeBy(app.admin, [card], trigger, 'Too eager');
  await heard(9);
  await worked(app);
  const sentence =
    'this workflow used up its runs for this hour: wait, or an administrator can raise the limit in Settings → Workflows; then activate it again';
  expect(await read(workflow)).toMatchObject({ state: 'inactive', paused: { sentence } });
  const { body } = await app.admin.rest('GET', `/api/workflows/runs?workflow=${workflow}`);
  expect(body.items.map(({ state, error }: any) => [state, error]).reverse()).toEqual([
    ...[1, 2, 3].map(() => ['succeeded', null]),
    ['failed', sentence],
  ]);
  const { sections } = (await app.admin.rest('GET', '/api/today')).body;
  expect(sections.find(({ name }: any) => name === 'runs').rows).toContainEqual(
    expect.objectContaining({ title: 'Too eager', says: `Paused automatically: ${sentence}.` }),
  );
  const { items } = (await app.admin.rest('GET', '/api/me/notifications')).body;
  expect(items[0]).toMatchObject({
    sentence: `A workflow of yours paused itself: ${sentence}.`,
    link: `/workflows/${workflow}`,
  });
  // Activating it again without waiting gives it no more; an hour later it goes on.
  await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
  const again = async () =>
    app.admin.rest('POST', `/api/workflows/${workflow}/activate`, {
      revision: (await read(workflow)).revision,
    });
  expect((await again()).body.workflow).toMatchObject({ state: 'active', paused: null });
  const start = () => app.admin.rest('POST', `/api/workflows/${workflow}/runs`, { inputs: {} });
  expect((await start()).status).toBe(429);
  app.clock.advance(61 * 60_000);
  expect((await start()).status).toBe(201);
  await app.admin.rest('POST', `/api/workflows/${workflow}/deactivate`, {});
});

test('R5: a schedule keeps to the runs of an hour, and pauses its workflow with the same sentence', async () => {
  await budget({ runs_per_hour: 2 });
  const card = step('card', 'create_work_item', { project: 'OUT', title: 'Each minute' });
  const trigger = { kind: 'schedule', cron: '* * * * *', zone: 'UTC' };
  const workflow = await activeBy(app.admin, [card], trigger, 'Each minute');
  for (let i = 0; i < 5; i += 1) {
    app.clock.advance(60_000);
    await worked(app);
  }
  const { state, paused, next_at } = await read(workflow);
  expect([state, paused?.sentence, next_at]).toEqual([
    'inactive',
    expect.stringMatching(/^this workflow used up its runs for this hour/),
    null,
  ]);
  const { body } = await app.admin.rest('GET', `/api/workflows/runs?workflow=${workflow}`);
  expect(body.items.map((run: any) => [run.state, run.error]).reverse()).toEqual([
    ['succeeded', null],
    ['succeeded', null],
    ['failed', paused.sentence],
  ]);
});

test('R5: a workflow that used up its agent turns pauses itself, and its runs hold until it is activated again', async () => {
  await budget({ turns_per_hour: 2 });
  const workflow = await activeBy(app.admin, talks());
  for (let i = 0; i < 2; i += 1) expect((await ran(app, app.admin, workflow)).state).toBe('succeeded');
  const asked = desk.model.asked.length;
  const held = await ran(app, app.admin, workflow);
  expect(held).toMatchObject({ state: 'waiting', held: 'budget' });
  expect(held.error).toMatch(/^this workflow used up its agent turns for this hour/);
  expect(desk.model.asked).toHaveLength(asked);
  const { state, paused, revision } = await read(workflow);
  expect([state, paused.sentence]).toEqual(['inactive', held.error]);
  await budget({ turns_per_hour: 10 });
  await app.admin.rest('POST', `/api/workflows/${workflow}/activate`, { revision });
  await app.admin.rest('POST', `/api/workflows/runs/${held.id}/retry`, {});
  await worked(app);
  expect((await runNow(app, held.id)).state).toBe('succeeded');
});

test('R5: the tokens of a workflow are its own: they take nothing from its person, and end with its day', async () => {
  await budget({ tokens_per_day: 200 });
  await app.admin.rest('PATCH', '/api/admin/settings/chat', { tokens_per_caller_per_day: 200 });
  const workflow = await activeBy(app.admin, talks());
  for (let i = 0; i < 2; i += 1) expect((await ran(app, app.admin, workflow)).state).toBe('succeeded');
  const held = await ran(app, app.admin, workflow);
  expect(held.error).toMatch(/^this workflow used up its model tokens for today/);
  const own = await app.admin.rest('POST', '/api/chat/turns', { message: 'And I?' });
  expect([own.status, own.body.state]).toEqual([200, 'done']);
});

test('R5: runs that fan out end at a hundred, and the workflow pauses itself', async () => {
  const cards = `
    local ids = {}
    for i = 1, 3 do
      ids[i] = dunnock.item_create({ project = "OUT", title = "Fan" }).item.id
      dunnock.item_move({ item_id = ids[i], status = "done" })
    end
    return #ids`;
  const trigger = { kind: 'event', event: 'work.review_parked' };
  const workflow = await activeBy(app.admin, [step('fan', 'lua', { script: cards })], trigger);
  await startedBy(app.admin, workflow);
  for (let i = 0; i < 8; i += 1) await worked(app);
  const [row] = await app.sql<{ begun: number; all: number }[]>`
    select (count(*) filter (where error is null))::int as begun, count(*)::int as all
    from workflow_runs where workflow_id = ${workflow}`;
  // The first, its three, and a hundred of those that they set off.
  expect(row?.begun).toBeLessThanOrEqual(104);
  expect(row?.all).toBeLessThanOrEqual(110);
  expect((await read(workflow)).paused.sentence).toMatch(/^workflows keep triggering each other/);
}, 120_000);
