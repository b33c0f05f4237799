// Follows a run as it progresses, from rows and change notifications: in any process, until it ends or the reader
// leaves.
import { SECOND_MS } from '../../../../kernel/clock.ts';
import type { ReadContext } from '../../../../kernel/context.ts';
import { RUNS } from './pass.ts';
import type { Run } from '../runs.contract.ts';
import { savedRun } from './runs.store.ts';

/** Change notifications may be lost: it is looked at this often anyway. */
const LOOK_MS = SECOND_MS;

export async function* followRun(
  { app, caller }: ReadContext,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<{ run: Run }> {
  const left = new AbortController();
  const changes = app.changeFeed.follow(AbortSignal.any([signal, left.signal]))[Symbol.asyncIterator]();
  let seen = '';
  try {
    let next = changes.next();
    while (!signal.aborted) {
      const run = await savedRun(app.database.reader, caller, id);
      const now = JSON.stringify(run);
      if (now !== seen) yield { run };
      seen = now;
      if (run.finished_at !== null) return;
      for (let waits = true; waits && !signal.aborted;) {
        const heard = await Promise.race([next, pause(signal)]);
        if (heard === null) waits = false;
        else if (heard.done) return;
        else {
          next = changes.next();
          waits = heard.value.topic !== RUNS && heard.value.topic !== 'everything';
        }
      }
    }
  } finally {
    left.abort();
  }
}

function pause(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve(null);
    };
    const timer = setTimeout(end, LOOK_MS);
    signal.addEventListener('abort', end);
  });
}
