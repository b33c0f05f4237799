// The table of a letter's states: of each act, from which states it leads, to which, and what it sets (domain.md §1.5). It is
// the rule (send.rules.ts) and makes the SQL (transitions.store.ts); nothing else writes `sends.state`.
//
//   drafted ─ policy ─▶ review ─ approve ─▶ scheduled ─ start ─▶ sending ─ accepted ─▶ sent
//      ▲                  │ ◀── unapprove ──  ▲   │ ▲                ├─ failed ──▶ failed
//      └───── return ─────┘        release ──┘   ▼ └── put off ─────┤
//                                              held ◀─ kept_back ───┤
//                                         cancelled ◀─ called_off ──┤
//                                                                   └─ lost ──▶ uncertain ─▶ sent, or scheduled again
//
// Every state before sending leads to cancelled. sent and cancelled lead nowhere; a failed letter goes again where a person
// says so. What the next hop says late still counts: where it took the letter or did not, an uncertain one is uncertain no more.
import {
  added,
  choice,
  column,
  type Edge,
  first,
  given,
  isNull,
  type Machine,
  NOW,
  plus,
  type Test,
  type Value,
} from '../../../../kernel/machine.ts';
import { FREE, GOING, UNAPPROVED, UNHELD } from './columns.rules.ts';
import type { HoldReason } from './reasons.rules.ts';

export const STATES = [
  'drafted',
  'review',
  'scheduled',
  'sending',
  'sent',
  'held',
  'cancelled',
  'failed',
  'uncertain',
] as const;
export type SendState = (typeof STATES)[number];

/** Before a letter starts it can be changed, kept back and called off. */
export const UNSTARTED = ['drafted', 'review', 'scheduled', 'held'] as const satisfies SendState[];

/** In the hands of the sender: of one of these a reply may come. */
const IN_HAND = ['scheduled', 'sending', 'uncertain'] as const satisfies SendState[];

/** Reasons to hold that an approval takes away. */
export const APPROVAL_LIFTS: readonly HoldReason[] = [
  'approval_stale',
  'review_confirmation_stale',
  'address_changed',
];

/** Where a letter is that nothing holds: with its reader, or on its way. */
const standing = (reason: Value, approved_at: Value) => {
  const unread: Test = { all: [{ not: isNull(reason) }, isNull(approved_at)] };
  return {
    unread,
    to: choice(unread, 'review', 'scheduled'),
    scheduled_for: choice(unread, column('scheduled_for'), first(column('scheduled_for'), NOW)),
  };
};
const AS_IT_WAS = standing(column('review_reason'), column('approved_at'));
const QUEUED = standing(given('review_reason'), column('approved_at'));
const CHANGED = standing(given('review_reason'), null);

const heldFor = (...reasons: HoldReason[]): Test => ({ among: reasons, value: column('hold_reason') });
/** What someone keeps back by hand stays back, whatever it says; and other words do not make an address right. */
const stays = heldFor('letter_on_hold', 'address_changed', 'suppressed');
const unlessItStays = (set: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(set).map(([name, value]) => [name, choice(stays, column(name), value)]));

const HELD = {
  ...GOING,
  ...FREE,
  hold_reason: given('reason'),
  hold_evidence: given('evidence'),
  held_at: choice({ same: [column('hold_reason'), given('reason')] }, column('held_at'), NOW),
  hold_told: added('hold_told', given('reason')),
  recheck_at: given('recheck_at'),
} as const;

/** The note that was given with it stays with the letter. */
const cancelled = (reason: Value) =>
  ({
    ...UNHELD,
    ...GOING,
    ...FREE,
    cancel_reason: reason,
    note: first(given('note'), column('note')),
  }) as const;

/** It was let out and no one took it: as if it had not begun. */
const begun: Test = { among: ['sending', 'uncertain'], value: column('state') };
const UNSAID = { delivery: null, delivery_at: null } as const;
const NOT_TAKEN = {
  ...UNSAID,
  sending_at: choice(begun, null, column('sending_at')),
  sending_via: choice(begun, null, column('sending_via')),
} as const;

/** It was to be sent again, and is held by hand or because its copy was found: a person may say that it went the first time. */
const sentOnceAlready: Test = { all: [heldFor('letter_on_hold'), { not: isNull(column('resent_at')) }] };

/** It is sent again as it was approved, through all of its gates: a day to deliver it in, and nothing that was said before counts. */
const ANEW = {
  ...GOING,
  ...FREE,
  ...UNSAID,
  failed_reason: null,
  first_attempt_at: null,
  resent_at: NOW,
  scheduled_for: AS_IT_WAS.scheduled_for,
} as const;

