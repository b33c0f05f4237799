// Entry points × operations × callers: every operation is tried on every route by every kind of caller, and the gate that must answer
// is looked up in a table written by hand (domain.md §4.1), not in the declarations that are tested.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import * as says from '../../src/kernel/sentences.ts';
import { fingerprint } from '../support/fingerprint.ts';
import {
  openTestApp,
  type RestClient,
  type TestApp,
  type TokenClient,
  type TokenWishes,
} from '../support/app.ts';

/** `caller`: anyone with a credential. `any`: every user's. `adm`: an administrator's. `ses` and `per` add a session, a person. */
type Class =
  | 'open'
  | 'caller'
  | 'never_token'
  | 'any'
  | 'adm'
  | 'adm_per'
  | 'own_ses'
  | 'adm_ses'
  | 'mint'
  | 'decide'
  | 'scripts'
  | 'wire'
  | 'any_wire';

const TABLE: Record<Class, string[]> = {
  open: ['auth_state', 'route_find'],
  caller: [
    'proposal_create',
    'proposal_get',
    'proposal_list',
    'proposal_rehearse',
    'proposal_withdraw',
    'rehearsal_create',
  ],
  never_token: [
    'auth_setup',
    'auth_login',
    'auth_logout',
    'auth_accept_invite',
    'auth_reset_request',
    'auth_reset',
    'auth_passkey_options',
  ],
  any: [
    'me_get',
    'me_may',
    'me_sessions',
    'me_passkeys',
    'notification_list',
    'notifications_read',
    'settings_get',
    'events_live',
    'project_list',
    'project_get',
    'project_board',
    'assignee_list',
    'item_list',
    'item_export',
    'item_create',
    'item_get',
    'item_update',
    'item_delete',
    'item_move',
    'item_claim',
    'claim_next',
    'item_release',
    'item_history',
    'comment_list',
    'comment_create',
    'comment_update',
    'comment_delete',
    'approval_list',
    'approval_get',
    'agent_list',
    'agent_tools',
    'model_list',
    'chat_stream',
    'chat_turn',
    'chat_stop',
    'chat_turn_list',
    'inbox_list',
    'inbox_counts',
    'inbox_labels',
    'thread_list',
    'thread_get',
    'thread_update',
    'thread_read',
    'touch_get',
    'touch_create',
    'thread_create',
    'thread_merge',
    'thread_split',
    'thread_attach',
    'attachment_get',
    'mail_search',
    'snippet_list',
    'snippet_create',
    'snippet_update',
    'snippet_delete',
    'answer_list',
    'answer_draft',
    'answer_attach',
    'answer_update',
    'answer_discard',
    'answer_take_back',
    'thread_reading',
    'workflow_list',
    'workflow_get',
    'workflow_kinds',
    'workflow_hosts',
    'workflow_secrets',
    'workflow_versions',
    'run_list',
    'run_export',
    'run_get',
    'run_step_get',
    'run_cancel',
    'run_retry',
    'run_cancel_many',
    'run_retry_many',
    'run_events',
    'instance_digest',
    'campaign_digest',
    'sequence_digest',
    'held_digest',
    'sending_digest',
    'replies_digest',
    'thread_digest',
    'person_digest',
    'deals_digest',
    'work_digest',
    'activity_digest',
    'today_get',
    'search_find',
  ],
  any_wire: ['answer_send'],
  adm: [
    'start_get',
    'script_operations',
    'settings_mail_get',
    'health_get',
    'form_list',
    'form_create',
    'form_update',
    'form_delete',
    'project_create',
    'project_update',
    'user_list',
    'user_export',
    'user_get',
    'user_invite_cancel',
    'user_disable',
    'group_list',
    'policy_list',
    'policy_explain',
    'token_list',
    'token_export',
    'token_delete',
    'audit_list',
    'audit_seal',
    'activity_list',
    'activity_export',
    'events_recent',
    'events_export',
    'events_webhook_get',
    'events_webhook_off',
    'events_redeliver',
    'events_redeliver_range',
    'people_import',
    'import_list',
    'import_get',
    'import_rollback',
    'import_rehearse',
    'bulk_start',
    'bulk_list',
    'bulk_get',
    'bulk_stop',
    'bulk_undo',
    'suppression_list',
    'suppression_export',
    'suppression_add',
    'send_list',
    'send_export',
    'send_read',
    'send_update',
    'send_return',
    'sends_unapprove',
    'send_reject',
    'send_cancel',
    'send_hold',
    'send_recheck',
    'letter_draft',
    'letter_create',
    'field_list',
    'field_replace',
    'person_list',
    'person_count',
    'person_create',
    'person_read',
    'person_update',
    'person_delete',
    'person_timeline',
    'person_note',
    'person_merge',
    'person_export',
    'company_list',
    'company_export',
    'company_create',
    'company_read',
    'company_update',
    'company_delete',
    'segment_list',
    'segment_create',
    'segment_count',
    'segment_update',
    'segment_delete',
    'segment_people',
    'deal_list',
    'deal_export',
    'deal_create',
    'deal_get',
    'deal_update',
    'deal_state',
    'deal_delete',
    'deal_history',
    'pipeline_get',
    'pipeline_replace',
    'pipeline_board',
    'campaign_list',
    'campaign_export',
    'campaign_create',
    'campaign_clone',
    'campaign_read',
    'campaign_update',
    'campaign_delete',
    'campaign_pause',
    'campaign_archive',
    'campaign_history',
    'campaign_preflight',
    'campaign_preview',
    'campaign_preview_draft',
    'campaign_days',
    'sequence_read',
    'sequence_save',
    'attachment_create',
    'template_list',
    'template_create',
    'template_update',
    'template_delete',
    'domain_list',
    'domain_create',
    'domain_read',
    'domain_update',
    'domain_records',
    'domain_evidence',
    'domain_check',
    'domain_pause',
    'domain_retire',
    'identity_list',
    'identity_read',
    'identity_update',
    'identity_test',
    'identity_deactivate',
    'identity_delete',
    'postal_address_list',
    'postal_address_create',
    'postal_address_delete',
    'prospect_list',
    'prospect_export',
    'prospect_read',
    'prospect_hold',
    'prospect_release',
    'prospect_remove',
    'prospect_spine',
    'campaign_spine',
    'provider_list',
    'provider_test',
    'agent_create',
    'agent_update',
    'agent_delete',
    'vendor_read',
    'vendor_webhook_remove',
    'deliveries_unplaced',
    'quarantine_list',
    'quarantine_read',
    'quarantine_place',
    'quarantine_dismiss',
    'quarantine_dismiss_many',
    'quarantine_rule_list',
    'quarantine_rule_create',
    'quarantine_rule_delete',
    'campaign_overview',
    'campaign_forecast',
    'outreach_stats',
    'capability_list',
    'capability_create',
    'capability_update',
    'capability_delete',
    'capability_refresh',
    'capability_disconnect',
    'workflow_create',
    'workflow_update',
    'workflow_delete',
    'workflow_activate',
    'workflow_deactivate',
    'run_start',
    'workflow_test',
  ],
  own_ses: [
    'auth_step_up',
    'me_update',
    'me_password',
    'me_totp',
    'me_totp_remove',
    'me_session_end',
    'view_list',
    'view_save',
    'view_rename',
    'view_delete',
    'passkey_options',
    'passkey_create',
    'passkey_delete',
    'recovery_codes',
  ],
  adm_ses: [
    'user_update',
    'group_create',
    'group_update',
    'group_delete',
    'policy_create',
    'policy_update',
    'policy_delete',
    'agent_allow',
    'settings_security',
    'settings_chat',
    'settings_workflows',
    'settings_mail',
    'settings_mail_clear',
    'settings_mail_test',
    'campaign_test_letter',
    'capability_connect',
    'capability_finish',
    'workflow_hosts_set',
    'workflow_secret_delete',
    'workflow_secret_set',
  ],
  adm_per: [
    'capability_consent',
    'person_erase',
    'sample_create',
    'sample_delete',
    'send_resolve',
    'sends_resolve',
    'start_dismiss',
  ],
  mint: ['token_mint'],
  decide: ['approval_decide', 'approvals_decide', 'approvals_undo'],
  scripts: ['script_run'],
  wire: [
    'send_approve',
    'sends_approve',
    'send_resend',
    'user_invite',
    'events_webhook_set',
    'events_secret_rotate',
    'suppression_lift',
    'campaign_activate',
    'campaign_review_policy',
    'campaign_no_human_review',
    'campaign_pool',
    'campaign_enrol',
    'bulk_enrol',
    'outreach_verify',
    'domain_resume',
    'identity_create',
    'identity_activate',
    'identity_probe',
    'provider_keys_save',
    'provider_keys_delete',
    'vendor_webhook_register',
    'vendor_webhook_rotate',
  ],
};

