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
      ? saying('snoozed_until', 'snoozed_until: say until when the thread is snoozed')
      : { state: state ?? 'open', snoozed_until: null };
  if (state !== undefined && state !== 'snoozed')
    return saying('snoozed_until', `snoozed_until: a thread that becomes ${state} is not snoozed`);
  if (thread.kind === 'chat')
    return conflict('a chat is not snoozed: nobody waits in it, so close it or leave it open');
  const until = new Date(snoozed_until);
  if (until <= now) return saying('snoozed_until', 'snoozed_until: give a time that is still to come');
  if (until > after(now, SNOOZE_DAYS_MAX * DAY_MS))
    return saying('snoozed_until', 'snoozed_until: give a time within a year; close what may wait longer');
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
    return conflict('these two are one thread already: name the other thread that is to become part of it');
  if (into.kind === 'chat' || from.kind === 'chat')
    return conflict('a chat is nobody else’s, so it is merged with nothing: begin a new one instead');
  if (into.person_id !== null && from.person_id !== null && into.person_id !== from.person_id)
    return conflict(
      'these are threads with two people, and one would read as said to the other: if they are one person, merge the two records of them first',
      { person_id: into.person_id, from_person_id: from.person_id },
    );
  return null;
}

export function refusedToSplit(thread: Thread, asked: readonly string[]): Refusal | null {
  if (thread.kind === 'chat')
    return conflict('a chat is one turn after the other and is not split: begin a new one instead');
  if (new Set(asked).size < asked.length) return saying('touches', 'touches: name each touch once');
  if (asked.length >= thread.touch_count)
    return conflict(
      'at least one touch stays: a thread that loses all of them would be left with nothing said',
    );
  return null;
}

/** Once each, in their order. */
export const distinctLabels = (labels: readonly string[]): string[] => [
  ...new Set(labels.map((label) => label.normalize('NFC'))),
];
