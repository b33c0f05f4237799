// What an agent of this instance does and what it proposes, written by hand for every operation that writes: a new one is put
// here before it ships. The same for what takes away an agent's allowance: which operations answer nothing that an outsider
// may have written.
import { describe, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import { allowable, answersOutsiders } from '../../src/features/automation/agents/proposed.rules.ts';
import { rulingOn } from '../../src/features/automation/chat/act/acts.rules.ts';
import type { Caller } from '../../src/kernel/caller.ts';
import { BOUND_KINDS } from '../../src/features/work/proposals/bound.rules.ts';
import { type AnyOperation, pathKeys } from '../../src/kernel/operation.ts';

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean).toSorted();

/** Done in the turn: they prepare, record, stop or can be undone. */
const DONE = words(`
  answer_attach answer_draft answer_take_back answer_update attachment_create bulk_stop bulk_undo
  campaign_clone campaign_create campaign_pause campaign_spine campaign_update
  capability_refresh claim_next comment_create comment_update company_create company_update
  deal_create deal_state deal_update domain_check domain_create domain_pause domain_update
  events_redeliver events_redeliver_range identity_deactivate identity_test identity_update
  item_claim item_create item_move item_release item_update letter_create letter_draft
  notifications_read outreach_verify people_import person_create person_note person_update pipeline_replace
  postal_address_create project_create project_update prospect_hold prospect_remove prospect_spine provider_test
  quarantine_dismiss quarantine_dismiss_many quarantine_place run_cancel run_cancel_many segment_create segment_update send_cancel send_hold send_recheck
  send_reject send_return send_update sends_unapprove sequence_save snippet_create snippet_update suppression_add
  template_create template_update thread_create thread_merge thread_read thread_reading thread_split thread_update
  touch_create workflow_deactivate
`);

/** Proposed, unless an administrator allowed them to the agent by name. */
const PROPOSED_UNLESS_ALLOWED = words(`
  answer_discard bulk_start campaign_archive campaign_delete capability_create capability_delete capability_disconnect
  capability_update comment_delete company_delete deal_delete domain_retire events_webhook_off field_replace
  form_create form_delete form_update identity_delete import_rollback item_delete person_delete person_merge
  postal_address_delete prospect_release quarantine_rule_create quarantine_rule_delete run_retry run_retry_many run_start segment_delete snippet_delete template_delete
  token_delete user_disable user_invite_cancel vendor_webhook_remove workflow_activate workflow_create
  workflow_delete workflow_update
`);

/** Proposed always: on the wire, for people only, or what agents are told. A script too, where a person drives the turn. */
const PROPOSED_ALWAYS = words(`
  agent_create agent_delete agent_update answer_send bulk_enrol campaign_activate campaign_enrol campaign_no_human_review
  campaign_pool campaign_review_policy capability_consent domain_resume events_secret_rotate events_webhook_set
  identity_activate identity_create identity_probe person_erase provider_keys_delete provider_keys_save sample_create sample_delete
  script_run send_approve send_resend send_resolve sends_approve sends_resolve start_dismiss suppression_lift user_invite
  vendor_webhook_register vendor_webhook_rotate
`);

/** Neither: a person does them on screen, and a turn starts no turn and decides nothing. */
const REFUSED = words(`
  agent_allow approval_decide approvals_decide approvals_undo auth_accept_invite auth_login auth_logout auth_reset auth_reset_request auth_setup
  auth_step_up campaign_test_letter capability_connect capability_finish chat_stop chat_stream chat_turn group_create group_delete
  group_update me_password me_session_end me_totp me_totp_remove me_update passkey_create passkey_delete
  policy_create policy_delete policy_update proposal_create proposal_withdraw recovery_codes settings_chat settings_mail settings_mail_clear
  settings_mail_test settings_security settings_workflows token_mint user_update view_delete view_rename view_save workflow_hosts_set workflow_secret_delete workflow_secret_set
`);

const operations = features.flatMap((feature) => feature.operations.map(({ operation }) => operation));
const writes = operations.filter(({ effect }) => effect !== 'read');
const now = new Date();

const person: Caller = {
  principal: { kind: 'person', id: 'p', name: 'Ada' },
  turn: 'direct',
  surface: 'screen',
  credential: { kind: 'session', id: 's', stepped_up_at: now },
  user_id: 'p',
  rights: { admin: true, policies: [], projects: null },
};
const token: Caller = {
  ...person,
  principal: { kind: 'service', id: 't', name: 'all' },
  turn: 'agent',
  surface: 'chat',
  credential: {
    kind: 'token',
    id: 't',
    name: 'all',
    scopes: { wire: true, scripts: true },
    first_agent_turn_at: now,
  },
};
const everything = allowable(operations).map(({ name }) => name);

