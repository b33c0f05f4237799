// The one file that writes a thread's state, as the table says (thread-states.rules.ts). Whoever calls holds the thread's row.
import type { Transaction } from '../../../kernel/database.ts';
import { sets, stands } from '../../../store/machine.ts';
import type { ThreadState } from './names.rules.ts';
import { THREAD, type ThreadAct } from './thread-states.rules.ts';
import type { StateGiven } from './thread.rules.ts';

const acted = (tx: Transaction, act: ThreadAct, given: Record<string, unknown>, now: Date) => ({
  set: sets(tx, THREAD, act, given, now),
  may: stands<ThreadState>(tx, THREAD.acts[act], given, now),
});

const BY_HAND = { open: 'open', snoozed: 'snooze', closed: 'close' } as const satisfies Record<
  ThreadState,
  ThreadAct
>;

export async function setThreadState(
  tx: Transaction,
  id: string,
  { state, snoozed_until }: StateGiven,
  now: Date,
): Promise<void> {
  const { set, may } = acted(tx, BY_HAND[state], { until: snoozed_until }, now);
  await tx`update threads set ${set} where id = ${id} and ${may}`;
}

/** Something was said in it that someone waits for. */
export async function reopenThread(tx: Transaction, id: string, now: Date): Promise<void> {
  const { set, may } = acted(tx, 'reopen', {}, now);
  await tx`update threads set ${set} where id = ${id} and ${may}`;
}

/** It became part of another one: an id that led to it leads on to that one. */
export async function mergeAway(tx: Transaction, id: string, into: string, now: Date): Promise<void> {
  const { set, may } = acted(tx, 'merge_away', { into }, now);
  await tx`update threads set ${set} where id = ${id} and ${may}`;
}

export const dueSnoozes = (tx: Transaction, now: Date, count: number): Promise<{ id: string }[]> =>
  tx<{ id: string }[]>`
    select id from threads where state = 'snoozed' and snoozed_until <= ${now}
    order by snoozed_until, id limit ${count} for no key update skip locked`;

/** Threads whose time has come are open again; gives them. */
export async function wakeSnoozed(tx: Transaction, ids: readonly string[], now: Date): Promise<string[]> {
  const { set, may } = acted(tx, 'wake', {}, now);
  const woken = await tx<{ id: string }[]>`
    update threads set ${set}
    where id = any(${[...ids]}::uuid[]) and ${may} and snoozed_until <= ${now} returning id`;
  return woken.map(({ id }) => id);
}
