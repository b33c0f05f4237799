// Saving an item's fields against the revision that was read. What changed meanwhile is never overwritten unseen: the save
// stops, shows what changed, and goes on only when told to; what was typed is kept.
import { useState } from 'react';
import { ApiError, call, type Takes } from '../../../ui/client/call.ts';
import { known, useAct } from '../../../ui/client/hooks.ts';
import { tell, tellRefusal } from '../../../ui/client/toast.ts';
import type { Status } from '../contract.ts';
import type { Item } from '../items.contract.ts';

export type Change = Omit<Takes<'item_update'>, 'item_id' | 'revision'>;

/** What stopped a save: what was to be saved, and the item as it was read and as it is. */
export type Conflict = { change: Change; read: Item; now: Item };

export type Saving = {
  /** `read` is the item as it was when the edit began, `shown` what the change looks like; true once it is saved. */
  save: (change: Change, options?: { read?: Item; shown?: Partial<Item> }) => Promise<boolean>;
  move: (to: Status) => void;
  conflict: Conflict | null;
  settle: (how: 'mine' | 'theirs') => Promise<boolean>;
  busy: boolean;
};

const text = (value: unknown): string => JSON.stringify(value ?? null);

const differs = (a: Item, b: Item, change: Change): boolean =>
  Object.keys(change).some((key) => text(a[key as keyof Item]) !== text(b[key as keyof Item]));

export function useSaving(item: Item): Saving {
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const args = { item_id: item.id };
  const act = useAct('item_update', {
    quiet: true,
    onSuccess: (answer) => known.set('item_get', args, answer),
  });
  const moving = useAct('item_move', {
    optimistic: ({ status }) => {
      known.set('item_get', args, { item: { ...item, status } });
      return () => known.set('item_get', args, { item });
    },
    onSuccess: ({ item: moved }, { status }) => {
      known.set('item_get', args, { item: moved });
      if (status === 'done' && moved.status === 'in_review')
        tell(`${moved.key} needs a review: it waits for somebody's approval.`);
    },
  });

  const send = async (change: Change, on: Item, shown: Partial<Item>): Promise<boolean> => {
    known.set('item_get', args, { item: { ...on, ...shown } });
    try {
      await act.mutateAsync({ ...args, revision: on.revision, ...change });
      setConflict(null);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      known.set('item_get', args, { item: on });
      if (error.status !== 409) tellRefusal(error);
      else {
        const { item: now } = await call('item_get', args);
        known.set('item_get', args, { item: now });
        setConflict({ change, read: on, now });
      }
      return false;
    }
  };

  return {
    save: async (change, { read = item, shown = {} } = {}) => {
      if (read.revision !== item.revision && differs(read, item, change)) {
        setConflict({ change, read, now: item });
        return false;
      }
      return send(change, item, shown);
    },
    move: (to) => moving.mutate({ ...args, status: to }),
    conflict,
    settle: async (how) => {
      if (how === 'mine' && conflict) return send(conflict.change, item, {});
      setConflict(null);
      return false;
    },
    busy: act.isPending,
  };
}