const ruled = (driver: Caller, allowed: string[], ruling: 'do' | 'propose' | 'refuse'): string[] =>
  writes
    .filter((op) => rulingOn(op, exampleOf(op), driver, allowed, now).ruled === ruling)
    .map(({ name }) => name)
    .toSorted();
/** What is on the wire by its arguments alone is asked as what is not, and the ledger of the sixteen asks the rest. */
const FREE: Record<string, object> = {
  outreach_verify: { addresses: ['dana@acme.example'], action: 'check' },
};
const exampleOf = (op: AnyOperation): Record<string, unknown> => op.takes.parse(FREE[op.name] ?? op.example);

describe('acts of an agent, for an administrator who drives its turn', () => {
  test('every operation that writes is in one of four lists', () => {
    const all = [...DONE, ...PROPOSED_UNLESS_ALLOWED, ...PROPOSED_ALWAYS, ...REFUSED].toSorted();
    expect(all).toEqual(writes.map(({ name }) => name).toSorted());
  });

  test('what is done, proposed and refused is what the lists say', () => {
    expect(ruled(person, [], 'do')).toEqual(DONE);
    expect(ruled(person, [], 'propose')).toEqual([...PROPOSED_UNLESS_ALLOWED, ...PROPOSED_ALWAYS].toSorted());
    expect(ruled(person, [], 'refuse')).toEqual(REFUSED);
  });

  test('everything that destroys is proposed', () => {
    const destroys = writes.filter(({ effect }) => effect === 'destroy').map(({ name }) => name);
    expect(destroys.filter((name) => DONE.includes(name))).toEqual([]);
  });

  test('what may be allowed by name is done then, and nothing else', () => {
    expect(everything).toEqual([...PROPOSED_UNLESS_ALLOWED, 'script_run'].toSorted());
    expect(ruled(person, everything, 'do')).toEqual([...DONE, ...PROPOSED_UNLESS_ALLOWED].toSorted());
    // A name that no list could hold lets nothing through either.
    const names = writes.map(({ name }) => name);
    expect(ruled(person, names, 'propose')).toEqual(PROPOSED_ALWAYS);
  });

  test('a token with every scope does no more than a person', () => {
    expect(ruled(token, [], 'do')).toEqual(DONE);
    expect(ruled(token, everything, 'do')).toEqual(
      [...DONE, ...PROPOSED_UNLESS_ALLOWED, 'script_run'].toSorted(),
    );
  });
});

test('these operations answer nothing that an outsider may have written, and every other ends what was allowed', () => {
  const clean = operations.filter((op) => !answersOutsiders(op)).map(({ name }) => name);
  expect(clean.toSorted()).toEqual(
    words(`
      agent_delete agent_list answer_discard assignee_list auth_logout auth_reset auth_reset_request auth_state
      campaign_delete capability_delete comment_create comment_delete company_delete deal_delete events_webhook_get
      field_list form_delete form_list group_delete group_list inbox_counts item_create item_delete me_get me_may
      me_password me_session_end me_totp_remove me_update model_list notifications_read passkey_delete person_delete
      person_erase policy_delete policy_explain policy_list postal_address_delete project_create provider_list
      quarantine_rule_delete sample_create sample_delete script_operations segment_count segment_delete settings_get settings_mail_clear
      settings_mail_get snippet_delete start_dismiss start_get template_delete token_delete token_list user_disable
      user_get user_invite_cancel user_list vendor_read view_delete workflow_delete workflow_hosts workflow_secret_delete
    `),
  );
});

test('what a proposed act names in its path is bound to it, or is no record of ours', () => {
  const proposed = [...PROPOSED_UNLESS_ALLOWED, ...PROPOSED_ALWAYS];
  const keys = new Set(
    operations
      .filter(({ name }) => proposed.includes(name))
      .flatMap(({ path }) => pathKeys(path))
      .map((key) => ({ item_id: 'item', batch: 'import', invite: 'user' })[key] ?? key),
  );
  // A provider is named by its name, and its keys are in the arguments.
  keys.delete('provider');
  expect([...keys].filter((key) => !(BOUND_KINDS as string[]).includes(key))).toEqual([]);
});
