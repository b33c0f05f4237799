// Saving a record's fields against the revision that was read, one after the other. What someone else changed meanwhile is
// never overwritten unseen: where the same field changed, the save stops, shows it, and goes on only when told to.
import { useRef, useState } from 'react';
import { ApiError } from '../client/call.ts';
import { tellRefusal } from '../client/toast.ts';
import { useLeaveGuard } from './leave.ts';

type Record_ = { id: string; revision: number };
type Change = Record<string, unknown>;
export type Conflict<R> = { change: Change; read: R; now: R };

type Options = {
  /** Takes a refusal, which is said in a toast otherwise. */
  refused?: ((error: ApiError) => void) | undefined;
  /** The fields as they was when the edit began. */
  from?: Change | undefined;
};

export type Saving<R> = {
  /**
   * True once nothing of it is left to save: it is saved, or someone left what is there now. False where it was refused.
   * While it waits for someone's choice it is undecided.
   */
  save: (change: Change, options?: Options) => Promise<boolean>;
  conflict: Conflict<R> | null;
  settle: (how: 'mine' | 'theirs') => Promise<void>;
};

type Desk<R> = {
  record: R;
  put: (change: Change, revision: number) => Promise<R>;
  read: () => Promise<R>;
  /** Writes what is known of the record, so that every part of the screen shows it. */
  show: (record: R) => void;
};

type Outcome<R> = { on: R; end: 'saved' | 'refused' | 'stopped' };

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Whether two readings differ in what a change touches; of the instance's own fields only those that it sets. */
function differs(a: object, b: object, change: object): boolean {
  return Object.entries(change).some(([key, value]) => {
    const [one, other] = [(a as Change)[key], (b as Change)[key]];
    return key === 'custom' ? differs(one ?? {}, other ?? {}, value as object) : !same(one, other);
  });
}

const over = (first: Change, then: Change): Change => ({
  ...first,
  ...then,
  ...(first['custom'] && then['custom']
    ? { custom: { ...(first['custom'] as object), ...(then['custom'] as object) } }
    : {}),
});

export function useSaving<R extends Record_>({ record, put, read, show }: Desk<R>): Saving<R> {
  const [conflict, setConflict] = useState<Conflict<R> | null>(null);
  const undecided = useRef<((end: boolean) => void)[]>([]);
  // Leaving a field for another saves twice within a moment: the second goes on from what the first left.
  const tail = useRef<Promise<R> | null>(null);
  useLeaveGuard(conflict !== null);

  /** What already waits for a choice waits on beside it. */
  const stop = (change: Change, before: R, now: R): Outcome<R> => {
    setConflict((other) =>
      other
        ? { change: over(other.change, change), read: { ...before, ...touchedIn(other) }, now }
        : { change, read: before, now },
    );
    return { on: now, end: 'stopped' };
  };

  const attempt = async (on: R, change: Change, force: boolean, options: Options): Promise<Outcome<R>> => {
    const { from, refused } = options;
    // An answer that was lost on its way: it is there already.
    if (from && !force && differs(from, on, change) && !differs(change, on, change))
      return { on, end: 'saved' };
    if (from && !force && differs(from, on, change)) return stop(change, over(on, from) as R, on);
    try {
      const next = await put(change, on.revision);
      show(next);
      return { on: next, end: 'saved' };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const changed = error.status === 409 ? await read().catch(() => null) : null;
      if (!changed || changed.revision === on.revision) {
        if (refused) refused(error);
        else if (error.code !== 'given_up') tellRefusal(error);
        return { on, end: 'refused' };
      }
      show(changed);
      if (!differs(change, changed, change)) return { on: changed, end: 'saved' };
      if (force || !differs(on, changed, change)) return attempt(changed, change, force, { refused });
      return stop(change, on, changed);
    }
  };

  const inTurn = async (change: Change, force: boolean, options: Options): Promise<Outcome<R>['end']> => {
    const before = tail.current ?? Promise.resolve(record);
    const turn = before.then((on) =>
      attempt(on.revision > record.revision ? on : record, change, force, options),
    );
    const left = turn.then((result) => result.on);
    tail.current = left;
    const ended = (): void => {
      if (tail.current === left) tail.current = null;
    };
    left.then(ended, ended);
    return (await turn).end;
  };

  return {
    async save(change, options = {}) {
      const end = await inTurn(change, false, options);
      if (end !== 'stopped') return end === 'saved';
      return new Promise((resolve) => undecided.current.push(resolve));
    },
    conflict,
    async settle(how) {
      const waiting = undecided.current.splice(0);
      const stopped = conflict;
      setConflict(null);
      const end = how === 'mine' && stopped ? await inTurn(stopped.change, true, {}) : 'saved';
      for (const resolve of waiting) resolve(end === 'saved');
    },
  };
}

/** Sets one field of the record; `from` is what was there when it was typed. */
export const fieldSetter =
  <R>(saving: Saving<R>) =>
  (field: string) =>
  (value: unknown, from?: unknown): Promise<boolean> =>
    saving.save({ [field]: value }, { from: from === undefined ? undefined : { [field]: from } });

const touchedIn = <R extends object>({ change, read }: Conflict<R>): Partial<R> =>
  Object.fromEntries(Object.entries(read).filter(([key]) => key in change)) as Partial<R>;
