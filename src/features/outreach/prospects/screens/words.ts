// Words for where someone is in a campaign.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { EndReason, Holder, Prospect } from '../contract.ts';
import type { RefusedWhy } from '../enrol.contract.ts';
import type { Stage } from '../spine/spine.rules.ts';

export const STAGE: Record<Stage, { title: string; tone: Tone }> = {
  enrolled: { title: 'Enrolled', tone: 'mute' },
  contacted: { title: 'Contacted', tone: 'info' },
  bounced: { title: 'Bounced', tone: 'bad' },
  replied: { title: 'Replied', tone: 'info' },
  declined: { title: 'Declined', tone: 'mute' },
  positive: { title: 'Positive', tone: 'good' },
  meeting: { title: 'Meeting', tone: 'good' },
  won: { title: 'Won', tone: 'good' },
  unsubscribed: { title: 'Unsubscribed', tone: 'bad' },
};

export const isStage = (value: unknown): value is Stage => typeof value === 'string' && value in STAGE;

const ENDED: Record<EndReason, string> = {
  replied: 'Ended: they replied',
  declined: 'Ended: they declined',
  positive: 'Ended: they said yes',
  meeting: 'Ended: meeting booked',
  won: 'Ended: won',
  unsubscribed: 'Ended: they unsubscribed',
  complaint: 'Ended: they complained',
  left: 'Ended: they left the company',
  removed: 'Removed',
  archived: 'Ended: the campaign is archived',
  merged: 'Merged into another person',
  person_deleted: 'Person deleted',
};

const HELD_BY: Record<Holder, string> = {
  person: 'a person',
  agent: 'an agent',
  away: 'an out-of-office reply',
  system: 'Dunnock',
};

export const REFUSED: Record<RefusedWhy, string> = {
  no_such_person: 'Unknown person',
  already_enrolled: 'Already in this campaign',
  removed: 'Removed from this campaign',
  unsubscribed: 'Unsubscribed',
  suppressed: 'Suppressed',
  no_address: 'No address',
  in_another_campaign: 'In another exclusive campaign',
};

export const STANDING = {
  going: 'In progress',
  on_hold: 'On hold',
  ended: 'Ended',
  through: 'Completed',
} as const;
export type ProspectStanding = keyof typeof STANDING;

/** Why nothing goes to them now, in one line; null where steps go on. */
export function stands({ hold, ended, step_id, stage }: Prospect): string | null {
  if (ended) return ENDED[ended];
  if (hold) return `On hold by ${HELD_BY[hold.by]}: ${hold.reason}`;
  if (step_id !== null) return null;
  return stage === 'enrolled' ? 'Not started' : 'All steps done';
}

export const named = ({ person_name, person_id }: Prospect): string =>
  person_name ?? (person_id ? 'Person you can’t view' : 'Deleted person');
