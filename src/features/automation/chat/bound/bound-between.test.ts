// What a proposal names by a key is bound too, and no one comes in between the comparison and the act.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openChatApp, type ChatApp } from '../../../../../test/support/chat.ts';
import type { TestApp } from '../../../../../test/support/app.ts';
import { aCampaign, aDesk, type TestCampaign } from '../../../../../test/support/letters.ts';
import type { ModelStub } from '../../../../../test/support/model.ts';
import { proposing, type Proposing } from '../../../../../test/support/proposing.ts';
import { step } from '../../../../../test/support/workflows.ts';

let desk: ChatApp;
let app: TestApp;
let model: ModelStub;
let campaign: TestCampaign;
let proposed: Proposing['proposed'];
let approve: Proposing['approve'];
let enrolled: Proposing['enrolled'];
let aSegment: Proposing['aSegment'];
let tagged: Proposing['tagged'];

beforeAll(async () => {
  desk = await openChatApp();
  ({ app, model } = desk);
  campaign = await aCampaign(app, await aDesk(app));
  ({ proposed, approve, enrolled, aSegment, tagged } = proposing(desk, campaign));
});
afterAll(() => desk[Symbol.asyncDispose]());
beforeEach(() => {
  model.next.length = 0;
  model.asked.length = 0;
});

test('hole A5a: whoever comes into the segment after it was compared and before it is enrolled is not enrolled', async () => {
  await tagged('between');
  const segment = await aSegment('between');
  const made = await proposed('campaign_enrol', { campaign: campaign.id, segment: segment.id });
  const before = await enrolled();
  const unhook = beforeTheAct('campaign_enrol', () => tagged('between'));
  const refused = await approve(made.id);
  unhook();
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    'this segment changed while its people were being enrolled, so no one was enrolled: check it and try again',
  ]);
  expect(await enrolled()).toBe(before);
});

/** Does something, on another connection, in the moment between the comparison of an act's marks and the act. */
function beforeTheAct(name: string, does: () => Promise<unknown>): () => void {
  const all = app.instance.app.bound as Map<string, any>;
  const bound = all.get(name);
  const [handler] = Object.getOwnPropertySymbols(bound);
  const { ask, act } = bound[handler!];
  bound[handler!] = {
    ask,
    act: async (...given: unknown[]) => {
      await does();
      return act(...given);
    },
  };
  return () => {
    bound[handler!] = { ask, act };
  };
}

test('hole A5a: a proposal that names a group, or a policy or a project by its key, is bound to it', async () => {
  const made = async (path: string, body: object, noun: string) => {
    const answer = await app.admin.rest('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body[noun];
  };
  const group = await made('/api/admin/groups', { name: 'Desk', members: [], policies: [] }, 'group');
  const policy = {
    name: 'desk-readers',
    version: 1,
    statements: [{ effect: 'allow', actions: ['crm.person.read'], resources: ['*'] }],
  };
  const first = await made('/api/admin/policies', policy, 'policy');
  expect(first.name).toBe('desk-readers');
  const widened = [{ effect: 'allow', actions: ['*'], resources: ['*'] }];
  const byKey = await proposed('user_invite', { email: 'eve@example.com', policies: ['desk-readers'] });
  await app.sql`update policies set statements = ${app.sql.json(widened)} where name = 'desk-readers'`;
  expect((await approve(byKey.id)).body.error?.message).toBe(
    'the policy changed since this was proposed: nothing was done; have the agent propose it again',
  );
  const byId = await proposed('user_invite', { email: 'eve@example.com', groups: [group.id] });
  await app.sql`insert into group_policies (group_id, policy_name) values (${group.id}, 'desk-readers')`;
  expect((await approve(byId.id)).body.error?.message).toBe(
    'the group, its members or its policies changed since this was proposed: nothing was done; have the agent propose it again',
  );
  await made('/api/work/projects', { key: 'KEYED', name: 'Keyed' }, 'project');
  const steps = [step('card', 'create_work_item', { project: 'KEYED', title: 'A card' })];
  const flow = { name: 'Cards', trigger: { kind: 'manual' }, steps };
  const card = await proposed('workflow_create', flow);
  await app.sql`update work_projects set revision = revision + 1 where key = 'KEYED'`;
  expect((await approve(card.id)).body.error?.message).toBe(
    'the project changed since this was proposed: nothing was done; have the agent propose it again',
  );
});
