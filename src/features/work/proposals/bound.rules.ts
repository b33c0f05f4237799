// Binds a proposed act to the records it names: each gets a mark when the act is proposed. If a mark differs later, the act is
// refused, because what is approved must be what was shown. Pure.
import { isUuid } from '../../../kernel/ids.ts';
import { conflict, type Refusal } from '../../../kernel/refusal.ts';

/** Every kind of record that an argument can name by its id, as a sentence calls it. */
const WORDS = {
  agent: 'the agent',
  answer: 'the answer',
  campaign: 'the campaign, its steps or its senders',
  capability: 'the tool server',
  comment: 'the comment',
  company: 'the company',
  deal: 'the deal',
  domain: 'the domain',
  form: 'the form',
  group: 'the group, its members or its policies',
  identity: 'the sending identity',
  import: 'the import',
  item: 'the card',
  mail: 'the mail in quarantine',
  people: 'the list of people in the segment, or an address in it,',
  person: 'the person or their address',
  policy: 'the policy',
  postal_address: 'the postal address',
  project: 'the project',
  prospect: 'the prospect',
  rule: 'the rule',
  run: 'the run',
  segment: 'the segment',
  send: 'the letter',
  snippet: 'the snippet',
  suppression: 'the suppression',
  template: 'the template',
  thread: 'the conversation',
  token: 'the token',
  user: 'the user',
  workflow: 'the workflow or what its steps name',
} as const;

export type BoundKind = keyof typeof WORDS;
export const BOUND_KINDS = Object.keys(WORDS) as BoundKind[];

export type Mark = { kind: BoundKind; id: string; mark: string };

/** Every id among arguments, however deep. */
export function idsIn(value: unknown): string[] {
  const found = new Set<string>();
  const walk = (each: unknown): void => {
    if (typeof each === 'string' && isUuid(each)) found.add(each.toLowerCase());
    else if (typeof each === 'object' && each !== null) Object.values(each).forEach(walk);
  };
  walk(value);
  return [...found].toSorted();
}

/** Every text among arguments, however deep, that may be the key of a project or the name of a policy. */
export function keysIn(value: unknown): string[] {
  const found = new Set<string>();
  const walk = (each: unknown): void => {
    if (typeof each === 'string' && KEY.test(each)) found.add(each);
    else if (typeof each === 'object' && each !== null) Object.values(each).forEach(walk);
  };
  walk(value);
  return [...found].toSorted();
}

const KEY = /^[A-Za-z0-9][A-Za-z0-9-]{0,59}$/;

const AGAIN = 'nothing was done; have the agent propose it again';

/** The one sentence that names what changed, or null. `before`: null where none were saved yet. */
export function refusedAsChanged(before: readonly Mark[] | null, now: readonly Mark[]): Refusal | null {
  if (before === null)
    return conflict(`this was proposed before proposals were checked for changes: ${AGAIN}`);
  const marks = new Map(now.map(({ kind, id, mark }) => [`${kind} ${id}`, mark]));
  const gone = before.find(({ kind, id }) => !marks.has(`${kind} ${id}`));
  if (gone) return conflict(`${WORDS[gone.kind]} was deleted after this was proposed: ${AGAIN}`);
  const other = before.find(({ kind, id, mark }) => marks.get(`${kind} ${id}`) !== mark);
  return other ? conflict(`${WORDS[other.kind]} changed since this was proposed: ${AGAIN}`) : null;
}
