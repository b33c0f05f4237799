// Proposals through the entry points: proposed, read, decided, performed once, returned, replaced, withdrawn and expired.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalOf, decide, newItem, newProject, sentence } from '../../../../test/support/board.ts';
import { activate, enrolled, O, readyCampaign } from '../../../../test/support/campaigns.ts';
import { fingerprint } from '../../../../test/support/fingerprint.ts';
import {
  openTestApp,
  type PersonClient,
  type TestApp,
  type TokenClient,
} from '../../../../test/support/app.ts';
import { WIRE_REQUIRED } from '../../../kernel/sentences.ts';

let app: TestApp;
let dana: PersonClient;
let scout: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  dana = await app.person({ name: 'Dana Roe' });
  scout = await app.token({ name: 'scout' });
});
afterAll(() => app.close());

const stateOf = async (campaign: string): Promise<string> =>
  (await app.admin.rest('GET', `${O}/campaigns/${campaign}`)).body.campaign.state;
const propose = async (args: Record<string, unknown>, by: TokenClient = scout) => {
  const { isError, text, json } = await by.tool('propose', { why: 'It is ready.', ...args });
  if (isError) throw new Error(text);
  return { ...json, rehearsal: json.proposal.rehearsal };
};
const actOf = async (approval: string) => {
  const { act } = await approvalOf(app.admin, approval);
  if (!act) throw new Error('an approval without its act');
  return act;
};
const approve = async (proposal: { approval_id: string }) => {
  const { revision } = (await approvalOf(app.admin, proposal.approval_id)).subject;
  return decide(app.admin, proposal.approval_id, 'approve', { revision });
};
const proposalOf = async (id: string) => (await scout.rest('GET', `/api/proposals/${id}`)).body.proposal;

test('an agent without wire proposes what it is refused, a person signs it, and it learns what came of it', async () => {
  const { id: campaign } = await readyCampaign(app);
  await enrolled(app, campaign);
  expect(sentence(await activate(scout, campaign))).toBe(WIRE_REQUIRED);
  const before = await fingerprint(app);
  const { proposal, rehearsal, repeated } = await propose({
    act: 'campaign_activate',
    arguments: { campaign },
  });
  expect([proposal.act, proposal.state, repeated ?? false]).toEqual(['campaign_activate', 'waiting', false]);
  expect(proposal.sign_at).toMatch(new RegExp(`/approvals\\?open=${proposal.approval_id}$`));
  expect(rehearsal).toMatchObject({ act: 'campaign_activate', rehearsed: true, needs: ['wire'] });
  expect(rehearsal.would.status).toBe(200);
  expect(rehearsal.changes).toContainEqual({ what: 'campaign changed', count: 1 });
  expect(await stateOf(campaign)).toBe('draft');
  expect(await fingerprint(app)).not.toEqual(before);

  const act = await actOf(proposal.approval_id);
  expect(act).toMatchObject({ operation: 'campaign_activate', why: 'It is ready.', origin: 'token' });
  expect(act.effect).toContain('campaign changed');
  expect(act.things).toEqual({ campaign: expect.any(String) });
  const approved = await approve(proposal);
  expect(approved.status, sentence(approved)).toBe(200);
  expect(await stateOf(campaign)).toBe('active');
  expect(await proposalOf(proposal.id)).toMatchObject({ state: 'done', note: null });
  const mine = (await scout.rest('GET', '/api/proposals?mine=true&state=done')).body.items;
  expect(mine.map(({ id }: { id: string }) => id)).toContain(proposal.id);
});

test('a rehearsal changes no row but one of the audit log, and says which gate is in the way', async () => {
  const { id: campaign } = await readyCampaign(app);
  const narrow = await app.token({ name: 'narrow', mode: 'service', policies: ['work-agent'] });
  const before = await fingerprint(app);
  const rows = async () => (await app.sql`select act from audit where rehearsed`).length;
  const audited = await rows();
  const rehearse = async (by: TokenClient | PersonClient, act: string, args: Record<string, unknown>) =>
    (await by.rest('POST', '/api/rehearsals', { act, arguments: args })).body;
  expect((await rehearse(scout, 'campaign_activate', { campaign })).rehearsal).toMatchObject({
    needs: ['wire'],
    refused: null,
  });
  expect((await rehearse(narrow, 'campaign_activate', { campaign })).rehearsal).toMatchObject({
    would: null,
    refused: { status: 403, code: 'policy_denied' },
  });
  const unready = await rehearse(scout, 'campaign_activate', {
    campaign: '0198c0de-0000-7000-8000-000000000999',
  });
  expect(unready.rehearsal.refused).toMatchObject({ status: 404, code: 'not_found' });
  expect((await rehearse(scout, 'item_list', {})).error.message).toContain('only reads');
  expect(await rows()).toBe(audited + 3);
  expect(await fingerprint(app)).toBe(before);
});

