// One act on many people, a route's call for each, a few at a time: how far it is, and what did not work and why.
import { useRef, useState } from 'react';
import { ApiError, call } from '../../../ui/client/call.ts';
import { staleAfter } from '../../../ui/client/topics.ts';
import type { ListedPerson } from '../contract.ts';

export type Failure = { person: ListedPerson; says: string };
export type Run = {
  title: string;
  total: number;
  done: number;
  failed: Failure[];
  over: boolean;
  stopped: boolean;
};
export type ActOnOne = (person: ListedPerson) => Promise<unknown>;

/** Calls under way at once: enough to hide the way there and back, few enough to leave the product to others. */
const AT_ONCE = 4;

export function useBulkRun(): {
  run: Run | null;
  start: (title: string, people: ListedPerson[], act: ActOnOne) => Promise<Run>;
  stop: () => void;
  close: () => void;
} {
  const [run, setRun] = useState<Run | null>(null);
  const halted = useRef(false);

  const start = async (title: string, people: ListedPerson[], act: ActOnOne): Promise<Run> => {
    halted.current = false;
    let state: Run = { title, total: people.length, done: 0, failed: [], over: false, stopped: false };
    const show = (next: Partial<Run>): void => setRun((state = { ...state, ...next }));
    show({});
    const left = [...people];
    const worker = async (): Promise<void> => {
      for (let person = left.shift(); person && !halted.current; person = left.shift()) {
        try {
          await act(person);
          show({ done: state.done + 1 });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          show({ failed: [...state.failed, { person, says: error.sentence }] });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    show({ over: true, stopped: halted.current });
    await staleAfter('person_update', ['suppressions', 'companies', 'segments']);
    return state;
  };
  return { run, start, stop: () => void (halted.current = true), close: () => setRun(null) };
}

/** A change that is right whatever else changed meanwhile: where it did, it is read again and made once more. */
export async function changed(
  person: ListedPerson,
  change: (now: ListedPerson) => Parameters<typeof patch>[2],
): Promise<void> {
  try {
    await patch(person.id, person.revision, change(person));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const { person: now } = await call('person_read', { person: person.id });
    await patch(now.id, now.revision, change(now));
  }
}

const patch = (
  person: string,
  revision: number,
  change: { tags?: string[]; owner?: string | null },
): Promise<unknown> => call('person_update', { person, revision, ...change });
