// The spine (domain.md §1.4): how far someone came in a campaign. One rule: a move lands only where its rank is higher than
// the present one. So whoever unsubscribed never becomes positive, a bounce after a reply moves nothing, a "no" after a "yes"
// leaves the high-water mark, and a corrected address lets a reply follow a bounce. A move that cannot happen is no error:
// the answer says what actually happened.

import { column, first, given, isNull, type Machine, NOW } from '../../../../kernel/machine.ts';
import { REACHED } from '../../../../kernel/metrics.rules.ts';
import { STAGES } from '../../../crm/people/stages.rules.ts';

export type Stage = (typeof STAGES)[number];

export const RANK: Record<Stage, number> = {
  enrolled: 0,
  contacted: 10,
  bounced: 15,
  replied: 20,
  declined: 30,
  positive: 40,
  meeting: 50,
  won: 60,
  unsubscribed: 90,
};

export type ProspectAct = Exclude<Stage, 'enrolled'> | 'end' | 'merge_away';

const forward = <To extends Stage>(to: To) => ({
  from: STAGES.filter((stage) => RANK[stage] < RANK[to]),
  to,
  set: { stage_at: given('at') },
});
const STAYS = column('stage');

/** The rule, and what the SQL is made of (prospect-states.store.ts). Being over is beside the stage: whoever is over may still move. */
export const PROSPECT = {
  table: 'prospects',
  state: 'stage',
  acts: {
    contacted: forward('contacted'),
    bounced: forward('bounced'),
    replied: forward('replied'),
    declined: forward('declined'),
    positive: forward('positive'),
    meeting: forward('meeting'),
    won: forward('won'),
    unsubscribed: forward('unsubscribed'),
    end: {
      from: STAGES,
      only_if: isNull(column('ended')),
      to: STAYS,
      set: {
        ended: given('reason'),
        ended_at: NOW,
        next_at: null,
        due_at: null,
        step_id: null,
        lease: null,
        lease_until: null,
      },
    },
    merge_away: {
      from: STAGES,
      to: STAYS,
      set: { person_id: null, ended: 'merged', ended_at: first(column('ended_at'), NOW), next_at: null },
    },
  },
  always: { updated_at: NOW },
} as const satisfies Machine<Stage, ProspectAct>;

/** What metrics count: each of these is reached once, by whichever move first leads to or past it. */
export type Reached = 'enrolled' | keyof typeof REACHED;

/** What a move newly reaches; from null: they are enrolled. */
export function reachedBy(from: Stage | null, to: Stage): Reached[] {
  if (from === null) return ['enrolled'];
  return (Object.entries(REACHED) as [Reached, readonly Stage[]][])
    .filter(([, stages]) => stages.includes(to) && !stages.includes(from))
    .map(([reached]) => reached);
}

/** Whether a move from the one leads to the other. */
export const leads = (present: Stage, asked: Stage): boolean =>
  asked !== 'enrolled' && PROSPECT.acts[asked].from.includes(present);

/** What asks for a move: a person or an agent by hand, what the inbox or a delivery made of something, a deal, a workflow. */
export type Cause = 'person' | 'agent' | 'reply' | 'delivery' | 'deal' | 'workflow' | 'opt_out';

export type AskedMove = {
  /** As the sentence says it; empty where nothing is known. */
  name: string;
  present: Stage;
  present_at: Date;
  asked: Stage;
  cause: Cause;
};

export type SpineMove = { moved: boolean; stage: Stage; asked: Stage; sentence: string };

/** These are facts of the world outside the mail: an agent and a reading cannot know them. */
const SET_BY: Partial<Record<Stage, readonly Cause[]>> = {
  meeting: ['person', 'deal', 'workflow'],
  won: ['person', 'deal', 'workflow'],
};

export function ruleSpine({ name, present, present_at, asked, cause }: AskedMove): SpineMove {
  const who = name.trim() === '' ? 'This person' : shortened(name.trim());
  const stays = (why: string): SpineMove => ({
    moved: false,
    stage: present,
    asked,
    sentence: `${who} stays at ${present}: ${why}.`,
  });
  if (present === 'unsubscribed')
    return stays(`they opted out on ${present_at.toISOString().slice(0, 10)} and that stage is not left`);
  if (asked === present) return stays('they are already at that stage');
  const by = SET_BY[asked];
  if (by && !by.includes(cause)) return stays(`${asked} is set by a person, a deal or a workflow`);
  if (!leads(present, asked)) return stays(whyNotBack(present, asked));
  return {
    moved: true,
    stage: asked,
    asked,
    sentence: `${who} moved from ${present} to ${asked}${asked === 'unsubscribed' ? ', is suppressed and gets no further letter' : ''}.`,
  };
}

function whyNotBack(present: Stage, asked: Stage): string {
  if (asked === 'bounced') return 'a bounce doesn’t change a person’s stage; it marks the address';
  if (asked === 'declined')
    return `a "no" after ${present} leaves the furthest stage as it is, and it is the deal that changes`;
  return `${asked} comes before it, and the spine only goes forward`;
}

/** A sentence stays under its 300 characters whatever someone is called. */
const shortened = (name: string): string =>
  name.length > 80 ? `${name.slice(0, 79).toWellFormed()}…` : name;

/** Whether a move to this stage ends the sequence for someone; a mere reply does where the campaign says so. */
export function endsSequence(stage: Stage, stop_on_reply: boolean): boolean {
  if (stage === 'replied') return stop_on_reply;
  return RANK[stage] > RANK.replied;
}
