// What is approved is what was shown: a proposed act is bound to everything that it names, and letters are shown whole.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endOf, openChatApp, stream, type ChatApp } from '../../../../../test/support/chat.ts';
import type { TestApp } from '../../../../../test/support/app.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  O,
  somebody,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';
import type { ModelStub } from '../../../../../test/support/model.ts';
import { proposing, type Proposing } from '../../../../../test/support/proposing.ts';
import { savedBy, step } from '../../../../../test/support/workflows.ts';

let desk: ChatApp;
let app: TestApp;
let model: ModelStub;
let campaign: TestCampaign;
let proposed: Proposing['proposed'];
let approve: Proposing['approve'];
let enrolled: Proposing['enrolled'];
let aSegment: Proposing['aSegment'];
let tagged: Proposing['tagged'];
const CRM = '/api/admin/crm';

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

const read = async (id: string) => (await app.admin.rest('GET', `/api/approvals/${id}`)).body.approval;

test('hole A5a: a proposal to enrol a segment enrols whom it had when it was proposed, or no one', async () => {
  await tagged('early');
  const segment = await aSegment('early');
  const before = await enrolled();
  // Someone comes in, and the filter stays.
  const first = await proposed('campaign_enrol', { campaign: campaign.id, segment: segment.id });
  expect((await read(first.id)).act.changed).toBeNull();
  await tagged('early');
  const says =
    'the list of people in the segment, or an address in it, changed since this was proposed: nothing was done; have the agent propose it again';
  expect((await read(first.id)).act.changed).toBe(says);
  const refused = await approve(first.id);
  expect([refused.status, refused.body.error.message]).toEqual([409, says]);
  expect([await enrolled(), (await read(first.id)).state]).toEqual([before, 'pending']);
  // Proposed again it waits once, as it is now, and an address that changes counts as well.
  const second = await proposed(
    'campaign_enrol',
    { campaign: campaign.id, segment: segment.id },
    { thread_id: first.thread_id },
  );
  expect((await read(first.id)).state).toBe('superseded');
  await app.sql`update person_addresses set hash = 'other' where person_id in (select id from people where 'early' = any(tags))`;
  expect((await approve(second.id)).status).toBe(409);
  const third = await proposed(
    'campaign_enrol',
    { campaign: campaign.id, segment: segment.id },
    { thread_id: first.thread_id },
  );
  // Widened by someone else.
  const wide = { revision: segment.revision, filter: { all: [{ field: 'tags', op: 'set' }] } };
  expect((await app.admin.rest('PATCH', `${CRM}/segments/${segment.id}`, wide)).status).toBe(200);
  expect((await approve(third.id)).body.error.message).toContain(
    'the segment changed since this was proposed',
  );
  expect(await enrolled()).toBe(before);
});

test('hole A5a: nothing that changed meanwhile is what the act is done to', async () => {
  await tagged('later');
  const segment = await aSegment('later');
  const made = await proposed('campaign_enrol', { campaign: campaign.id, segment: segment.id });
  await app.sql`update campaigns set sequence_revision = sequence_revision + 1 where id = ${campaign.id}`;
  const refused = await approve(made.id);
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    'the campaign, its steps or its senders changed since this was proposed: nothing was done; have the agent propose it again',
  ]);
  const again = await proposed(
    'campaign_enrol',
    { campaign: campaign.id, segment: segment.id },
    { thread_id: made.thread_id },
  );
  const before = await enrolled();
  expect((await approve(again.id)).status).toBe(200);
  expect(await enrolled()).toBe(before + 1);
  // What is gone is said to be gone.
  const person = await somebody(app);
  const gone = await proposed('person_delete', { person: person.id });
  await app.sql`delete from person_addresses where person_id = ${person.id}`;
  await app.sql`delete from people where id = ${person.id}`;
  expect((await approve(gone.id)).body.error.message).toContain(
    'the person or their address was deleted after this was proposed',
  );
});

test('hole A5a: a proposal from before anything was saved of what it names is to be proposed again', async () => {
  const person = await somebody(app);
  const { id } = await proposed('person_delete', { person: person.id });
  await app.sql`update proposals set bound = null where approval_id = ${id}`;
  const refused = await approve(id);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
  expect(await app.sql`select 1 from people where id = ${person.id}`).toHaveLength(1);
});

test('hole A5c: letters are shown whole before they are approved, to whoever may read them', async () => {
  const { send_id, person } = await aLetter(app, campaign);
  const { fingerprint, text, subject } = (await app.admin.rest('GET', `${O}/sends/${send_id}`)).body.send;
  const { id } = await proposed('sends_approve', { sends: [{ id: send_id, fingerprint }] });
  const { act } = await read(id);
  expect(act.letters).toEqual([
    {
      id: send_id,
      to: [person.address],
      from: expect.stringContaining('Ada Operator'),
      subject,
      text,
      fingerprint,
    },
  ]);
  expect(act.letters[0].text).toContain('we saw your bridge');
  const policy = {
    version: 1,
    name: 'approves-unread',
    statements: [{ effect: 'allow', actions: ['approval.*', 'outreach.send.approve'], resources: ['*'] }],
  };
  expect((await app.admin.rest('POST', '/api/admin/policies', policy)).status).toBe(201);
  const blind = await app.person({ policies: ['approves-unread'] });
  const shown = (await blind.rest('GET', `/api/approvals/${id}`)).body.approval;
  expect(shown.act.letters).toEqual([]);
  // A list is short.
  const [listed] = (await app.admin.rest('GET', '/api/approvals?kind=chat_action')).body.items.filter(
    (each: { id: string }) => each.id === id,
  );
  expect(listed.act).toMatchObject({ letters: null, seen: null });
});

