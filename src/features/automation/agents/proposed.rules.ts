// Acts that an agent proposes to a person instead of performing, and which of those an administrator may allow it by
// name. Two closed lists; test/house/proposed.test.ts states the class of each operation by hand. Pure.
import { type AnyOperation } from '../../../kernel/operation.ts';
import { done } from '../../../kernel/shapes.ts';

/** Beside everything whose effect is `destroy`. */
const PROPOSED: ReadonlySet<string> = new Set([
  // Sets something going that acts later, on its own, or lets it act again.
  'campaign_activate',
  'domain_resume',
  'identity_activate',
  'prospect_release',
  'quarantine_rule_create',
  'run_retry',
  'run_retry_many',
  'run_start',
  'workflow_activate',
  'workflow_create',
  'workflow_update',
  // There is no way back from it.
  'campaign_archive',
  'domain_retire',
  // Changes who may do what, or lets someone in.
  'agent_create',
  'agent_update',
  'capability_consent',
  'capability_create',
  'capability_disconnect',
  'capability_update',
  'form_create',
  'form_update',
  'user_disable',
  'user_invite',
]);

export const isProposed = ({ name, effect }: AnyOperation): boolean =>
  effect === 'destroy' || PROPOSED.has(name);

/** What agents are told is told to everyone's: it is proposed always, and so is what is on the wire and for people only. */
export const mayBeAllowed = (operation: AnyOperation): boolean =>
  isProposed(operation) &&
  operation.wire === 'never' &&
  'json' in operation.answers &&
  (operation.who === 'anyone' || 'scripts_scope' in operation.who) &&
  !operation.path.startsWith('/api/admin/agents');

/** By name. */
export const allowable = (operations: readonly AnyOperation[]): AnyOperation[] =>
  operations.filter(mayBeAllowed).toSorted((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Operations that answer nothing an outsider may have written: the instance's own settings and rights, numbers, and what its
 * caller has just written. Everything else counts as an outsider's words, what agents wrote included: they may have copied it.
 */
const OURS_ALONE: ReadonlySet<string> = new Set([
  'agent_list',
  'assignee_list',
  'auth_state',
  'comment_create',
  'events_webhook_get',
  'field_list',
  'form_list',
  'group_list',
  'inbox_counts',
  'item_create',
  'me_get',
  'me_may',
  'model_list',
  'policy_explain',
  'policy_list',
  'project_create',
  'provider_list',
  'script_operations',
  'segment_count',
  'settings_get',
  'settings_mail_get',
  'start_get',
  'token_delete',
  'token_list',
  'user_disable',
  'user_get',
  'user_list',
  'vendor_read',
  'workflow_hosts',
]);

export const answersOutsiders = ({ name, gives }: AnyOperation): boolean =>
  gives !== done && !OURS_ALONE.has(name);
