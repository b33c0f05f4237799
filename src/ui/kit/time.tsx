// Times as people say them, with the exact moment one hover or focus away. A shared ticker keeps them true.
import { useSyncExternalStore } from 'react';

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // What has just happened is not later than now, however long ago the ticker ticked.
  if (Date.now() - now > 1_000) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 30_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** Two clocks, the ticker's and the server's, never agree to the second: what comes this soon has come. */
const SKEW_MS = 3_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const sameYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const otherYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

export function ago(at: string, from: number): string {
  const ms = new Date(at).getTime() - from;
  const size = Math.abs(ms);
  if (size < MINUTE) return ms > SKEW_MS ? 'in a moment' : 'just now';
  if (size < HOUR) return relative.format(Math.trunc(ms / MINUTE), 'minute');
  if (size < DAY) return relative.format(Math.trunc(ms / HOUR), 'hour');
  if (size < 14 * DAY || (ms > 0 && size < 120 * DAY)) return relative.format(Math.trunc(ms / DAY), 'day');
  const date = new Date(at);
  return (date.getFullYear() === new Date(from).getFullYear() ? sameYear : otherYear).format(date);
}

/** `40m`, `3h`, `12d`: for as long as it has was by now. */
function lasted(at: string, to: number): string {
  const ms = Math.max(0, to - new Date(at).getTime());
  if (ms < HOUR) return `${Math.max(1, Math.trunc(ms / MINUTE))}m`;
  return ms < 2 * DAY ? `${Math.trunc(ms / HOUR)}h` : `${Math.trunc(ms / DAY)}d`;
}

/** The ticker may be half a minute old: what it takes for the future is asked of the clock. */
export const asOf = (at: string, ticked: number): number =>
  new Date(at).getTime() > ticked ? Math.max(ticked, Date.now()) : ticked;

export const exact = (at: string): string => full.format(new Date(at));

/** `none` is shown when nothing is to be shown. */
export function Time({ at, none = 'Never' }: { at: string | null; none?: string }) {
  const from = useSyncExternalStore(subscribe, () => now);
  if (!at) return <span style={{ color: 'var(--text-3)' }}>{none}</span>;
  return (
    <time dateTime={at} title={exact(at)} style={{ whiteSpace: 'nowrap' }}>
      {ago(at, asOf(at, Math.max(from, now)))}
    </time>
  );
}

/** How long it has been, where the wait itself is what counts. */
export function Lasting({ at }: { at: string }) {
  const from = useSyncExternalStore(subscribe, () => now);
  return (
    <time dateTime={at} title={exact(at)} style={{ whiteSpace: 'nowrap' }}>
      {lasted(at, Math.max(from, now))}
    </time>
  );
}