test('what changed since it was proposed is not performed', async () => {
  const { id: campaign, revision } = await readyCampaign(app);
  const { proposal } = await propose({ act: 'campaign_activate', arguments: { campaign } });
  const changed = await app.admin.rest('PATCH', `${O}/campaigns/${campaign}`, {
    revision,
    name: 'Another name',
  });
  expect(changed.status, sentence(changed)).toBe(200);
  const refused = await approve(proposal);
  expect([refused.status, sentence(refused)]).toEqual([
    409,
    expect.stringContaining('changed since this was proposed'),
  ]);
  expect(await stateOf(campaign)).toBe('draft');
  // Returned with a note, it is replaced by another, and the first is closed.
  const { revision: shown } = (await approvalOf(app.admin, proposal.approval_id)).subject;
  expect(
    (await decide(app.admin, proposal.approval_id, 'return', { revision: shown, note: 'Rename it' })).status,
  ).toBe(200);
  expect(await proposalOf(proposal.id)).toMatchObject({ state: 'returned', note: 'Rename it' });
  const next = await propose({ act: 'campaign_activate', arguments: { campaign }, supersedes: proposal.id });
  expect(next.proposal.supersedes).toBe(proposal.id);
  const third = await propose({
    act: 'campaign_activate',
    arguments: { campaign },
    supersedes: next.proposal.id,
  });
  expect((await proposalOf(next.proposal.id)).state).toBe('superseded');
  expect((await approve(next.proposal)).status).toBe(409);
  expect((await approve(third.proposal)).status).toBe(200);
});

test('a plan is rehearsed in one piece, signed once and performed in order', async () => {
  const { key } = await newProject(app);
  const steps = [
    { act: 'item_create', arguments: { project: key, title: 'Call them' } },
    { act: 'comment_create', arguments: { item_id: { $from: 'steps.0.item.id' }, text: 'About the bridge' } },
    {
      act: 'item_update',
      arguments: { item_id: { $from: 'steps.0.item.id' }, revision: 1, labels: ['calls'] },
    },
  ];
  const asked = await scout.tool('propose', { steps, why: 'A call and why.' });
  expect(asked.isError, asked.text).toBe(false);
  const { proposal } = asked.json;
  const { rehearsal } = proposal;
  expect(rehearsal).toMatchObject({ act: 'plan', rehearsed: true });
  expect(rehearsal.steps).toHaveLength(3);
  expect(await app.sql`select 1 from work_items where title = 'Call them'`).toHaveLength(0);
  const { subject } = await approvalOf(app.admin, proposal.approval_id);
  const { steps: shown } = await actOf(proposal.approval_id);
  expect([shown?.length, subject.title]).toEqual([3, 'A plan of 3 acts']);
  const approved = await approve(proposal);
  expect(approved.status, sentence(approved)).toBe(200);
  const [card] = await app.sql`select id, labels from work_items where title = 'Call them'`;
  expect(card?.['labels']).toEqual(['calls']);
  expect(await app.sql`select text from work_comments where item_id = ${card?.['id']}`).toHaveLength(1);
  expect(await proposalOf(proposal.id)).toMatchObject({ state: 'done', steps_done: 3 });
  // A reference that leads nowhere, a step that would be refused and an act that is never proposed are told by their step.
  const bad = async (at: number, step: unknown) =>
    (await scout.tool('propose', { steps: steps.map((each, i) => (i === at ? step : each)), why: 'x' })).text;
  expect(
    await bad(1, { act: 'comment_create', arguments: { item_id: { $from: 'steps.1.item.id' }, text: 'x' } }),
  ).toContain('steps.1: ');
  expect(await bad(2, { act: 'token_mint', arguments: {} })).toContain('steps.2: minting, permissions');
  expect(
    await bad(2, {
      act: 'item_update',
      arguments: { item_id: { $from: 'steps.0.item.id' }, revision: 7, title: 'x' },
    }),
  ).toContain('steps.2: ');
});