const acts = {
  /** What the policy made of a draft. */
  queue: {
    from: ['drafted'],
    to: QUEUED.to,
    set: { review_reason: given('review_reason'), scheduled_for: QUEUED.scheduled_for },
  },
  approve: {
    from: ['review', 'held'],
    only_if: {
      all: [
        { any: [{ among: ['review'], value: column('state') }, heldFor(...APPROVAL_LIFTS)] },
        { same: [column('fingerprint'), given('fingerprint')] },
      ],
    },
    to: 'scheduled',
    set: {
      ...UNHELD,
      ...GOING,
      ...FREE,
      note: null,
      // Later than it was due where the approval can be undone until then.
      scheduled_for: first(given('starts_at'), column('scheduled_for'), NOW),
      approved_by_kind: given('by_kind'),
      approved_by_id: given('by_id'),
      approved_by_name: given('by_name'),
      approved_by_on_behalf_of: given('by_on_behalf_of'),
      approved_at: NOW,
      approved_fingerprint: given('fingerprint'),
      approved_token: given('token'),
    },
  },
  /** Its approval is undone before it starts; only where someone had to read it. */
  unapprove: {
    from: ['scheduled'],
    only_if: { all: [{ not: isNull(column('approved_at')) }, { not: isNull(column('review_reason')) }] },
    to: 'review',
    set: { ...UNAPPROVED, ...GOING, ...FREE },
  },
  return: { from: ['review'], to: 'drafted', set: { ...UNAPPROVED, ...FREE, note: given('note') } },
  reject: { from: ['review'], to: 'cancelled', set: cancelled('rejected') },
  /** It says something else now; no one has to read it where no reason is given. */
  change: {
    from: UNSTARTED,
    to: choice(stays, column('state'), CHANGED.to),
    set: {
      ...unlessItStays({ ...UNHELD, ...GOING, scheduled_for: CHANGED.scheduled_for }),
      ...UNAPPROVED,
      ...FREE,
      // Its gate is asked again.
      recheck_at: choice(
        heldFor('address_changed', 'suppressed'),
        NOW,
        choice(stays, column('recheck_at'), null),
      ),
      fingerprint: given('fingerprint'),
      review_reason: given('review_reason'),
    },
  },
  wait: {
    from: ['scheduled'],
    to: 'scheduled',
    set: { ...FREE, not_before: given('until'), waiting_for: given('why') },
  },
  hold: { from: ['review', 'scheduled', 'held'], to: 'held', set: HELD },
  /** Nothing holds it any more; it may still wait. */
  release: {
    from: ['held'],
    to: AS_IT_WAS.to,
    set: {
      ...UNHELD,
      ...FREE,
      scheduled_for: AS_IT_WAS.scheduled_for,
      not_before: choice(AS_IT_WAS.unread, null, given('wait_until')),
      waiting_for: choice(AS_IT_WAS.unread, null, given('wait_why')),
    },
  },
  cancel: { from: UNSTARTED, to: 'cancelled', set: cancelled(given('reason')) },
  /** Its end is let out: what happens to this process from here on, no one knows. */
  start: {
    from: ['scheduled'],
    to: 'sending',
    set: {
      sending_at: NOW,
      sending_via: given('via'),
      lease_until: given('until'),
      waiting_for: null,
      first_attempt_at: first(column('first_attempt_at'), NOW),
    },
  },
  accepted: {
    from: ['sending', 'uncertain'],
    to: 'sent',
    set: {
      ...GOING,
      ...FREE,
      sent_at: NOW,
      delivery: 'accepted',
      delivery_at: NOW,
      attempts: plus('attempts'),
    },
  },
  put_off: {
    from: IN_HAND,
    to: 'scheduled',
    set: {
      ...FREE,
      ...UNSAID,
      waiting_for: given('why'),
      not_before: given('until'),
      attempts: plus('attempts', given('tries')),
      first_attempt_at: choice(
        { among: [0], value: given('tries') },
        column('first_attempt_at'),
        first(column('first_attempt_at'), NOW),
      ),
    },
  },
  /** Given back as it was before it was taken. */
  give_back: { from: IN_HAND, to: 'scheduled', set: { ...FREE, ...UNSAID } },
  failed: {
    from: IN_HAND,
    to: 'failed',
    set: {
      ...GOING,
      ...FREE,
      failed_reason: given('reason'),
      delivery: given('delivery'),
      delivery_at: NOW,
      attempts: plus('attempts'),
      first_attempt_at: first(column('first_attempt_at'), NOW),
    },
  },
  /** The sender holds it: a gate is shut, or the next hop takes nothing from this sender. */
  kept_back: { from: IN_HAND, to: 'held', set: { ...HELD, ...NOT_TAKEN } },
  called_off: { from: IN_HAND, to: 'cancelled', set: { ...cancelled(given('reason')), ...NOT_TAKEN } },
  /** No one knows whether it arrived. The lease stays on the row, so that an answer that comes late still counts. */
  lost: { from: ['sending'], to: 'uncertain', set: { lease_until: null, waiting_for: null } },
  /** It failed, and someone has it sent again. */
  again: { from: ['failed'], to: AS_IT_WAS.to, set: { ...ANEW, resent: plus('resent') } },
  went: {
    from: ['uncertain', 'held'],
    only_if: { any: [{ among: ['uncertain'], value: column('state') }, sentOnceAlready] },
    to: 'sent',
    set: {
      ...UNHELD,
      ...GOING,
      ...FREE,
      // It went before someone sent it again.
      sending_at: first(column('sending_at'), column('resent_at')),
      sent_at: NOW,
    },
  },
  did_not_go: { from: ['uncertain'], to: AS_IT_WAS.to, set: ANEW },
} as const satisfies Record<string, Edge<SendState>>;

export type ActName = keyof typeof acts;

export const LETTERS: Machine<SendState, ActName> = {
  table: 'sends',
  acts,
  always: { revision: plus('revision'), updated_at: NOW },
};
