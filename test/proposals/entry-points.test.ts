// Every act on the wire, proposed by a token without the scope through every entry point: none is performed before a person signs,
// each is proposed, and the act itself stays refused with its one sentence.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import { GATED_BESIDE, type GatedAct, WIRE_ACTS } from '../../src/kernel/acts.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { readLimits } from '../../src/kernel/limits.ts';
import { WIRE_REQUIRED } from '../../src/kernel/sentences.ts';
import { type Args, argumentsOf } from '../support/act-arguments.ts';
import { openTestApp, type TestApp, type TokenClient } from '../support/app.ts';
import { readyCampaign } from '../support/campaigns.ts';
import { recordsDesk, type RecordsDesk } from '../support/desks.ts';
import { aDesk } from '../support/letters.ts';
import { approvalOf, decide } from '../support/board.ts';

let app: TestApp;
let desk: RecordsDesk;
let agent: TokenClient;
let scripter: TokenClient;
const FREE: Record<string, Args> = {};

beforeAll(async () => {
  app = await openTestApp({
    baseUrl: 'https://desk.example',
    lookup: async () => [],
    limits: readLimits('run=1000/m'),
  });
  agent = await app.token({ name: 'scout' });
  scripter = await app.token({ name: 'lua', scopes: { scripts: true } });
  desk = await recordsDesk(app, agent, 'Quay');
  const { id: campaign } = await readyCampaign(app);
  const other = await aDesk(app, 'other.example');
  await app.sql`update identities set active = false where id = ${other.identity_id}`;
  const talk = desk.named['thread'];
  const drafted = await app.admin.rest('POST', `/api/threads/${talk}/answers`, { text: 'Dear Ann, yes.' });
  expect(drafted.status, JSON.stringify(drafted.body)).toBe(201);
  const { answer } = drafted.body;
  const added = await app.admin.rest('POST', '/api/admin/outreach/suppressions', {
    address: 'out@quay.example',
    reason: 'manual',
  });
  expect(added.status, JSON.stringify(added.body)).toBeLessThan(300);
  const [{ id: suppression } = { id: '' }] = await app.sql<
    { id: string }[]
  >`select id from suppressions order by created_at desc limit 1`;
  const keys = { api_key: 're_0123456789abcdef' };
  const saved = await app.admin.rest('PUT', '/api/admin/providers/resend/keys', { keys });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const [own] = await app.sql<
    { name: string }[]
  >`select name from domains where id = ${String(desk.named['domain'])}`;
  const paused = await aDesk(app, 'paused.example');
  await app.sql`update domains set state = 'paused', paused_by = 'person', paused_reason = 'asked', paused_at = now() where id = ${paused.domain_id}`;
  Object.assign(FREE, {
    campaign_activate: { campaign },
    outreach_verify: { addresses: ['ann@quay.example'], action: 'send', identity_id: desk.named['identity'] },
    answer_send: { thread: talk, answer: answer.id, fingerprint: answer.fingerprint },
    suppression_lift: { suppression },
    provider_keys_delete: { provider: 'resend' },
    identity_create: { address: `new@${own?.name}` },
    identity_activate: { identity: other.identity_id },
    domain_resume: { domain: paused.domain_id },
  });
});
afterAll(() => app?.close());

const gated = features
  .flatMap((each) => each.operations.map(({ operation }) => operation))
  .filter((operation) => operation.wire !== 'never');
const actOf = ({ wire }: AnyOperation): GatedAct | null => (wire === 'never' ? null : wire.act);

type Door = (act: string, args: Args) => Promise<{ id: string | null; says: string }>;

const answered = (json: any, says: string): { id: string | null; says: string } => ({
  id: json?.proposal?.id ?? null,
  says,
});
const body = (act: string, args: Args) => ({ act, arguments: args, why: 'It is time.', again: true });

const DOORS: Record<string, Door> = {
  mcp: async (act, args) => {
    const { json, text } = await agent.tool('propose', body(act, args));
    return answered(json, text);
  },
  rest: async (act, args) => {
    const answer = await agent.rest('POST', '/api/proposals', body(act, args));
    return answered(answer.body, String(answer.body.error?.message));
  },
  api_request: async (act, args) => {
    const { json, text } = await agent.tool('api_request', {
      method: 'POST',
      path: '/api/proposals',
      body: body(act, args),
    });
    return answered(json, text);
  },
  lua: async (act, args) => {
    const { json, text } = await scripter.tool('run', {
      script: `return dunnock.call('proposal_create', ${lua(body(act, args))})`,
    });
    return answered(json?.result, text);
  },
};

