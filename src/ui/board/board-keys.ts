// The keyboard of a board: the arrows (or h j k l) walk from card to card, with Shift they carry the card along, and single
// letters act on the card that has the focus.
import { useEffect, useRef } from 'react';
import { focusOn } from '../kit/focus.ts';
import { useKeys } from '../kit/keys.ts';
import { type Placed, positionAt, type Spot } from './place.ts';

type KeyColumn<S extends string, C> = { status: S; more: number; cards: C[] };

/** A letter of its own that acts on the card. */
type CardKey<C> = { keys: string; does: string; run: (card: C) => void };

export type BoardKeys<S extends string, C extends Placed<S>> = {
  /** Columns that are not folded, in order. */
  columns: KeyColumn<S, C>[];
  statuses: S[];
  active: string | null;
  setActive: (id: string) => void;
  reveals: Map<S, (index: number) => void>;
  /** By a key: the card is followed to where it goes. */
  move: (card: C, to: Spot<S>) => void;
  menu: (id: string) => void;
  also: CardKey<C>[];
};

const linkOf = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-card="${id}"] [data-card-link]`);

export function focusCard(id: string): void {
  focusOn(() => linkOf(id), '[data-card]');
}

export function useBoardKeys<S extends string, C extends Placed<S>>({
  columns,
  statuses,
  active,
  setActive,
  reveals,
  move,
  menu,
  also,
}: BoardKeys<S, C>): void {
  const at = columns.findIndex((column) => column.cards.some((card) => card.id === active));
  const column = columns[at];
  const row = column?.cards.findIndex((card) => card.id === active) ?? -1;
  const card = column?.cards[row] ?? null;
  const full = columns.filter((one) => one.cards.length > 0);
  useKeptFocus(active, column ? `${column.status} ${row}` : null, () => {
    if (column) reveals.get(column.status)?.(row);
  });

  const go = (to: KeyColumn<S, C> | undefined, index: number): void => {
    const next = to?.cards[Math.min(Math.max(index, 0), to.cards.length - 1)];
    if (!to || !next) return;
    setActive(next.id);
    reveals.get(to.status)?.(to.cards.indexOf(next));
    focusCard(next.id);
  };
  const walk = (down: number): void => (column ? go(column, row + down) : go(full[0], 0));
  const aside = (right: number): void => {
    if (!column) return go(full[0], 0);
    go(
      right > 0
        ? columns.slice(at + 1).find((one) => one.cards.length > 0)
        : columns.slice(0, at).findLast((one) => one.cards.length > 0),
      row,
    );
  };
  const carry = (down: number): void => {
    if (!card || !column) return;
    const others = column.cards.filter((other) => other.id !== card.id);
    const index = row + down;
    if (index < 0 || index > others.length) return;
    const position = positionAt(others, index, column.more);
    if (position !== undefined) move(card, { status: column.status, position });
  };
  const carryAside = (right: number): void => {
    const to = card && statuses[statuses.indexOf(card.status) + right];
    if (card && to) move(card, { status: to });
  };
  const on = (act: (card: C) => void) => (): void => (card ? act(card) : undefined);
  const arrow =
    (step: (by: number) => void, take: (by: number) => void, by: number) => (event: KeyboardEvent) =>
      event.shiftKey ? take(by) : step(by);

  const group = 'Board';
  useKeys([
    { keys: 'j', does: 'Next card', group, run: () => walk(1) },
    { keys: 'k', does: 'Previous card', group, run: () => walk(-1) },
    { keys: 'h', does: 'Column to the left', group, run: () => aside(-1) },
    { keys: 'l', does: 'Column to the right', group, run: () => aside(1) },
    { keys: 'J', does: 'Move card down (Shift)', group, run: () => carry(1) },
    { keys: 'K', does: 'Move card up (Shift)', group, run: () => carry(-1) },
    { keys: 'H', does: 'Move card left (Shift)', group, run: () => carryAside(-1) },
    { keys: 'L', does: 'Move card right (Shift)', group, run: () => carryAside(1) },
    { keys: 'ArrowDown', does: 'Next card', group, silent: true, run: arrow(walk, carry, 1) },
    { keys: 'ArrowUp', does: 'Previous card', group, silent: true, run: arrow(walk, carry, -1) },
    { keys: 'ArrowLeft', does: 'Column to the left', group, silent: true, run: arrow(aside, carryAside, -1) },
    {
      keys: 'ArrowRight',
      does: 'Column to the right',
      group,
      silent: true,
      run: arrow(aside, carryAside, 1),
    },
    { keys: 'm', does: 'Move to…', group, run: on((one) => menu(one.id)) },
    ...also.map(({ keys, does, run }) => ({ keys, does, group, run: on(run) })),
  ]);
}

/** A card that had the focus keeps it, and stays in sight, when it is shown in another place. */
function useKeptFocus(active: string | null, place: string | null, reveal: () => void): void {
  const had = useRef(false);
  const before = useRef<{ active: string | null; place: string | null }>({ active: null, place: null });
  useEffect(() => {
    const track = (): void => {
      had.current = document.activeElement?.matches('[data-card-link]') ?? false;
    };
    document.addEventListener('focusin', track);
    return () => document.removeEventListener('focusin', track);
  }, []);
  useEffect(() => {
    const last = before.current;
    before.current = { active, place };
    if (!active || place === null || last.active !== active || last.place === place) return;
    const link = linkOf(active);
    if (!had.current || ![document.body, link].includes(document.activeElement as HTMLElement)) return;
    reveal();
    focusCard(active);
  });
}
