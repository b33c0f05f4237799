// What is chosen in a list for a run: rows that are loaded, or all that its filter shows, loaded or not. Another filter chooses
// nothing.
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { call, type Takes } from '../client/call.ts';
import type { ListName, Pages } from '../client/hooks.ts';
import type { Selection } from '../kit/data-list.tsx';
import { confirm } from '../kit/confirm.ts';
import { counted, many } from '../kit/numbers.ts';
import { loadTray, type Run } from './runs-shown.ts';
import { MOST, type ReadPage } from './runs.ts';

export type Chosen<Row> = {
  /** Wires the list. */
  selection: Selection;
  /** Those of them that are loaded. */
  picked: Row[];
  /** All that the filter shows. */
  all: boolean;
  /** Null where the list does not know it. */
  count: number | null;
  /** Where all that is loaded is chosen and there is more: chooses that too. */
  chooseAll: (() => void) | null;
  clear: () => void;
  records: Row[] | ReadPage<Row>;
};

const PAGE = 200;
const NONE: ReadonlySet<string> = new Set();

/** `known`: how many the filter shows, where the list knows it. */
export function useChosen<N extends ListName, Row extends { id: string }>(
  name: N,
  args: Takes<N>,
  pages: Pick<Pages<Row>, 'rows' | 'more'>,
  known: number | null = null,
): Chosen<Row> {
  const of = JSON.stringify(args);
  const { rows, more } = pages;
  const [kept, keep] = useState({ of, ids: NONE, all: false, whole: false });
  /** `whole`: it was all that was loaded then; more may have come since. */
  const choose = (
    ids: ReadonlySet<string>,
    whole = rows.length > 0 && rows.every(({ id }) => ids.has(id)),
  ): void => keep({ of, ids, all: false, whole });
  if (kept.of !== of) choose(NONE, false);
  const { ids, all, whole } = kept.of === of ? kept : { ids: NONE, all: false, whole: false };
  const picked = all ? rows : rows.filter(({ id }) => ids.has(id));
  const beyond = more !== null || picked.length < rows.length;
  return {
    selection: { selected: all ? new Set(rows.map(({ id }) => id)) : ids, onSelect: (next) => choose(next) },
    picked,
    all,
    count: !all || more === null ? picked.length : known,
    chooseAll:
      whole && beyond && picked.length > 0 ? () => keep({ of, ids: NONE, all: true, whole: false }) : null,
    clear: () => choose(NONE, false),
    records: all
      ? (cursor) =>
          call(name, { ...(args as object), limit: PAGE, ...(cursor && { cursor }) } as Takes<N>) as Promise<{
            items: Row[];
            next_cursor: string | null;
          }>
      : picked,
  };
}

/** `3 people`, `all 3,420 people`, `the first 10,000 people`, `all people that match`. */
export function howMany({ all, count }: Pick<Chosen<unknown>, 'all' | 'count'>, of: Run['of']): string {
  if (count === null) return `all ${of[1]} that match`;
  if (count > MOST) return `the first ${many(MOST, ...of)}`;
  return `${all ? 'all ' : ''}${many(count, ...of)}`;
}

type AskAll = { title: string; says?: string; act: string };

/** An act on more than can be seen is asked about first; on what was picked it is not. */
export const sureOfAll = async (
  { all }: Pick<Chosen<unknown>, 'all'>,
  { title, says, act }: AskAll,
): Promise<boolean> =>
  !all ||
  (await confirm({
    title,
    says: `${says ? `${says} ` : ''}It is for all that the filter shows, and not only for what is loaded here.`,
    act,
  }));

type ChosenCountProps = { chosen: Chosen<unknown>; known?: number | null };

/** How many are chosen, and the way to all of them. */
export function ChosenCount({ chosen, known = null }: ChosenCountProps) {
  const { all, count, chooseAll } = chosen;
  const any = chosen.picked.length > 0;
  useEffect(() => {
    if (any) void loadTray().catch(() => {});
  }, [any]);
  const some = (n: number): string =>
    n > MOST ? `the first ${counted(MOST)}` : `${all ? 'all ' : ''}${counted(n)}`;
  const says = `${count === null ? 'all that match' : some(count)} selected`;
  return (
    <>
      <strong role="status">{says.charAt(0).toUpperCase() + says.slice(1)}</strong>
      {chooseAll && (
        <Button variant="subtle" size="compact-sm" onClick={chooseAll}>
          {known === null
            ? 'Select all that match'
            : known > MOST
              ? `Select the first ${counted(MOST)}`
              : `Select all ${counted(known)}`}
        </Button>
      )}
    </>
  );
}