/** Whether these need wire is known once the body is read: a dry run does not, nor does a check without a letter. */
const FREE_BY_BODY = ['campaign_enrol', 'outreach_verify'];

type CallerKind =
  | 'nobody'
  | 'member'
  | 'admin'
  | 'member_token'
  | 'admin_token'
  | 'wire_token'
  | 'service'
  | 'key';

/** What the gate must answer: a status and code (and sentence where the specification fixes one), or null: no gate refuses. */
type Gate = { status: number; code: string; sentence?: string } | null;

const UNAUTHORIZED: Gate = { status: 401, code: 'unauthorized', sentence: says.UNAUTHORIZED };
const DENIED: Gate = { status: 403, code: 'policy_denied' };
const WIRE: Gate = { status: 403, code: 'wire_required', sentence: says.WIRE_REQUIRED };
const SCRIPTS: Gate = { status: 403, code: 'scripts_required', sentence: says.SCRIPTS_REQUIRED };
const SESSION: Gate = { status: 403, code: 'session_only' };
const PEOPLE: Gate = { status: 403, code: 'people_only' };
const MINT: Gate = { status: 403, code: 'token_cannot_mint', sentence: says.TOKEN_CANNOT_MINT };
const DECIDE: Gate = { status: 403, code: 'agent_turn', sentence: says.AGENT_DOES_NOT_DECIDE };

