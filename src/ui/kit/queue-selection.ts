// The selection in a queue of decisions, each item as it was when it was selected. An item that changed since isn’t decided
// unseen. `x` selects one, Shift extends the selection.
import { useState } from 'react';
import { tell } from '../client/toast.ts';

type Queued = { id: string };

export type QueueSelection<Row> = {
  chosen: Row[];
  has: (id: string) => boolean;
  toggle: (row: Row) => void;
  /** Selects what is between the row that was selected last and this one, both included. */
  extend: (row: Row) => void;
  all: () => void;
  clear: () => void;
  /** Chosen rows that left the queue or say something else now. */
  changed: Row[];
  drop: (ids: readonly string[]) => void;
};

type Limits<Row> = {
  /** What a row says, in a word that changes with it. */
  mark: (row: Row) => string | number;
  /** As many as the product decides at once. */
  most: number;
  tooMany: string;
};

export function useQueueSelection<Row extends Queued>(
  rows: Row[],
  { mark, most, tooMany }: Limits<Row>,
): QueueSelection<Row> {
  const [by, setBy] = useState<ReadonlyMap<string, Row>>(new Map());
  const [from, setFrom] = useState<string | null>(null);
  const now = new Map(rows.map((row) => [row.id, mark(row)]));
  const chosen = [...by.values()];
  const drop = (ids: readonly string[]): void => setBy(new Map([...by].filter(([id]) => !ids.includes(id))));
  const add = (more: Row[]): void => {
    const all = new Map([
      ...by,
      ...more.filter(({ id }) => !by.has(id)).map((row) => [row.id, row] as const),
    ]);
    if (all.size > most) tell(tooMany);
    setBy(new Map([...all].slice(0, most)));
  };
  return {
    chosen,
    has: (id) => by.has(id),
    toggle: (row) => {
      setFrom(row.id);
      if (by.has(row.id)) drop([row.id]);
      else add([row]);
    },
    extend: (row) => {
      const to = rows.findIndex(({ id }) => id === row.id);
      const start = rows.findIndex(({ id }) => id === from);
      setFrom(row.id);
      if (to >= 0) add(rows.slice(Math.min(start < 0 ? to : start, to), Math.max(start, to) + 1));
    },
    all: () => setBy(new Map(rows.slice(0, most).map((row) => [row.id, row]))),
    clear: () => setBy(new Map()),
    changed: chosen.filter((row) => now.get(row.id) !== mark(row)),
    drop,
  };
}
