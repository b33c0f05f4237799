// Letters that wait, by what stops them: the groups in which they are shown, and what is said of each.
import type { Outlook, Send } from '../../contract.ts';
import { WAITS } from '../../letter/reasons.rules.ts';

/** In the order in which someone looks into them. */
export const WAITING = ['uncertain', 'held', 'review', 'drafted', 'scheduled'] as const;
export type WaitingState = (typeof WAITING)[number];

export type Group = {
  key: string;
  state: WaitingState;
  /** What holds them or what they wait for; null where nothing but their turn does. */
  reason: string | null;
  letters: Send[];
  /** There are more than were read. */
  more: boolean;
  /** The one that is due first. */
  first: Send;
};

const due = ({ not_before, scheduled_for, created_at }: Send): string =>
  not_before ?? scheduled_for ?? created_at;

/** Most first in each state. `more`: states of which not all letters were read. */
export function groupsOf(letters: readonly Send[], more: ReadonlySet<string>): Group[] {
  const by = Map.groupBy(letters, ({ state, hold, waiting_for }) =>
    `${state} ${hold?.reason ?? waiting_for ?? ''}`.trim(),
  );
  const groups = [...by].flatMap(([key, of]): Group[] => {
    const first = of.toSorted((a, b) => due(a).localeCompare(due(b)))[0];
    const state = WAITING.find((one) => one === first?.state);
    if (!first || !state) return [];
    const reason = first.hold?.reason ?? first.waiting_for;
    return [{ key, state, reason, letters: of, more: more.has(state), first }];
  });
  return groups.toSorted(
    (a, b) => WAITING.indexOf(a.state) - WAITING.indexOf(b.state) || b.letters.length - a.letters.length,
  );
}

/** What is said of all of them; null where time alone keeps them, or where it is not known yet. */
export function causeOf({ first }: Group, outlook: Outlook | undefined): Outlook['why_not'] {
  const { hold, waiting_for } = first;
  if (hold) return hold;
  if (waiting_for) {
    const { says, fix, who } = WAITS[waiting_for];
    return { reason: waiting_for, sentence: says, fix, who };
  }
  return outlook?.why_not ?? null;
}

/** It went, or never will. */
export const isOver = ({ state }: Pick<Send, 'state'>): boolean =>
  !WAITING.some((one) => one === state) && state !== 'sending';
