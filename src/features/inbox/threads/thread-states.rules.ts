// The states of a thread, as a table: the rule, and what the SQL is made of (thread-states.store.ts).
//
//   open ⇄ snoozed ⇄ closed, by hand; what is said again is snoozed or closed again
//   snoozed, closed → open      someone of theirs wrote (a machine's mail opens nothing), or what was merged into it was open
//   snoozed → open              its time has come
//   any → closed                it became part of another one
import { given, isNull, column, type Machine, NOW, plus } from '../../../kernel/machine.ts';
import type { ThreadState } from './names.rules.ts';

export type ThreadAct = 'open' | 'snooze' | 'close' | 'wake' | 'reopen' | 'merge_away';

const ANY = ['open', 'snoozed', 'closed'] as const;
/** One that became part of another one is closed, and stays so. */
const own = isNull(column('merged_into'));

export const THREAD = {
  table: 'threads',
  acts: {
    open: { from: ANY, only_if: own, to: 'open', set: { snoozed_until: null } },
    snooze: { from: ANY, only_if: own, to: 'snoozed', set: { snoozed_until: given('until') } },
    close: { from: ANY, only_if: own, to: 'closed', set: { snoozed_until: null } },
    wake: {
      from: ['snoozed'],
      to: 'open',
      set: { snoozed_until: null, revision: plus('revision'), updated_at: NOW },
    },
    reopen: { from: ['snoozed', 'closed'], only_if: own, to: 'open', set: { snoozed_until: null } },
    merge_away: {
      from: ANY,
      to: 'closed',
      set: { snoozed_until: null, merged_into: given('into'), labels: [] },
    },
  },
  always: {},
} as const satisfies Machine<ThreadState, ThreadAct>;
