// Who hears of what, pure. A change notification is (topic, id) only; still, no one hears of what they could not read.
import type { Caller } from '../../../kernel/caller.ts';
import type { ChangeNotification } from '../../../kernel/database.ts';
import { allowsAll, couldAllow } from '../../../kernel/policy.ts';

/** What one must be allowed to read to hear of a topic. A topic that is not here is told to everyone who listens. */
const READ_BY: Record<string, string> = {
  work: 'work.item.read',
  approvals: 'approval.read',
  users: 'admin.user.read',
  groups: 'admin.group.read',
  policies: 'admin.policy.read',
  tokens: 'admin.token.read',
  audit: 'admin.audit.read',
  settings: 'admin.setting.read',
  events: 'admin.event.read',
  events_due: 'admin.event.read',
  events_webhook: 'admin.event.read',
  people: 'crm.person.read',
  companies: 'crm.company.read',
  segments: 'crm.segment.read',
  deals: 'crm.deal.read',
  pipeline: 'crm.pipeline.read',
  fields: 'crm.field.read',
  imports: 'crm.import.read',
  imports_due: 'crm.import.read',
  bulk: 'crm.person.write',
  bulk_due: 'crm.person.write',
  suppressions: 'outreach.suppression.read',
  domains: 'outreach.domain.read',
  domain_check_due: 'outreach.domain.read',
  identities: 'outreach.identity.read',
  postal_addresses: 'outreach.identity.read',
  campaigns: 'outreach.campaign.read',
  sequences: 'outreach.sequence.read',
  templates: 'outreach.template.read',
  prospects: 'outreach.prospect.read',
  sends: 'outreach.send.read',
  letters_due: 'outreach.send.read',
  steps_due: 'outreach.prospect.read',
  deliveries: 'outreach.send.read',
  agents: 'admin.agent.read',
  chat: 'chat.create',
  threads: 'inbox.thread.read',
  mail_in: 'inbox.thread.read',
  vendor_mail: 'inbox.thread.read',
  forms: 'admin.setting.write',
  snippets: 'inbox.thread.read',
  inbound: 'inbox.thread.read',
  readings: 'inbox.thread.read',
  providers: 'admin.provider.read',
  vendors: 'outreach.vendor.read',
  workflows: 'workflow.read',
  workflow_runs: 'run.read',
};

/** Topics whose id is the person they are for. */
const OWN = ['me', 'notifications'];

/** Topics whose id is a project's. */
export const OF_PROJECT = ['work'];

/** How the names of the things begin that an action is about: `crm:person/` of `crm.person.read`. */
const kindOf = (action: string): string => `${action.split('.').slice(0, 2).join(':')}/`;

/**
 * The change notification as this caller hears it, or null. `projects` are the ids of those on the caller's board; null is all of them. Whoever
 * may read some things of a kind and not others hears that something changed, and of no id: it might be one that is hidden.
 */
export function heardAs(
  caller: Caller,
  { topic, id }: ChangeNotification,
  projects: ReadonlySet<string> | null,
): ChangeNotification | null {
  if (OWN.includes(topic)) return id === caller.user_id ? { topic, id } : null;
  const action = READ_BY[topic];
  if (action !== undefined && !couldAllow(caller.rights, action)) return null;
  if (OF_PROJECT.includes(topic)) return projects === null || projects.has(id) ? { topic, id } : null;
  const whole = action === undefined || allowsAll(caller.rights, action, kindOf(action));
  return { topic, id: whole ? id : '' };
}
