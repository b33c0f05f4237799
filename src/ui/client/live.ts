// Live change notifications: one EventSource on /api/events carries (topic, id). After a break everything is stale, because change notifications may have
// been missed. The connection's state is what the banner shows.
import { useSyncExternalStore } from 'react';
import { heardOf } from './reach.ts';
import { isOver, onceSignedIn } from './session-over.ts';
import { heard, staleAll } from './topics.ts';

export type Connection = 'starting' | 'live' | 'lost' | 'offline';

const AGAIN_AFTER_MS = 3_000;

let state: Connection = 'starting';
const listeners = new Set<() => void>();

function set(next: Connection): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

function read(event: MessageEvent<string>): void {
  const changes = JSON.parse(event.data) as { topic?: unknown; id?: unknown };
  if (typeof changes.topic === 'string')
    void heard(changes.topic, typeof changes.id === 'string' ? changes.id : '');
}

/** Opens the stream and keeps it open; returns what closes it. */
export function listen(): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // What was read before the stream was open may have changed in between: no one told this screen.
  let broken = true;
  // The network went while the stream was being opened: an answer that was already on its way says nothing about now.
  let gone = false;

  const open = (): void => {
    source?.close();
    gone = false;
    source = new EventSource('/api/events');
    source.addEventListener('open', () => {
      if (gone) return;
      if (broken) void staleAll();
      broken = false;
      heardOf(200);
      set('live');
    });
    source.addEventListener('message', read);
    source.addEventListener('error', () => {
      broken = true;
      gone = false;
      heardOf(0);
      set(navigator.onLine ? 'lost' : 'offline');
      // The browser tries again on its own unless the answer was no stream at all; then we do. Such an answer may say that the
      // session has ended, so `me` is read again.
      if (source?.readyState === EventSource.CLOSED) {
        void heard('me', '');
        clearTimeout(timer);
        timer = setTimeout(again, AGAIN_AFTER_MS);
      }
    });
  };
  // Someone who is signed out is not asked for every three seconds.
  let signedIn: (() => void) | undefined;
  const again = (): void => {
    signedIn?.();
    signedIn = isOver() ? onceSignedIn(open) : undefined;
    if (!signedIn) open();
  };
  const offline = (): void => {
    broken = true;
    gone = true;
    set('offline');
  };
  const online = (): void => open();
  // A page that comes back as it was, out of the browser's memory, may be of someone who has signed out since.
  const back = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    void staleAll();
    open();
  };

  open();
  addEventListener('pageshow', back);
  addEventListener('offline', offline);
  addEventListener('online', online);
  return () => {
    clearTimeout(timer);
    signedIn?.();
    source?.close();
    removeEventListener('offline', offline);
    removeEventListener('online', online);
    removeEventListener('pageshow', back);
    set('starting');
  };
}

export const useConnection = (): Connection =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
