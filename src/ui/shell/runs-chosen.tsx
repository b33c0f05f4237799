// The selection in a list for a bulk action: loaded rows, or everything the filter matches. All matches are found when they are
// selected, so the number that is confirmed is the number that is processed. Changing the filter clears the selection.
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ApiError, call, type Takes } from '../client/call.ts';
import type { ListName, Pages } from '../client/hooks.ts';
import { tellRefusal } from '../client/toast.ts';
import type { Selection } from '../kit/data-list.tsx';
import { confirm } from '../kit/confirm.ts';
import { counted, many } from '../kit/numbers.ts';
import { loadTray, type Run } from './runs-shown.ts';
import { MOST } from './runs.ts';

export type Chosen<Row> = {
  /** Wires the list. */
  selection: Selection;
  /** As they were when all were chosen, else as they are now. */
  picked: Row[];
  /** All that the filter showed then, or as many of them as a run takes. */
  all: boolean;
  /** How many that is. */
  count: number;
  /** There were more than a run takes. */
  cut: boolean;
  /** How many were found so far, while all are looked for. */
  finding: number | null;
  /** Where all that is loaded is chosen and there is more: chooses that too. */
  chooseAll: (() => void) | null;
  clear: () => void;
};

const PAGE = 200;
const NONE: ReadonlySet<string> = new Set();

type Kept<Row> = {
  of: string;
  ids: ReadonlySet<string>;
  /** `rows` null: everything the filter matches, however much is loaded. */
  all: { rows: Row[] | null; count: number; cut: boolean } | null;
  /** It was all that was loaded then; more may have come since. */
  whole: boolean;
  finding: number | null;
};

export function useChosen<N extends ListName, Row extends { id: string }>(
  name: N,
  args: Takes<N>,
  pages: Pick<Pages<Row>, 'rows' | 'more'>,
  /** Where an act takes a filter: counts what it matches, and nothing is looked for. */
  countAll?: () => Promise<number>,
): Chosen<Row> {
  const of = JSON.stringify(args);
  const { rows, more } = pages;
  const nothing: Kept<Row> = { of, ids: NONE, all: null, whole: false, finding: null };
  const [held, keep] = useState(nothing);
  if (held.of !== of) keep(nothing);
  const kept = held.of === of ? held : nothing;
  const search = useRef<AbortController | null>(null);
  useEffect(() => () => search.current?.abort(), [of]);
  const choose = (ids: ReadonlySet<string>): void => {
    search.current?.abort();
    keep({ ...nothing, ids, whole: rows.length > 0 && rows.every(({ id }) => ids.has(id)) });
  };
  const read = (cursor: string | null) =>
    call(name, { ...(args as object), limit: PAGE, ...(cursor && { cursor }) } as Takes<N>) as Promise<{
      items: Row[];
      next_cursor: string | null;
    }>;
  const chooseAll = async (): Promise<void> => {
    const { signal } = (search.current = new AbortController());
    const found: Row[] = [];
    keep({ ...kept, finding: 0 });
    try {
      if (countAll) {
        const count = await countAll();
        if (!signal.aborted) keep({ ...nothing, all: { rows: null, count, cut: false } });
        return;
      }
      for (let cursor: string | null = null; ;) {
        const { items, next_cursor }: Awaited<ReturnType<typeof read>> = await read(cursor);
        if (signal.aborted) return;
        found.push(...items.slice(0, MOST - found.length));
        cursor = next_cursor;
        if (cursor === null || found.length === MOST)
          return keep({ ...nothing, all: { rows: found, count: found.length, cut: cursor !== null } });
        keep({ ...kept, finding: found.length });
      }
    } catch (error) {
      if (signal.aborted) return;
      keep({ ...kept, finding: null });
      if (!(error instanceof ApiError)) throw error;
      tellRefusal(error);
    }
  };
  const { ids, all, whole, finding } = kept;
  const picked = all ? (all.rows ?? rows) : rows.filter(({ id }) => ids.has(id));
  const beyond = more !== null || picked.length < rows.length;
  return {
    selection: { selected: all ? new Set(picked.map(({ id }) => id)) : ids, onSelect: choose },
    picked,
    all: all !== null,
    count: all?.count ?? picked.length,
    cut: all?.cut ?? false,
    finding,
    chooseAll: whole && beyond && picked.length > 0 ? () => void chooseAll() : null,
    clear: () => choose(NONE),
  };
}

/** `3 people`, `all 3,420 people`, `the first 10,000 people`. */
export const howMany = (
  { count, all, cut }: Pick<Chosen<unknown>, 'count' | 'all' | 'cut'>,
  of: Run['of'],
): string => `${cut ? 'the first ' : all ? 'all ' : ''}${many(count, ...of)}`;

type AskAll = { title: string; says?: string; act: string };

/** An act on more than can be seen is asked about first; on what was picked it is not. */
export const sureOfAll = async (
  { all }: Pick<Chosen<unknown>, 'all'>,
  { title, says, act }: AskAll,
): Promise<boolean> =>
  !all ||
  (await confirm({
    title,
    says: `${says ? `${says} ` : ''}This applies to everything the filter matches, not only what’s loaded here.`,
    act,
  }));

type ChosenCountProps = {
  chosen: Chosen<unknown>;
  /** How many the filter shows, where the list knows it. */
  known?: number | null;
  /** As many as an act takes. */
  most?: number;
};

/** How many are chosen, and the way to all of them. */
export function ChosenCount({ chosen, known = null, most = MOST }: ChosenCountProps) {
  const { picked, count, all, cut, finding, chooseAll } = chosen;
  const any = picked.length > 0;
  useEffect(() => {
    if (any) void loadTray().catch(() => {});
  }, [any]);
  const which = cut ? 'The first ' : all ? 'All ' : '';
  return (
    <>
      <strong role="status">
        {finding === null
          ? `${which}${counted(count)} selected`
          : `Finding all matches: ${counted(finding)} so far…`}
      </strong>
      {chooseAll && finding === null && (
        <Button variant="subtle" size="compact-sm" onClick={chooseAll}>
          {known === null
            ? 'Select all that match'
            : known > most
              ? `Select the first ${counted(most)}`
              : `Select all ${counted(known)}`}
        </Button>
      )}
    </>
  );
}
