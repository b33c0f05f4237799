// Saving a record's fields against the revision that was read, one after the other. What somebody else changed meanwhile is
// never overwritten unseen: where the same field changed, the save stops, shows it, and goes on only when told to.
import { useRef, useState } from 'react';
import { ApiError } from '../../../ui/client/call.ts';
import { tellRefusal } from '../../../ui/client/toast.ts';

type Record_ = { id: string; revision: number };
export type Conflict<R> = { change: Partial<Record<string, unknown>>; read: R; now: R };

export type Saving<R> = {
  /** True once it is saved. A refusal is said in a toast, or handed to `refused`. */
  save: (change: Record<string, unknown>, refused?: (error: ApiError) => void) => Promise<boolean>;
  conflict: Conflict<R> | null;
  settle: (how: 'mine' | 'theirs') => Promise<boolean>;
};

type Desk<R> = {
  record: R;
  put: (change: Record<string, unknown>, revision: number) => Promise<R>;
  read: () => Promise<R>;
  /** Writes what is known of the record, so that every part of the screen shows it. */
  show: (record: R) => void;
};

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

export function useSaving<R extends Record_>({ record, put, read, show }: Desk<R>): Saving<R> {
  const [conflict, setConflict] = useState<Conflict<R> | null>(null);
  // Leaving a field for another saves twice within a moment: the second goes on from what the first left.
  const tail = useRef<Promise<R> | null>(null);

  const attempt = async (
    on: R,
    change: Record<string, unknown>,
    force: boolean,
    refused?: (error: ApiError) => void,
  ): Promise<{ on: R; saved: boolean }> => {
    try {
      const next = await put(change, on.revision);
      show(next);
      setConflict(null);
      return { on: next, saved: true };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const changed = error.status === 409 ? await read().catch(() => null) : null;
      if (!changed || changed.revision === on.revision) {
        if (refused) refused(error);
        else if (error.code !== 'given_up') tellRefusal(error);
        return { on, saved: false };
      }
      show(changed);
      const touched = Object.keys(change).some((key) => !same(on[key as keyof R], changed[key as keyof R]));
      if (!touched || force) return attempt(changed, change, force, refused);
      setConflict({ change, read: on, now: changed });
      return { on: changed, saved: false };
    }
  };

  const save = async (
    change: Record<string, unknown>,
    refused?: (error: ApiError) => void,
    force = false,
  ): Promise<boolean> => {
    const before = tail.current ?? Promise.resolve(record);
    const turn = before.then((on) =>
      attempt(on.revision > record.revision ? on : record, change, force, refused),
    );
    const left = turn.then((result) => result.on);
    tail.current = left;
    const over = (): void => {
      if (tail.current === left) tail.current = null;
    };
    left.then(over, over);
    return (await turn).saved;
  };

  return {
    save: (change, refused) => save(change, refused),
    conflict,
    settle: async (how) => {
      const stopped = conflict;
      setConflict(null);
      return how === 'mine' && stopped
        ? save(stopped.change as Record<string, unknown>, undefined, true)
        : false;
    },
  };
}