/** Tokens that carry the scope `scripts`. */
const SCRIPTED: CallerKind[] = ['wire_token', 'service'];
const TOKENS: CallerKind[] = ['member_token', 'admin_token', 'wire_token', 'service', 'key'];

function gateOf(kind: Class, caller: CallerKind, turn: 'direct' | 'agent'): Gate {
  const byToken = TOKENS.includes(caller);
  const isAdmin = ['admin', 'admin_token', 'wire_token', 'key'].includes(caller);
  if (kind === 'open') return null;
  if (kind === 'never_token') return byToken ? SESSION : null;
  if (caller === 'nobody') return UNAUTHORIZED;
  if (kind === 'caller') return null;
  const agent = turn === 'agent' || caller === 'service' || caller === 'key';
  if (kind === 'decide') return agent ? DECIDE : null;
  if (kind === 'adm_per') return agent ? PEOPLE : isAdmin ? null : DENIED;
  if (kind === 'mint') return byToken && caller !== 'key' ? MINT : isAdmin ? null : DENIED;
  if (kind === 'own_ses' || kind === 'adm_ses')
    return byToken ? SESSION : kind === 'own_ses' || isAdmin ? null : DENIED;
  if (kind === 'scripts' && byToken && !SCRIPTED.includes(caller)) return SCRIPTS;
  if (caller === 'service') return DENIED;
  if (kind === 'any_wire') return byToken && caller !== 'wire_token' ? WIRE : null;
  if (kind === 'any' || isAdmin) return kind === 'wire' && byToken && caller !== 'wire_token' ? WIRE : null;
  return DENIED;
}

const classOf = (name: string): Class | undefined =>
  (Object.keys(TABLE) as Class[]).find((kind) => TABLE[kind].includes(name));
const operations = features.flatMap((feature) => feature.operations.map(({ operation }) => operation));
const tools = features.flatMap((feature) => feature.tools ?? []);

test('every operation is in the table, and nothing else does', () => {
  expect(operations.map((op) => op.name).sort()).toEqual(Object.values(TABLE).flat().sort());
});

let app: TestApp;
let bare: TestApp;
const clients = new Map<CallerKind, { direct: RestClient; agent: TokenClient | null }>();

beforeAll(async () => {
  app = await openTestApp();
  bare = await openTestApp();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  const person = await app.person();
  // Two tokens of each kind: one that has never been on an agent's turn, and one for the agent's routes.
  const pair = async (wishes: TokenWishes) => ({
    direct: await app.token(wishes),
    agent: await app.token(wishes),
  });
  clients.set('nobody', { direct: app.bearer(null), agent: null });
  clients.set('member', { direct: person, agent: null });
  clients.set('admin', { direct: app.admin, agent: null });
  clients.set('member_token', await pair({ user_id: person.id }));
  clients.set('admin_token', await pair({}));
  clients.set('wire_token', await pair({ scopes: { wire: true, scripts: true } }));
  clients.set('service', await pair({ mode: 'service', scopes: { wire: true, scripts: true } }));
  // The key dies with the first minted token: it is tried on an instance that has minted none.
  clients.set('key', { direct: bare.bearer(bare.key), agent: bare.bearer(bare.key) });
});

