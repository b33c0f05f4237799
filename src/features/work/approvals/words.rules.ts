// Operations in words, for people who decide on them: "Invite user" for `user_invite`, and what one of them is about. Pure.
import type { Approval } from './contract.ts';

const VERBS: ReadonlySet<string> = new Set(
  'accept activate add approve archive cancel claim clear clone close connect consent create deactivate delete disable disconnect dismiss edit enable end enrol erase export hold import invite lift merge mint move pause place refresh register reject release remove rename replace reset resolve restore resume retire retry revoke rotate run save send set start stop test update verify withdraw'.split(
    ' ',
  ),
);

/** Where a verb and a noun alone would not say it. */
const SAYS: Readonly<Record<string, string>> = {
  campaign_enrol: 'Enrol people in a campaign',
  campaign_no_human_review: 'Let letters leave unread',
  campaign_pool: 'Change the pool of senders',
  campaign_review_policy: 'Change which letters are read first',
  capability_consent: 'Agree to tools of another party',
  outreach_verify: 'Verify an address',
  sequence_save: 'Save the steps of a campaign',
};

export function inWords(operation: string): string {
  const said = SAYS[operation];
  if (said !== undefined) return said;
  const words = operation.split(/[_-]+/).filter(Boolean);
  const last = words.at(-1) ?? '';
  const ordered = words.length > 1 && VERBS.has(last) ? [last, ...words.slice(0, -1)] : words;
  const text = ordered.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const ABOUT = ['email', 'name', 'title', 'domain', 'address', 'subject', 'provider', 'key'];
const ABOUT_MAX_CHARS = 80;

/** What an act is about, in one line: a record that it names, or what it calls the new one. */
export function aboutAct({
  arguments: given,
  things,
  steps,
  why,
}: NonNullable<Approval['act']>): string | null {
  const [thing] = Object.values(things);
  // Of a plan it is in the proposer's words.
  const said = steps === null ? thing : why;
  const called = said ?? ABOUT.map((key) => given[key]).find((value) => typeof value === 'string' && value);
  return typeof called === 'string' ? called.slice(0, ABOUT_MAX_CHARS).toWellFormed() : null;
}

/** The line under which an approval is in a list. */
export function titleOf({ act, subject }: Pick<Approval, 'act' | 'subject'>): string {
  if (!act) return subject.title;
  const about = aboutAct(act);
  return about === null ? inWords(act.operation) : `${inWords(act.operation)}: ${about}`;
}

/** What it is called in a sentence. */
export const calledIn = ({ act, subject }: Pick<Approval, 'act' | 'subject'>): string =>
  act ? `“${inWords(act.operation)}”` : subject.key;
