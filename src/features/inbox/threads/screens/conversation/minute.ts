// Current time for screens, updated every minute.
import { useSyncExternalStore } from 'react';
import { MINUTE_MS } from '../../../../../kernel/clock.ts';

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE_MS / 4);
  return () => clearInterval(timer);
}

/** The beginning of the minute that runs. */
export const useMinute = (): Date =>
  new Date(useSyncExternalStore(subscribe, () => Math.floor(Date.now() / MINUTE_MS)) * MINUTE_MS);