afterAll(async () => {
  await app?.close();
  await bare?.close();
});

const KINDS: CallerKind[] = ['nobody', 'member', 'admin', ...TOKENS];
const appOf = (caller: CallerKind): TestApp => (caller === 'key' ? bare : app);

type Split = { path: string; query: Record<string, string>; body: Record<string, unknown> | undefined };

/** The operation's own example, laid out as a path, a query and a body. */
function example(op: AnyOperation): Split {
  const rest = { ...op.example } as Record<string, unknown>;
  const path = op.path.replace(/:([a-z_]+)/g, (_, key: string) => {
    const value = String(rest[key]);
    delete rest[key];
    return value;
  });
  const asQuery = op.method === 'GET';
  return {
    path,
    query: asQuery ? Object.fromEntries(Object.entries(rest).map(([k, v]) => [k, String(v)])) : {},
    body: asQuery ? undefined : rest,
  };
}

const refusedOn = (caller: CallerKind, turn: 'direct' | 'agent') =>
  operations
    .map((op) => ({ op, gate: gateOf(classOf(op.name) ?? 'open', caller, turn) }))
    .filter((each) => each.gate !== null);

describe('refused on every route, with the sentence, and nothing is written', () => {
  describe.each(KINDS)('%s', (caller) => {
    test('direct REST', async () => {
      const before = await fingerprint(appOf(caller));
      for (const { op, gate } of refusedOn(caller, 'direct')) {
        const { path, query, body } = example(op);
        const at = Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path;
        const answer = await clients.get(caller)!.direct.rest(op.method, at, body);
        expect({ op: op.name, status: answer.status, code: answer.body.error?.code }).toEqual({
          op: op.name,
          status: gate!.status,
          code: gate!.code,
        });
        if (gate!.sentence) expect(answer.body.error.message).toBe(gate!.sentence);
      }
      expect(await fingerprint(appOf(caller))).toBe(before);
    });

    test('a refusal comes before the body is read: a body that is no JSON changes nothing', async () => {
      for (const { op, gate } of refusedOn(caller, 'direct').filter(({ op }) => op.method !== 'GET')) {
        if (gate === WIRE && FREE_BY_BODY.includes(op.name)) continue;
        const answer = await clients.get(caller)!.direct.rest(op.method, example(op).path, '{not json');
        expect({ op: op.name, code: answer.body.error?.code }).toEqual({ op: op.name, code: gate!.code });
      }
    });
  });

  describe.each(TOKENS)('%s on an agent turn', (caller) => {
    test('api_request, admin_request, named tools and resources', async () => {
      const client = clients.get(caller)!.agent!;
      const before = await fingerprint(appOf(caller));
      for (const { op, gate } of refusedOn(caller, 'agent')) {
        // What streams, and chat whole, is no route of theirs (test/endpoint/paths.test.ts).
        if (!('json' in op.answers) || op.path.startsWith('/api/chat')) continue;
        const { path, query, body } = example(op);
        for (const tool of ['api_request', ...(path.startsWith('/api/admin/') ? ['admin_request'] : [])]) {
          const answer = await client.tool(tool, { method: op.method, path, query, ...(body && { body }) });
          expect(answer.isError, `${op.name} by ${tool}`).toBe(true);
          expect(answer.text).toMatch(new RegExp(`^HTTP ${gate!.status}: `));
          if (gate!.sentence) expect(answer.text).toBe(`HTTP ${gate!.status}: ${gate!.sentence}`);
        }
      }
      for (const tool of tools.filter((each) =>
        each.calls.every((op) => gateOf(classOf(op.name) ?? 'open', caller, 'agent') !== null),
      )) {
        const gate = gateOf(classOf(tool.calls[0]!.name) ?? 'open', caller, 'agent')!;
        const whole = gate === WIRE && FREE_BY_BODY.includes(tool.calls[0]!.name);
        const answer = await client.tool(tool.name, whole ? tool.example : {});
        expect(answer.isError, tool.name).toBe(true);
        if (gate.sentence) expect(answer.text).toBe(gate.sentence);
        else expect(answer.text).toContain('no policy lets');
      }
      if (gateOf('any', caller, 'agent')) {
        const read = await client.rpc('resources/read', { uri: 'service://work/OUT/board' });
        expect(read.error).toEqual({
          code: -32002,
          message: 'resource "service://work/OUT/board" could not be read: the route answered HTTP 403',
        });
      }
      expect(await fingerprint(appOf(caller))).toBe(before);
    });
  });
});

