// Whether the server answers. Parts of the screens that couldn’t load while it was away are loaded once it is back: the build
// wraps every import() in `arriving` (vite.config.ts).
import { useSyncExternalStore } from 'react';

const AGAIN_AFTER_MS = 1_000;

let waiting = 0;
const listeners = new Set<() => void>();

function count(by: 1 | -1): void {
  waiting += by;
  for (const listener of listeners) listener();
}

/** Whether a part of the screens is waiting for the product. */
export const useWaiting = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting > 0,
  );

/** What was last heard of it: by a call, by the stream of changes, or by asking. */
let away = false;

/** A proxy in front of a product that is away answers for it. */
export const isAway = (status: number): boolean => status === 0 || (status >= 502 && status <= 504);

export const heardOf = (status: number): void => void (away = isAway(status));

export async function answers(): Promise<boolean> {
  heardOf(
    await fetch('/healthz', { cache: 'no-store' }).then(
      ({ status }) => status,
      () => 0,
    ),
  );
  return !away;
}

/** Ends once the product answers again. */
export async function back(): Promise<void> {
  count(1);
  try {
    while (!(await answers())) await new Promise((done) => setTimeout(done, AGAIN_AFTER_MS));
  } finally {
    count(-1);
  }
}

/**
 * Loads a part of the screens however long the product is away. It is not asked for while that is known: browsers remember that
 * a module could not be had, and never ask for it again on the same page. What fails then takes a reload of the page.
 */
export async function arriving<T>(load: () => Promise<T>): Promise<T> {
  if (away) await back();
  try {
    return await load();
  } catch (error) {
    if (!(await answers())) await back();
    return load().catch(() => Promise.reject(error));
  }
}
