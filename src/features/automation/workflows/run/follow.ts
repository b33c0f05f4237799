// Follows a run as it goes on, from rows and news: in any process, to its end or until the reader goes.
import { SECOND_MS } from '../../../../kernel/clock.ts';
import type { ReadScene } from '../../../../kernel/scene.ts';
import { RUNS } from './pass.ts';
import type { Run } from '../runs.contract.ts';
import { savedRun } from './runs.store.ts';

/** News may be lost: it is looked at this often anyway. */
const LOOK_MS = SECOND_MS;

export async function* followRun(
  { house, caller }: ReadScene,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<{ run: Run }> {
  const left = new AbortController();
  const news = house.newsroom.follow(AbortSignal.any([signal, left.signal]))[Symbol.asyncIterator]();
  let seen = '';
  try {
    let next = news.next();
    while (!signal.aborted) {
      const run = await savedRun(house.ground.reader, caller, id);
      const now = JSON.stringify(run);
      if (now !== seen) yield { run };
      seen = now;
      if (run.finished_at !== null) return;
      for (let waits = true; waits && !signal.aborted;) {
        const heard = await Promise.race([next, pause(signal)]);
        if (heard === null) waits = false;
        else if (heard.done) return;
        else {
          next = news.next();
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
