// A list that doesn’t move while it is read: new rows wait behind a line that counts them.
import { useState } from 'react';
import type { Pages } from '../../../../../ui/client/hooks.ts';
import type { Thread } from '../../contract.ts';

type Kept = { of: string; ids: string[]; ended: boolean };

export type SettledRows = {
  rows: Thread[];
  /** Came since, and are shown when asked for. */
  fresh: number;
  show: () => void;
};

type Own = {
  /** Rows that left by an act that is under way. */
  gone: ReadonlySet<string>;
  /** Rows that an act brings back: they aren’t new. */
  back: ReadonlySet<string>;
};

/** `of`: what the list is of; another filter is another list. */
export function useSettled(of: string, pages: Pages<Thread>, { gone, back }: Own): SettledRows {
  const [kept, setKept] = useState<Kept>({ of: '', ids: [], ended: false });
  const now = pages.rows.map(({ id }) => id);
  const ended = pages.more === null;
  // Rows of the filter before are until those of this one are read.
  const settling = pages.pending || (kept.of !== of && pages.fetching);
  let ids = kept.ids;
  if (!settling) {
    if (kept.of !== of) ids = now;
    else {
      const there = new Set(now);
      const known = new Set(kept.ids);
      const stay = kept.ids.filter((id) => there.has(id));
      const last = now.findLastIndex((id) => known.has(id));
      // Another page was asked for: what is behind the last row of before was there all along.
      const behind = kept.ended && stay.length > 0 ? [] : now.slice(last + 1).filter((id) => !known.has(id));
      ids = [...stay, ...behind];
      const came = now.filter((id) => !known.has(id));
      if (stay.length === 0 || (came.length > 0 && came.every((id) => back.has(id)))) ids = now;
    }
    const same = kept.of === of && kept.ended === ended && ids.length === kept.ids.length;
    if (!same || ids.some((id, at) => id !== kept.ids[at])) setKept({ of, ids, ended });
  }
  const byId = new Map(pages.rows.map((row) => [row.id, row]));
  const shown = settling ? pages.rows : ids.flatMap((id) => byId.get(id) ?? []);
  const standing = new Set(ids);
  return {
    rows: shown.filter(({ id }) => !gone.has(id)),
    fresh: settling ? 0 : now.filter((id) => !standing.has(id) && !gone.has(id)).length,
    show: () => setKept({ of, ids: now, ended }),
  };
}
