// Whether someone is going through the setup steps in this tab: begun by taking one, ended by them or with the last one.
import { useSyncExternalStore } from 'react';

const KEY = 'dunnock-setup';
const listeners = new Set<() => void>();

function on(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

export function tour(go: boolean): void {
  try {
    if (go) sessionStorage.setItem(KEY, 'on');
    else sessionStorage.removeItem(KEY);
  } catch {
    return;
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTour = (): boolean => useSyncExternalStore(subscribe, on);
