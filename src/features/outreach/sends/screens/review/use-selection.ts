// Letters that are selected, each as it was read when it was chosen: one that says something else by now is not approved unseen.
import { useState } from 'react';
import { tell } from '../../../../../ui/client/toast.ts';
import type { Send } from '../../contract.ts';

/** As many as the product approves at once. */
const AT_ONCE = 50;

export type LetterSelection = {
  chosen: Send[];
  has: (id: string) => boolean;
  toggle: (send: Send) => void;
  all: () => void;
  clear: () => void;
  /** Chosen letters that left the queue or say something else now. */
  changed: Send[];
  dropChanged: () => void;
};

const TOO_MANY = `You can select up to ${AT_ONCE} letters. Approve these first.`;

export function useSelection(rows: Send[]): LetterSelection {
  const [by, setBy] = useState<ReadonlyMap<string, Send>>(new Map());
  const now = new Map(rows.map((row) => [row.id, row.fingerprint]));
  const chosen = [...by.values()];
  const changed = chosen.filter((send) => now.get(send.id) !== send.fingerprint);
  const without = (ids: string[]): void => setBy(new Map([...by].filter(([id]) => !ids.includes(id))));
  return {
    chosen,
    has: (id) => by.has(id),
    toggle: (send) => {
      if (by.has(send.id)) without([send.id]);
      else if (by.size >= AT_ONCE) tell(TOO_MANY);
      else setBy(new Map([...by, [send.id, send]]));
    },
    all: () => setBy(new Map(rows.slice(0, AT_ONCE).map((row) => [row.id, row]))),
    clear: () => setBy(new Map()),
    changed,
    dropChanged: () => without(changed.map(({ id }) => id)),
  };
}