describe('refused from within a script, with the sentence, and nothing is written', () => {
  /** Every operation that an agent with this token is refused, tried from one script. */
  async function fromLua(caller: CallerKind, wishes: TokenWishes): Promise<void> {
    const token = await app.token({ ...wishes, scopes: { ...wishes.scopes, scripts: true } });
    const tried = refusedOn(caller, 'agent').filter(
      ({ op }) => 'json' in op.answers && op.name !== 'script_run',
    );
    const script = tried
      .map(({ op }) => `told[#told + 1] = { select(2, dunnock.try('${op.name}', ${lua(op.example)})) }`)
      .join('\n');
    const before = await fingerprint(app);
    const answer = await token.tool('run', { script: `local told = {}\n${script}\nreturn told` });
    expect(answer.json?.state, answer.text).toBe('finished');
    tried.forEach(({ op, gate }, i) => {
      const [sentence, code] = answer.json.result[i] as [string, string];
      expect({ op: op.name, code }).toEqual({ op: op.name, code: gate!.code });
      if (gate!.sentence) expect(sentence).toBe(gate!.sentence);
    });
    expect(await fingerprint(app)).toBe(before);
  }

  test('the sixteen acts, minting, decisions and rights by a token without wire', () =>
    fromLua('admin_token', {}));

  test('minting, decisions and rights by a token with every scope', () =>
    fromLua('wire_token', { scopes: { wire: true } }));
});

/** A value as Lua writes it. */
function lua(value: unknown): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `{ ${value.map(lua).join(', ')} }`;
  return `{ ${Object.entries(value)
    .map(([key, each]) => `[${JSON.stringify(key)}] = ${lua(each)}`)
    .join(', ')} }`;
}

describe('let through: no gate refuses whom the table admits', () => {
  // Sign-in and the like end or replace the session that calls, and are tried where they belong.
  const tried = operations.filter(
    (op) => !['open', 'never_token'].includes(classOf(op.name) ?? '') && !('stream' in op.answers),
  );
  // A script makes its token an agent's: whatever differs for a person comes before it.
  tried.sort((a, b) => Number(classOf(a.name) === 'scripts') - Number(classOf(b.name) === 'scripts'));
  const GATES = [
    'policy_denied',
    'wire_required',
    'scripts_required',
    'session_only',
    'token_cannot_mint',
    'agent_turn',
    'people_only',
    'step_up_required',
  ];

  test.each(KINDS.filter((caller) => caller !== 'nobody'))('%s', async (caller) => {
    for (const op of tried.filter((each) => gateOf(classOf(each.name)!, caller, 'direct') === null)) {
      const { path, query, body } = example(op);
      const at = Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path;
      const answer = await clients.get(caller)!.direct.rest(op.method, at, body);
      expect(answer.status, `${op.name}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
      expect(answer.status, op.name).not.toBe(401);
      // Of what names another act it is that act's own refusal.
      if (answer.status === 403 && classOf(op.name) !== 'caller')
        expect(GATES, `${op.name}: ${JSON.stringify(answer.body)}`).not.toContain(answer.body.error.code);
    }
  });
});

describe('what was refused is in the audit log', () => {
  test('each refusal of a known caller names token, principal, act and surface', async () => {
    const token = clients.get('admin_token')!.agent!;
    // What was refused above within this minute is counted together (kernel/failures.ts).
    app.clock.advance(60_000);
    await token.tool('api_request', {
      method: 'POST',
      path: '/api/admin/users/invite',
      body: { email: 'x@example.com' },
    });
    const [row] = (await app.admin.rest('GET', '/api/admin/audit?act=user_invite&outcome=refused&limit=1'))
      .body.items;
    expect(row).toMatchObject({
      act: 'user_invite',
      outcome: 'refused',
      code: 'wire_required',
      sentence: says.WIRE_REQUIRED,
      surface: 'mcp',
      turn: 'agent',
      principal: { kind: 'agent', name: token.name },
      token: { id: token.id, name: token.name },
    });
  });
});
