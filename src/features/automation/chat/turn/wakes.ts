// Wakes a reader of changing rows: at once on every change notification about them, and once a second anyway, because
// notifications can be lost. Ends with the signal.
import { SECOND_MS } from '../../../../kernel/clock.ts';
import type { ChangeNotification } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';

const LOOK_MS = SECOND_MS;

export async function* wakes(
  app: Pick<App, 'changeFeed'>,
  signal: AbortSignal,
  concerns: (changes: ChangeNotification) => boolean,
): AsyncGenerator<void> {
  // Ended by a signal and not by its own return, which would wait for the next change notifications.
  const left = new AbortController();
  const changes = app.changeFeed.follow(AbortSignal.any([signal, left.signal]))[Symbol.asyncIterator]();
  try {
    let next = changes.next();
    while (!signal.aborted) {
      yield;
      // One pause for all that is heard meanwhile: notifications that concern no one here put no look off.
      const due = pause(LOOK_MS, signal);
      for (let waits = true; waits && !signal.aborted;) {
        const heard = await Promise.race([next, due]);
        if (heard === null) waits = false;
        else if (heard.done) return;
        else {
          next = changes.next();
          waits = heard.value.topic !== 'everything' && !concerns(heard.value);
        }
      }
    }
  } finally {
    left.abort();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve(null);
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
