// Who hears of what, pure. News is (topic, id) only; still, nobody hears of what they could not read.
import type { Caller } from '../../kernel/caller.ts';
import type { News } from '../../kernel/ground.ts';
import { couldAllow } from '../../kernel/policy.ts';

/** What one must be allowed to read to hear of a topic. A topic that is not here is told to everybody who listens. */
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
};

/** Topics whose id is the person they are for. */
const OWN = ['me', 'notifications'];

/** Topics whose id is a project's. */
export const OF_PROJECT = ['work'];

/** `projects` are the ids of those on the caller's board; null is all of them. */
export function hears(caller: Caller, news: News, projects: ReadonlySet<string> | null): boolean {
  if (OWN.includes(news.topic)) return news.id === caller.user_id;
  const action = READ_BY[news.topic];
  if (action !== undefined && !couldAllow(caller.rights, action)) return false;
  return projects === null || !OF_PROJECT.includes(news.topic) || projects.has(news.id);
}
