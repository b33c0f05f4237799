// Messages after an act: a success disappears after a few seconds, a refusal stays long enough to read. The drawing code loads
// with the first message.
import type { ReactNode } from 'react';
import type { ApiError } from './call.ts';

type Said = {
  id?: string;
  title?: string;
  message: ReactNode;
  color?: string;
  autoClose: number;
  role?: 'alert';
};

/** Where this tab keeps what its runs had come to when the page was left. */
export const LEFT_RUNS = 'dunnock-runs';

/** Where this browser keeps which bulk actions were started in it and have not been shown as ended. */
export const STARTED_JOBS = 'dunnock-jobs';

function hasLeftRuns(): boolean {
  try {
    return LEFT_RUNS in sessionStorage || STARTED_JOBS in localStorage;
  } catch {
    return false;
  }
}

let drawn = hasLeftRuns();
const listeners = new Set<() => void>();

/** Whether anything was said yet, or is still to be; the host that draws it waits for that. */
export const said = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  now: (): boolean => drawn,
};

/** Loads what draws them, and runs with them. */
export function drawToasts(): void {
  drawn = true;
  for (const listener of listeners) listener();
}

/** What could not be shown by then, because the product was away, is no longer true. */
const STALE_MS = 2_000;

async function show(what: Said): Promise<void> {
  const asked = performance.now();
  const { notifications } = await import('@mantine/notifications');
  if (performance.now() - asked > STALE_MS) return;
  drawToasts();
  notifications.show({ withBorder: true, closeButtonProps: { 'aria-label': 'Close' }, ...what });
}

export const tell = (message: string): void => void show({ message, autoClose: 3_500 });

/** Said for so long, unless `untell` of its id takes it away before. */
export const tellFor = (id: string, message: ReactNode, autoClose: number): void =>
  void show({ id, message, autoClose });

export async function untell(id: string): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.hide(id);
}

export function tellRefusal(error: ApiError): void {
  const wait = error.retry_after ? ` Try again in ${error.retry_after} s.` : '';
  const refused = error.status >= 400 && error.status < 500;
  void show({
    title: refused ? 'Couldn’t complete this' : 'Something went wrong',
    message: `${error.sentence}${wait}`,
    color: 'red',
    autoClose: 10_000,
    role: 'alert',
  });
}

/** What an act that did the rest left out. */
export const tellRefused = (sentence: string): void =>
  void show({ title: 'Couldn’t do that', message: sentence, color: 'red', autoClose: 10_000, role: 'alert' });