test('what a policy lets be proposed is refused, proposed and performed by whoever signs', async () => {
  const { key } = await newProject(app);
  const item = await newItem(app.admin, key);
  const statements = [
    { effect: 'allow', actions: ['work.*', 'account.read'], resources: ['*'] },
    { effect: 'propose', actions: ['work.item.delete'], resources: ['*'] },
  ];
  expect(
    (await app.admin.rest('POST', '/api/admin/policies', { name: 'careful', version: 1, statements })).status,
  ).toBe(201);
  const careful = await app.token({ name: 'careful', mode: 'service', policies: ['careful'] });
  const refused = await careful.rest('DELETE', `/api/work/items/${item.id}`);
  expect([refused.status, sentence(refused)]).toEqual([403, 'a person signs this: use propose']);
  const { proposal, rehearsal } = await propose(
    { act: 'item_delete', arguments: { item_id: item.id } },
    careful,
  );
  expect(rehearsal.needs).toEqual(['person']);
  expect((await approve(proposal)).status).toBe(200);
  expect(await app.sql`select 1 from work_items where id = ${item.id}`).toHaveLength(0);
  const explained = await app.admin.rest('POST', '/api/admin/policies/explain', {
    principal: { kind: 'token', id: careful.id },
    action: 'work.item.delete',
  });
  expect(explained.body).toMatchObject({ allowed: false, by: 'propose', policy: 'careful' });
});

test('no one proposes rights, decisions, turns, reads or files, nor decides what they proposed', async () => {
  const refused: [string, string][] = [
    ['token_mint', 'minting, permissions'],
    ['policy_create', 'minting, permissions'],
    ['me_password', 'minting, permissions'],
    ['approval_decide', 'a person'],
    ['chat_turn', 'chat turns can’t be proposed'],
    ['person_export', 'streams and files'],
    ['item_list', 'only reads'],
    ['proposal_withdraw', 'proposals can’t be proposed'],
    ['no_such_act', 'no act has that name'],
  ];
  for (const [act, says] of refused) {
    const { isError, text } = await scout.tool('propose', { act, arguments: {}, why: 'x' });
    expect([isError, text], act).toEqual([true, expect.stringContaining(says)]);
  }
  const { id: campaign } = await readyCampaign(app);
  const { proposal } = await propose({ act: 'campaign_activate', arguments: { campaign } });
  expect(
    (
      await scout.tool('approval_decide', {
        approval_id: proposal.approval_id,
        decision: 'approve',
        revision: 1,
      })
    ).isError,
  ).toBe(true);
  const anyone = await fetch(`${app.url}/api/proposals`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ act: 'campaign_activate', arguments: { campaign }, why: 'x' }),
  });
  expect(anyone.status).toBe(401);
  // It is another's business only where they may read the approval and do the act.
  expect((await dana.rest('GET', `/api/proposals/${proposal.id}`)).status).toBe(404);
  expect((await app.admin.rest('GET', `/api/proposals/${proposal.id}`)).status).toBe(200);
});

test('a repeated call gets the first answer, by its key or within ten minutes', async () => {
  const { id: campaign } = await readyCampaign(app);
  const asked = { act: 'campaign_activate', arguments: { campaign } };
  const first = await propose({ ...asked, key: 'one' });
  const again = await propose({ ...asked, key: 'one' });
  expect([again.proposal.id, again.repeated]).toEqual([first.proposal.id, true]);
  const other = await scout.tool('propose', {
    ...asked,
    arguments: { campaign, seen: 'x' },
    why: 'It is ready.',
    key: 'one',
  });
  expect(other.text).toContain('that key was used for another proposal');
  const plain = await propose(asked);
  expect((await propose(asked)).proposal.id).toBe(plain.proposal.id);
  expect((await propose({ ...asked, again: true })).proposal.id).not.toBe(plain.proposal.id);
});

test('its proposer withdraws it, and time closes it', async () => {
  const { id: campaign } = await readyCampaign(app);
  const one = await propose({ act: 'campaign_activate', arguments: { campaign } });
  expect(
    (await scout.rest('POST', `/api/proposals/${one.proposal.id}/withdraw`, {})).body.proposal.state,
  ).toBe('withdrawn');
  expect((await scout.rest('POST', `/api/proposals/${one.proposal.id}/withdraw`, {})).status).toBe(409);
  expect((await approve(one.proposal)).status).toBe(409);
  const two = await propose({ act: 'campaign_activate', arguments: { campaign }, expires_in_hours: 1 });
  app.clock.advance(61 * 60_000);
  expect((await proposalOf(two.proposal.id)).state).toBe('expired');
  expect(sentence(await approve(two.proposal))).toContain('has expired');
  await app.instance.jobs.run('proposals');
  expect((await approvalOf(app.admin, two.proposal.approval_id)).state).toBe('withdrawn');
  expect((await activate(app.admin, campaign)).status).toBe(200);
});
