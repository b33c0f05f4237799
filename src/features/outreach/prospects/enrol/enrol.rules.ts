// Who may be put into a campaign, pure: the first reason that is against it, and the sentence that says so.
import { type CampaignState } from '../../campaigns/contract.ts';
import type { RefusedWhy } from '../enrol.contract.ts';

type Facts = {
  name: string | null;
  there: boolean;
  present: 'in' | 'removed' | null;
  opted_out: boolean;
  mark: { reason: string } | null;
  primary_mark: { reason: string } | null;
  has_address: boolean;
  elsewhere: { name: string } | null;
};

/** Said by the person, whichever of their addresses it was: it holds for all of them. */
const THEIR_WORD = ['complaint', 'legal', 'unsubscribe'];

/** Null: nothing is against it. */
export function refusedEnrolment(facts: Facts): { why: RefusedWhy; sentence: string } | null {
  const { there, present, opted_out, mark, primary_mark, has_address, elsewhere } = facts;
  const who = facts.name === null || facts.name.trim() === '' ? 'This person' : shortened(facts.name.trim());
  if (!there) return { why: 'no_such_person', sentence: 'No person has this id.' };
  if (present === 'removed')
    return { why: 'removed', sentence: `${who} was removed from this campaign and can’t be enrolled again.` };
  if (present === 'in') return { why: 'already_enrolled', sentence: `${who} is already in this campaign.` };
  if (opted_out || mark?.reason === 'unsubscribe')
    return { why: 'unsubscribed', sentence: `${who} opted out of letters.` };
  const suppressed = mark && THEIR_WORD.includes(mark.reason) ? mark : primary_mark;
  if (suppressed)
    return {
      why: 'suppressed',
      sentence: `${who} can’t get letters: the address is suppressed (${suppressed.reason}).`,
    };
  if (!has_address) return { why: 'no_address', sentence: `${who} has no email address.` };
  if (elsewhere)
    return {
      why: 'in_another_campaign',
      sentence: `${who} is active in ${elsewhere.name}, and one of the two campaigns is exclusive.`,
    };
  return null;
}

const shortened = (name: string): string =>
  name.length > 80 ? `${name.slice(0, 79).toWellFormed()}…` : name;

/** What happens next with those who were enrolled. */
export function enrolledSentence(enrolled: number, state: CampaignState, dry_run: boolean): string {
  const people = `${enrolled.toLocaleString('en-US')} ${enrolled === 1 ? 'person' : 'people'}`;
  if (dry_run) return `${people} would be enrolled. Nothing was changed.`;
  if (enrolled === 0) return 'No one was enrolled.';
  if (state === 'active') return `${people} enrolled. Their first letters are being drafted.`;
  if (state === 'draft') return `${people} enrolled. Letters start when the campaign is activated.`;
  return `${people} enrolled. Letters start when the campaign is activated again.`;
}
