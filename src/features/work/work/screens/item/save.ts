// Saving an item's fields against the revision that was read. What changed meanwhile is never overwritten unseen: the save
// stops, shows what changed, and goes on only when told to; what was typed is kept.
import { useRef, useState } from 'react';
import { ApiError, call, type Takes } from '../../../../../ui/client/call.ts';
import { known, useAct } from '../../../../../ui/client/hooks.ts';
import { tell, tellRefusal } from '../../../../../ui/client/toast.ts';
import type { Status } from '../../contract.ts';
import type { Item } from '../../items.contract.ts';

export type ItemPatch = Omit<Takes<'item_update'>, 'item_id' | 'revision'>;

/** What stopped a save: what was to be saved, and the item as it was read and as it is. */
export type Conflict = { change: ItemPatch; read: Item; now: Item };

export type Saving = {
  /** `read` is the item as it was when the edit began, `shown` what the change looks like; true once it is saved. */
  save: (change: ItemPatch, options?: { read?: Item; shown?: Partial<Item> }) => Promise<boolean>;
  /**
   * For a field that keeps what was typed: true once nothing of it is left to save, also where someone left what exists.
   * `from` is what was in it when it was typed; of `custom` that field alone.
   */
  keep: (change: ItemPatch, shown: Partial<Item>, from?: Partial<Item>) => Promise<boolean>;
  move: (to: Status) => void;
  conflict: Conflict | null;
  settle: (how: 'mine' | 'theirs') => Promise<boolean>;
  busy: boolean;
};

const text = (value: unknown): string => JSON.stringify(value ?? null);

/** Of the project's own fields only those that the change sets. */
const differs = (a: Item, b: Item, { custom = {}, ...change }: ItemPatch): boolean =>
  Object.keys(change).some((key) => text(a[key as keyof Item]) !== text(b[key as keyof Item])) ||
  Object.keys(custom).some((key) => text(a.custom[key]) !== text(b.custom[key]));

export function useSaving(item: Item): Saving {
  const [conflict, setConflict] = useState<Conflict | null>(null);
  // What is under way, giving the item as it is then: the next one goes on from there. Leaving a field for another saves twice
  // within a moment, and neither is a conflict with the other.
  const tail = useRef<Promise<Item> | null>(null);
  const undecided = useRef<((end: boolean) => void)[]>([]);
  const args = { item_id: item.id };
  const act = useAct('item_update', { quiet: true });
  const moving = useAct('item_move', {
    onSuccess: ({ item: moved }, { status }) => {
      if (status === 'done' && moved.status === 'in_review')
        tell(`${moved.key} is in review. It’s done once someone approves it.`);
    },
  });

  const current = (): Item => known.get('item_get', args)?.item ?? item;
  const show = (next: Item): Item => {
    const read = known.get('item_get', args) ?? { comments: null, comment_count: null };
    known.set('item_get', args, { ...read, item: next });
    return next;
  };
  const inTurn = (shown: Partial<Item>, work: (on: Item) => Promise<Item>): Promise<Item> => {
    const before = tail.current ?? Promise.resolve(current());
    show({ ...current(), ...shown });
    const turn = before.then(async (on) => {
      show({ ...on, ...shown });
      return show(await work(on));
    });
    tail.current = turn;
    const over = (): void => {
      if (tail.current === turn) tail.current = null;
    };
    turn.then(over, over);
    return turn;
  };

  const stop = (at: Conflict): 'stopped' => {
    setConflict(at);
    return 'stopped';
  };
  const send = async (change: ItemPatch, shown: Partial<Item>): Promise<'saved' | 'refused' | 'stopped'> => {
    let end: 'saved' | 'refused' | 'stopped' = 'refused';
    await inTurn(shown, async (on) => {
      try {
        const answer = await act.mutateAsync({ ...args, revision: on.revision, ...change });
        setConflict(null);
        end = 'saved';
        return answer.item;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status !== 409) {
          tellRefusal(error);
          return on;
        }
        const { item: now } = await call('item_get', args);
        end = stop({ change, read: on, now });
        return now;
      }
    });
    return end;
  };

  return {
    save: async (change, { read, shown = {} } = {}) => {
      const now = read && (await (tail.current ?? current()));
      if (!now || read.revision === now.revision || !differs(read, now, change))
        return (await send(change, shown)) === 'saved';
      setConflict({ change, read, now });
      return false;
    },
    async keep(change, shown, from) {
      // Shown at once where there is nothing to compare.
      const now = from && (await (tail.current ?? current()));
      const read = now && { ...now, ...from, custom: { ...now.custom, ...from.custom } };
      const end =
        now && read && differs(read, now, change) ? stop({ change, read, now }) : await send(change, shown);
      if (end !== 'stopped') return end === 'saved';
      return new Promise((resolve) => undecided.current.push(resolve));
    },
    move: (status) =>
      void inTurn({ status }, (on) =>
        moving.mutateAsync({ ...args, status }).then(
          (answer) => answer.item,
          () => on,
        ),
      ),
    conflict,
    settle: async (how) => {
      const waiting = undecided.current.splice(0);
      const mine = how === 'mine' && conflict !== null;
      const end = mine ? await send(conflict.change, {}) : 'refused';
      if (!mine) setConflict(null);
      for (const resolve of waiting) resolve(!mine || end === 'saved');
      return end === 'saved';
    },
    busy: act.isPending,
  };
}