/** A value as Lua writes it. */
function lua(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(lua).join(', ')}}`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, each]) => `[${lua(key)}] = ${lua(each)}`)
      .join(', ')}}`;
  return value === null ? 'nil' : JSON.stringify(value);
}

const performed = async (): Promise<number> =>
  (
    await app.sql`
      select 1 from audit where act = any(${gated.map(({ name }) => name)}::text[]) and outcome = 'done' and not rehearsed
        and (token_id = ${agent.id} or token_id = ${scripter.id})`
  ).length;

test.each(Object.keys(DOORS))('all of them by %s', async (door) => {
  const proposed = new Map<GatedAct, string[]>();
  const refused: string[] = [];
  for (const operation of gated) {
    const act = actOf(operation) as GatedAct;
    const args = { ...(await argumentsOf(app, desk, operation)), ...FREE[operation.name] };
    const { id, says } = await (DOORS[door] as Door)(operation.name, args);
    if (id === null) refused.push(`${operation.name}: ${says}`);
    else proposed.set(act, [...(proposed.get(act) ?? []), id]);
  }
  expect(
    [...WIRE_ACTS, 'verify.send'].filter((act) => !proposed.has(act as GatedAct)),
    refused.join('\n'),
  ).toEqual([]);
  expect(await performed()).toBe(0);
  expect(GATED_BESIDE).toContain('verify.send');
  // A proposer has 50 that wait, and no more.
  const by = door === 'lua' ? scripter : agent;
  for (const id of [...proposed.values()].flat())
    expect((await by.rest('POST', `/api/proposals/${id}/withdraw`, {})).status).toBe(200);
});

test('the act itself is refused as before', async () => {
  for (const operation of gated.filter(({ wire }) => wire !== 'never' && !wire.when)) {
    const args = await argumentsOf(app, desk, operation);
    const path = operation.path.replace(/:([a-z_]+)/g, (_, key: string) => String(args[key]));
    const answer = await agent.rest(operation.method, path, operation.method === 'GET' ? undefined : args);
    if (answer.body.error?.code !== 'session_only' && answer.body.error?.code !== 'people_only')
      expect([operation.name, answer.body.error?.message]).toEqual([operation.name, WIRE_REQUIRED]);
  }
});

test('what was proposed and is not the same any more is not performed', async () => {
  const { id: campaign } = await readyCampaign(app);
  const { json } = await agent.tool('propose', body('campaign_activate', { campaign }));
  const { id, approval_id } = json.proposal;
  const stored = async () =>
    (await app.sql<{ arguments: string }[]>`select arguments from proposals where id = ${id}`)[0]
      ?.arguments ?? '';
  const before = await stored();
  // One changed byte of what is sealed.
  const changed = before.slice(0, -2) + (before.at(-2) === 'A' ? 'B' : 'A') + before.at(-1);
  await app.sql`update proposals set arguments = ${changed} where id = ${id}`;
  const { revision } = (
    await app.sql<
      { revision: number }[]
    >`select subject_revision as revision from approvals where id = ${approval_id}`
  )[0] as { revision: number };
  const answer = await decide(app.admin, approval_id, 'approve', { revision });
  expect(answer.status).not.toBe(200);
  await app.sql`update proposals set arguments = ${before} where id = ${id}`;
  expect((await decide(app.admin, approval_id, 'approve', { revision: revision + 1 })).status).toBe(409);
  const { seen } = (await approvalOf(app.admin, approval_id)).act ?? {};
  expect(
    (
      await app.admin.rest('POST', `/api/approvals/${approval_id}/decide`, {
        decision: 'approve',
        revision,
        seen: `${seen}x`,
      })
    ).status,
  ).toBe(409);
  expect(await app.sql`select 1 from campaigns where id = ${campaign} and state = 'draft'`).toHaveLength(1);
});

test('of two who sign at once one performs it', async () => {
  const { id: campaign } = await readyCampaign(app);
  const { json } = await agent.tool('propose', body('campaign_activate', { campaign }));
  const other = await app.person({ name: 'Ben Low', admin: true });
  const sign = (by: typeof other) =>
    by.rest('POST', `/api/approvals/${json.proposal.approval_id}/decide`, {
      decision: 'approve',
      revision: 1,
    });
  const both = await Promise.all([sign(other), sign(app.admin)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const done = await app.sql`
    select 1 from audit where act = 'campaign_activate' and outcome = 'done' and not rehearsed and resource like ${`%${campaign}%`}`;
  expect(done).toHaveLength(1);
});
