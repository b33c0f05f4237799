// Whether someone is to read a letter before it goes, by the campaign's policy (domain.md §1.2). Pure; the sample is drawn by
// the letter itself, so that asking twice gives the same answer.
import { createHash } from 'node:crypto';
import type { ReviewReason } from './send.rules.ts';

export type Policy = {
  review_policy: 'every_letter' | 'first_touch' | 'changed' | 'sample' | 'none';
  review_sample: number;
  sequence_revision: number;
  /** The steps that was when the policy was set or the campaign was activated. */
  review_bound_revision: number | null;
  no_human_review_revision: number | null;
};

export type Drafted = {
  prospect_id: string;
  step_id: string;
  /** The first letter of this campaign to this person. */
  first_touch: boolean;
  /** It says other than what its step alone would: by a generated or an edited value. */
  changed: boolean;
  /** How many letters the campaign had before. */
  before: number;
  /** Someone without wire changed the sender since the policy was bound. */
  sender_loosened: boolean;
  /** The same of what of the campaign itself is in its letters. */
  campaign_loosened: boolean;
};

/** The first letters of a campaign are read whatever the sample says. */
export const READ_FIRST = 20;

/** Why it is to be read; null: no one has to. */
export function reviewReason(policy: Policy, letter: Drafted): ReviewReason | null {
  if (policy.review_policy === 'every_letter') return 'every_letter';
  if (policy.review_policy === 'none' && letter.sender_loosened) return 'sequence_changed';
  if (policy.review_policy === 'none')
    // Given for other steps, it holds the letter when it is due (gate 5), so that one new confirmation frees them all.
    return policy.no_human_review_revision === null ? 'unconfirmed' : null;
  const loosened = letter.sender_loosened || letter.campaign_loosened;
  if (loosened || policy.review_bound_revision !== policy.sequence_revision) return 'sequence_changed';
  if (policy.review_policy === 'first_touch') return letter.first_touch ? 'first_touch' : null;
  if (policy.review_policy === 'changed') return letter.changed ? 'changed' : null;
  const read = letter.before < READ_FIRST || drawn(letter) < policy.review_sample;
  return read ? 'sample' : null;
}

/** Whether a letter that asks for these fields says a marked value. A mark of a noun is one of everything it has. */
export const asksForEdited = (fields_used: readonly string[], edited: readonly string[]): boolean =>
  fields_used.some((field) => edited.some((mark) => within(field, mark) || within(mark, field)));

const within = (name: string, of: string): boolean =>
  name === of || (/^[.[]/.test(name.slice(of.length)) && name.startsWith(of));

/** From 0 to 99, the same for one letter always. */
function drawn({ prospect_id, step_id }: Drafted): number {
  return createHash('sha256').update(`sample ${prospect_id} ${step_id}`).digest().readUInt32BE(0) % 100;
}

/** One of a pool by its weights, the same for one prospect always; null: the pool is empty. */
export function pickIdentity(
  pool: readonly { identity_id: string; weight: number }[],
  prospect_id: string,
): string | null {
  const all = pool.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return null;
  const draw = createHash('sha256').update(`identity ${prospect_id}`).digest().readUInt32BE(0) / 2 ** 32;
  let left = draw * all;
  const sorted = pool.toSorted((a, b) => (a.identity_id < b.identity_id ? -1 : 1));
  for (const { identity_id, weight } of sorted) if ((left -= weight) < 0) return identity_id;
  return sorted.at(-1)?.identity_id ?? null;
}
