// What people see of a turn: each call as it runs, what it was given and gave, what a proposed act names; and how many acts a
// turn proposes.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LETTER, O, readyCampaign, saveSteps } from '../../../../../test/support/campaigns.ts';
import { endOf, openChatApp, stream, type ChatApp } from '../../../../../test/support/chat.ts';
import type { TestApp } from '../../../../../test/support/app.ts';
import type { ModelStub } from '../../../../../test/support/model.ts';
import { stalledTurns } from '../turn/stalled.pass.ts';

let desk: ChatApp;
let app: TestApp;
let model: ModelStub;

beforeAll(async () => {
  desk = await openChatApp();
  ({ app, model } = desk);
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(() => desk[Symbol.asyncDispose]());
beforeEach(() => {
  model.next.length = 0;
  model.asked.length = 0;
});

const operation = (name: string, args: Record<string, unknown>) => ({
  calls: [{ name: 'call_operation', input: { operation: name, arguments: args } }],
});
const turnsOf = async (thread_id: string) =>
  (await app.admin.rest('GET', `/api/chat/turns?thread_id=${thread_id}`)).body.items;

test('a call is told when it begins and when it ends, with what it was given and gave, where in the text it exists', async () => {
  model.next.push(
    {
      text: 'I make it.',
      calls: [{ name: 'work_create', input: { project: 'OUT', title: 'x'.repeat(250) } }],
    },
    { text: 'Done.' },
  );
  const streamed = await stream(app, app.admin, { message: 'Make a card' });
  const { thread_id } = endOf(streamed);
  const tools = streamed.changes.filter((each) => each.type === 'tool');
  expect(tools.at(-1)).toMatchObject({
    place: 0,
    title: 'Create a work item',
    outcome: 'done',
    arguments: { project: 'OUT' },
    at: 10,
  });
  expect(tools.at(-1)?.result).toContain('OUT-1');
  const [turn] = await turnsOf(thread_id);
  expect(turn).toMatchObject({ message: 'Make a card', state: 'done', text: 'I make it.\n\nDone.' });
  expect(turn.used).toMatchObject([{ name: 'work_create', outcome: 'done' }]);
  const stranger = await app.person();
  expect((await stranger.rest('GET', `/api/chat/turns?thread_id=${thread_id}`)).status).toBe(404);
});

test('an operation that is called by its name is shown as that one, and secrets are not', async () => {
  const keys = { provider: 'anthropic', keys: { api_key: 'sk-very-secret-0123' } };
  model.next.push(operation('provider_keys_save', keys), { text: 'Proposed.' });
  const streamed = await stream(app, app.admin, { message: 'Save my key' });
  const { thread_id } = endOf(streamed);
  const [turn] = await turnsOf(thread_id);
  expect(turn.used).toMatchObject([
    { title: 'Save provider keys', outcome: 'pending', arguments: { provider: 'anthropic' } },
  ]);
  expect(JSON.stringify([streamed.changes, turn])).not.toContain('very-secret');
  const approval = (await app.admin.rest('GET', `/api/approvals/${turn.used[0].approval_id}`)).body;
  expect(approval.approval).toMatchObject({ kind: 'chat_action', state: 'pending' });
});

test('a proposed activation says what it names, to whoever may have to do with that', async () => {
  const campaign = (await app.admin.rest('POST', '/api/admin/outreach/campaigns', { name: 'Spring' })).body
    .campaign;
  model.next.push(operation('campaign_activate', { campaign: campaign.id }), { text: 'Proposed.' });
  const first = endOf(await stream(app, app.admin, { message: 'Activate it' }));
  const activation = await app.admin.rest('GET', `/api/approvals/${first.pending[0]?.id}`);
  expect(activation.body.approval.act).toMatchObject({
    operation: 'campaign_activate',
    things: { campaign: 'Spring' },
  });
  const agent = (await app.admin.rest('POST', '/api/admin/agents', { name: 'Librarian' })).body.agent;
  model.next.push(operation('agent_update', { agent: agent.id, revision: 1, name: 'Archivist' }), {
    text: 'Proposed.',
  });
  const end = endOf(await stream(app, app.admin, { message: 'Rename it' }));
  const { approval } = (await app.admin.rest('GET', `/api/approvals/${end.pending[0]?.id}`)).body;
  expect(approval.act).toMatchObject({ operation: 'agent_update', things: { agent: 'Librarian' } });
});

test('hole A5: a proposed activation is for the campaign as it was then: steps rewritten since refuse its approval', async () => {
  const campaign = await readyCampaign(app);
  const propose = async (): Promise<string> => {
    model.next.push(operation('campaign_activate', { campaign: campaign.id }), { text: 'Proposed.' });
    return endOf(await stream(app, app.admin, { message: 'Activate it' })).pending[0]?.id ?? '';
  };
  const approve = (id: string) =>
    app.admin.rest('POST', `/api/approvals/${id}/decide`, { decision: 'approve', revision: 1 });
  const stale = await propose();
  await saveSteps(await app.token(), campaign.id, [{ ...LETTER, text: 'Buy from somebody else.' }]);
  const refused = await approve(stale);
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('changed since') } },
  });
  const state = async () =>
    (await app.admin.rest('GET', `${O}/campaigns/${campaign.id}`)).body.campaign.state;
  expect(await state()).toBe('draft');
  expect((await approve(await propose())).status).toBe(200);
  expect(await state()).toBe('active');
});

test('one turn proposes ten acts, and is told to wait for a person after that', async () => {
  const invite = (n: number) => ({
    name: 'invite_user',
    input: { email: `p${n}@example.com`, name: `P ${n}` },
  });
  model.next.push({ calls: Array.from({ length: 12 }, (_, n) => invite(n)) }, { text: 'I proposed ten.' });
  const end = endOf(await stream(app, app.admin, { message: 'Invite twelve' }));
  expect(end.pending).toHaveLength(10);
  const [turn] = await turnsOf(end.thread_id);
  expect(turn.used.slice(10)).toMatchObject([
    {
      outcome: 'refused',
      sentence: expect.stringContaining('this turn has reached its limit of 10 proposals'),
    },
    { outcome: 'refused' },
  ]);
  model.next.push({ calls: [invite(20)] }, { text: 'One more.' });
  const next = endOf(await stream(app, app.admin, { message: 'And one', thread_id: end.thread_id }));
  expect(next.pending).toHaveLength(1);
});

test('what tools were given and gave is forgotten with what was said', async () => {
  model.next.push({ calls: [{ name: 'find_operations', input: { words: 'invite' } }] }, { text: 'Found.' });
  const { thread_id } = endOf(await stream(app, app.admin, { message: 'Which?' }));
  await app.sql`update chat_turns set created_at = created_at - interval '31 days' where thread_id = ${thread_id}`;
  await app.instance.app.database.transact((tx) => stalledTurns.tidy!(tx, app.clock.now()));
  const [turn] = await turnsOf(thread_id);
  expect(turn.used).toMatchObject([
    { title: 'Find operations', arguments: null, result: null, outcome: 'done' },
  ]);
});