test('hole A5c: what a screen showed travels with the decision', async () => {
  const { send_id } = await aLetter(app, campaign);
  const letter = async () => (await app.admin.rest('GET', `${O}/sends/${send_id}`)).body.send;
  const { fingerprint } = await letter();
  const { id, thread_id } = await proposed('send_approve', { send: send_id, fingerprint });
  const { seen } = (await read(id)).act;
  const { revision } = await letter();
  const edited = await app.admin.rest('PATCH', `${O}/sends/${send_id}`, { revision, text: 'Buy now.' });
  expect(edited.status, JSON.stringify(edited.body)).toBe(200);
  const refused = await approve(id, { seen });
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    'this approval changed since you read it: read it again, then decide',
  ]);
  expect((await approve(id)).body.error.message).toContain('the letter changed since this was proposed');
  expect((await letter()).state).toBe('review');
  const now = await letter();
  const again = await proposed(
    'send_approve',
    { send: send_id, fingerprint: now.fingerprint },
    { thread_id },
  );
  const { act } = await read(again.id);
  expect([act.letters[0].text, act.changed]).toEqual(['Buy now.', null]);
  expect((await approve(again.id, { seen: act.seen })).status).toBe(200);
  expect((await letter()).state).not.toBe('review');
});

test('deleting another token is another act: each is shown, and neither takes the place of the other', async () => {
  const [one, other] = [await app.token(), await app.token()];
  const first = await proposed('token_delete', { token: one.id });
  const second = await proposed('token_delete', { token: other.id }, { thread_id: first.thread_id });
  expect((await read(first.id)).act.arguments).toEqual({ token: one.id });
  expect([(await read(first.id)).state, (await read(second.id)).state]).toEqual(['pending', 'pending']);
  const again = await proposed('token_delete', { token: one.id }, { thread_id: first.thread_id });
  expect([(await read(first.id)).state, (await read(again.id)).state]).toEqual(['superseded', 'pending']);
});

test('acts that differ in a secret alone are two acts, and the secret is not shown', async () => {
  const secret = 'b3b0c0de-0000-4000-8000-0123456789ab';
  const keys = (api_key: string) => ({ provider: 'anthropic', keys: { api_key } });
  const first = await proposed('provider_keys_save', keys('sk-one-0123456789'));
  const second = await proposed('provider_keys_save', keys(secret), { thread_id: first.thread_id });
  expect([(await read(first.id)).state, (await read(second.id)).state]).toEqual(['pending', 'pending']);
  expect(JSON.stringify(await read(second.id))).not.toContain(secret);
});

test('a proposed activation is for what the steps name as it was then: a segment widened since refuses it', async () => {
  const segment = await aSegment('narrow');
  const enrol = step('enrol', 'enrol', { campaign: campaign.id, segment: segment.id });
  const workflow = await savedBy(app.admin, [enrol]);
  const args = { workflow: workflow.id, revision: workflow.revision };
  const first = await proposed('workflow_activate', args);
  expect((await read(first.id)).act.changed).toBeNull();
  const wide = { revision: segment.revision, filter: { all: [{ field: 'tags', op: 'set' }] } };
  const token = await app.token();
  expect((await token.rest('PATCH', `${CRM}/segments/${segment.id}`, wide)).status).toBe(200);
  const refused = await approve(first.id);
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    'the workflow or what its steps name changed since this was proposed: nothing was done; have the agent propose it again',
  ]);
  const again = await proposed('workflow_activate', args, { thread_id: first.thread_id });
  const approved = await approve(again.id);
  expect(approved.status, JSON.stringify(approved.body)).toBe(200);
});

test('whoever may not read a segment proposes to enrol no one of it', async () => {
  const segment = await aSegment('hidden');
  const policy = {
    version: 1,
    name: 'enrols-unread',
    statements: [{ effect: 'allow', actions: ['chat.*', 'outreach.*', 'crm.person.*'], resources: ['*'] }],
  };
  expect((await app.admin.rest('POST', '/api/admin/policies', policy)).status).toBe(201);
  const blind = await app.person({ policies: ['enrols-unread'] });
  const args = { campaign: campaign.id, segment: segment.id };
  model.next.push(
    { calls: [{ name: 'call_operation', input: { operation: 'campaign_enrol', arguments: args } }] },
    { text: 'I may not.' },
  );
  const end = endOf(await stream(app, blind, { message: 'Enrol them' }));
  expect(end.pending).toEqual([]);
  expect(JSON.stringify(model.asked.at(-1)?.body.messages.at(-1))).toContain('no segment has that id');
});
