// Describes what an act changes in words and counts: rows of tables under the names people use. Pure.
import type { TableChange } from '../../../kernel/table-changes.store.ts';

type Words = readonly [one: string, many: string];

/**
 * Tables whose rows a person would count. What the others hold belongs to one of these (words that are searched, counts, queues),
 * and is not counted beside it. test/house/rehearsed.test.ts holds the list against the schema.
 */
export const COUNTED: Readonly<Record<string, Words>> = {
  agents: ['agent', 'agents'],
  answers: ['answer', 'answers'],
  approvals: ['approval', 'approvals'],
  campaigns: ['campaign', 'campaigns'],
  capabilities: ['tool server', 'tool servers'],
  companies: ['company', 'companies'],
  custom_fields: ['custom field', 'custom fields'],
  deal_stages: ['pipeline stage', 'pipeline stages'],
  deals: ['deal', 'deals'],
  domains: ['domain', 'domains'],
  events_webhook: ['events webhook', 'events webhooks'],
  forms: ['form', 'forms'],
  identities: ['sending identity', 'sending identities'],
  letter_templates: ['template', 'templates'],
  people: ['person', 'people'],
  provider_keys: ['provider key', 'provider keys'],
  postal_addresses: ['postal address', 'postal addresses'],
  prospects: ['person in a campaign', 'people in campaigns'],
  quarantine_rules: ['quarantine rule', 'quarantine rules'],
  segments: ['segment', 'segments'],
  sends: ['letter', 'letters'],
  sequence_steps: ['step', 'steps'],
  settings: ['setting', 'settings'],
  snippets: ['snippet', 'snippets'],
  suppressions: ['suppression', 'suppressions'],
  threads: ['conversation', 'conversations'],
  touches: ['message', 'messages'],
  users: ['user', 'users'],
  vendor_webhooks: ['vendor webhook', 'vendor webhooks'],
  work_comments: ['comment', 'comments'],
  work_items: ['work item', 'work items'],
  work_projects: ['project', 'projects'],
  workflow_runs: ['workflow run', 'workflow runs'],
  workflows: ['workflow', 'workflows'],
};

const VERBS = [
  ['inserted', 'added'],
  ['changed', 'changed'],
  ['deleted', 'deleted'],
] as const;

export type Change = { what: string; count: number };

/** "340 letters added": the count is beside the words. */
export function changesInWords(tables: readonly TableChange[]): Change[] {
  return tables.flatMap((change) => {
    const words = COUNTED[change.table];
    if (!words) return [];
    return VERBS.flatMap(([key, verb]) => {
      const count = change[key];
      // A row that is added and written again is one.
      const own = key === 'changed' ? Math.max(0, count - change.inserted) : count;
      return own > 0 ? [{ what: `${words[own === 1 ? 0 : 1]} ${verb}`, count: own }] : [];
    });
  });
}

/** One line of what happens, for a list: "340 people in campaigns added, 1 campaign changed". */
export const effectInWords = (changes: readonly Change[]): string =>
  changes.map(({ what, count }) => `${count.toLocaleString('en')} ${what}`).join(', ');

type Effect = { changes: readonly Change[]; events: readonly { kind: string; count: number }[] };

/** How what would happen now differs from what was rehearsed before, a line each; none where nothing was rehearsed then. */
export function differences(
  before: (Effect & { refused: unknown }) | null,
  now: Effect & { refused: { message: string } | null },
): string[] {
  if (before === null) return [];
  if (now.refused) return [`It would be refused now: ${now.refused.message}`];
  const counts = ({ changes, events }: Effect): Map<string, number> =>
    new Map([
      ...changes.map(({ what, count }) => [what, count] as const),
      ...events.map(({ kind, count }) => [`${kind} events`, count] as const),
    ]);
  const [was, is] = [counts(before), counts(now)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((what) => {
    const [then, current] = [was.get(what) ?? 0, is.get(what) ?? 0];
    return then === current
      ? []
      : [`${what}: ${current.toLocaleString('en')}, was ${then.toLocaleString('en')}`];
  });
}
