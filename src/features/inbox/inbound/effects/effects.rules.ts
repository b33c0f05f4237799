// What a reading does (domain.md §1.3), pure: the stage it asks for, whether the sequence is over, whom it suppresses, what it
// holds, whether a deal may follow. Landing, corrections and late readings of a model all ask here.
import type { Reading } from '../../../../kernel/events.rules.ts';
import type { EndReason } from '../../../outreach/prospects/contract.ts';
import type { Stage } from '../../../outreach/prospects/spine/spine.rules.ts';

/**
 * How much is known of what an answer belongs to. `guessed`: by sender and subject, or by the sender alone, or from someone
 * whose domain says that it did not send this, or of whom no one said that they did. An opt-out is not limited by it: it is the sender's own word about themselves, whatever letter it was about. `typed`: whoever it was wrote an
 * address into a form, theirs or another's. What is typed suppresses that address, which a person can lift again, and brings
 * no one to a stage that is never left.
 */
export type Certainty = 'known' | 'guessed' | 'typed';

export type Effects = {
  /** What it asks of the spine; null: nothing. */
  stage: Stage | null;
  /** The sequence is over where the campaign stops on replies; a stage past `replied` ends it whatever the campaign says. */
  stops: boolean;
  suppresses: boolean;
  holds: boolean;
  opens_deal: boolean;
  /** Every sequence of theirs is over, whatever the campaign says, and this is why. */
  ends?: EndReason;
};

/** What an answer says beside its reading: who wrote it no longer works there, or a help desk has a ticket for it. */
export type Circumstance = 'left' | 'ticket';

/** `reading_by` person: whoever says that it is an away message knows what it is. */
export function circumstanceOf(
  reading: Reading,
  details: Record<string, unknown>,
  reading_by: 'rule' | 'model' | 'person',
): Circumstance | null {
  if (reading === 'referral' && details['left'] === true) return 'left';
  if (reading === 'out_of_office' && typeof details['ticket'] === 'string' && reading_by !== 'person')
    return 'ticket';
  return null;
}

const NOTHING: Effects = { stage: null, stops: false, suppresses: false, holds: false, opens_deal: false };
const REPLIED: Effects = { ...NOTHING, stage: 'replied', stops: true };

const EFFECTS: Record<Reading, Effects> = {
  positive: { ...REPLIED, stage: 'positive', opens_deal: true },
  neutral: REPLIED,
  negative: { ...REPLIED, stage: 'declined' },
  referral: REPLIED,
  unsubscribe: { ...REPLIED, stage: 'unsubscribed', suppresses: true },
  out_of_office: { ...NOTHING, holds: true },
  unread: REPLIED,
};

/** `automatic`: a machine wrote it, which is no answer of theirs. */
export function effectsOf(
  reading: Reading,
  certainty: Certainty,
  circumstance: Circumstance | null = null,
  automatic = false,
): Effects {
  const full = EFFECTS[reading];
  if (circumstance === 'ticket') return NOTHING;
  if (circumstance === 'left' && certainty !== 'typed')
    return { ...(automatic ? NOTHING : REPLIED), stops: true, ends: 'left' };
  if (certainty === 'typed') return { ...REPLIED, suppresses: full.suppresses };
  if (certainty === 'known' || full.suppresses || full.holds) return full;
  return REPLIED;
}
