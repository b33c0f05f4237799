// What may be done to a thread, as values: the state it comes to, and who may be merged and split.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import { type Refusal, changedSince, conflict, invalid } from '../../../kernel/refusal.ts';
import type { Thread } from './contract.ts';
import type { ThreadState } from './names.rules.ts';

/** What a person asks of it by hand; what it comes to is in thread-states.rules.ts. */
export type StateAsked = { state?: ThreadState | undefined; snoozed_until?: string | undefined };
export type StateGiven = { state: ThreadState; snoozed_until: Date | null };

const SNOOZE_DAYS_MAX = 366;

/** Null where nothing is asked. */
export function ruleState(
  thread: Pick<Thread, 'kind'>,
  { state, snoozed_until }: StateAsked,
  now: Date,
): StateGiven | Refusal | null {
  if (state === undefined && snoozed_until === undefined) return null;
  if (snoozed_until === undefined)
    return state === 'snoozed'
      ? saying('snoozed_until', 'snoozed_until is required when you snooze a thread')
      : { state: state ?? 'open', snoozed_until: null };
  if (state !== undefined && state !== 'snoozed')
    return saying('snoozed_until', `snoozed_until: leave it out when state is ${state}`);
  if (thread.kind === 'chat') return conflict('a chat can’t be snoozed: close it, or leave it open');
  const until = new Date(snoozed_until);
  if (until <= now) return saying('snoozed_until', 'snoozed_until: give a future time');
  if (until > after(now, SNOOZE_DAYS_MAX * DAY_MS))
    return saying(
      'snoozed_until',
      'snoozed_until: give a time within a year; close the thread if it can wait longer',
    );
  return { state: 'snoozed', snoozed_until: until };
}

const saying = (field: string, says: string): Refusal => invalid(says, { [field]: says });

export function refusedAsStale(
  { revision }: Pick<Thread, 'revision'>,
  given: number,
  which = 'this thread',
): Refusal | null {
  if (revision === given) return null;
  return changedSince(which, revision);
}

/** What was said to one person is never shown as said to another. */
export function refusedToMerge(into: Thread, from: Thread): Refusal | null {
  if (into.id === from.id)
    return conflict('from is the thread you are merging into: give a different thread');
  if (into.kind === 'chat' || from.kind === 'chat')
    return conflict('a chat can’t be merged: start a new one instead');
  if (into.person_id !== null && from.person_id !== null && into.person_id !== from.person_id)
    return conflict(
      'these threads are with two different people: if they are the same person, merge their records first',
      { person_id: into.person_id, from_person_id: from.person_id },
    );
  return null;
}

export function refusedToSplit(thread: Thread, asked: readonly string[]): Refusal | null {
  if (thread.kind === 'chat') return conflict('a chat can’t be split: start a new one instead');
  if (new Set(asked).size < asked.length) return saying('touches', 'touches: list each touch only once');
  if (asked.length >= thread.touch_count)
    return conflict('at least one touch must stay in the thread: leave one out of touches');
  return null;
}

/** Once each, in their order. */
export const distinctLabels = (labels: readonly string[]): string[] => [
  ...new Set(labels.map((label) => label.normalize('NFC'))),
];
