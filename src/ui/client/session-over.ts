// A session that ends while someone works: they sign in again in a dialog over the page, and the failed call is made again.
// Typed text stays, because the page isn’t reloaded.
import { useSyncExternalStore } from 'react';

export type SessionQuestion = { answer: (signedIn: boolean) => void };

type Asker = { person: string };

let asker: Asker | null = null;
let question: SessionQuestion | null = null;
let asking: Promise<boolean> | null = null;
/** The dialog was closed without signing in: reads no longer ask, acts do. */
let declined = false;
const listeners = new Set<() => void>();

const tell = (): void => {
  for (const listener of listeners) listener();
};

/** While the desk is open for this person. Before it, whoever is not signed in is led to sign-in. */
export function openFor(person: string): () => void {
  asker = { person };
  return () => (asker = null);
}

/** By this the other tabs of the browser know. */
const SIGNED_OUT = 'dunnock-signed-out';

/** Whoever signs out leaves the page, and every tab does: nothing of theirs stays on the screen. */
export function leaveSignedOut(): void {
  try {
    localStorage.setItem(SIGNED_OUT, new Date().toISOString());
  } catch {
    // Refused in some private windows: the other tabs learn it with their next call.
  }
  leaveTo('/sign-in');
}

function leaveTo(path: string): void {
  asker = null;
  location.assign(path);
}

/** Leaves for sign-in, and back to where one was, when someone signed out in another tab or before the page was left. */
export function leaveWithOthers(here: () => string): () => void {
  const leave = (): void => leaveTo(`/sign-in?${new URLSearchParams({ to: here() })}`);
  const elsewhere = ({ key }: StorageEvent): void => {
    if (key === SIGNED_OUT) leave();
  };
  // Out of the browser's memory comes a page of someone who may have signed out since.
  const back = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) void whoNow().then((now) => now === null && leave());
  };
  addEventListener('storage', elsewhere);
  addEventListener('pageshow', back);
  return () => {
    removeEventListener('storage', elsewhere);
    removeEventListener('pageshow', back);
  };
}

/** Who is signed in by the product's own word: null for no one, undefined where it cannot be asked now. */
async function whoNow(): Promise<string | null | undefined> {
  try {
    const answer = await fetch('/api/me', { credentials: 'same-origin', cache: 'no-store' });
    if (answer.status === 401) return null;
    const { principal } = (await answer.json()) as { principal?: { id?: string } };
    return answer.ok ? principal?.id : undefined;
  } catch {
    return undefined;
  }
}

async function ask(by: Asker): Promise<boolean> {
  // A refused act alone proves nothing: a wrong password is a 401 too.
  if ((await whoNow()) !== null) return false;
  if (asker !== by) return false;
  const yes = await new Promise<boolean>((resolve) => {
    question = { answer: resolve };
    tell();
  });
  question = null;
  declined = !yes;
  tell();
  const now = yes ? await whoNow() : by.person;
  // Someone else: nothing that was read for the one before stays, and nothing of it is sent for them.
  if (typeof now === 'string' && now !== by.person) {
    location.reload();
    return new Promise(() => {});
  }
  return yes;
}

/** Whether the same person is signed in again, so that a call that was refused with 401 is worth making once more. */
export async function signedInAgain(how: 'read' | 'act'): Promise<boolean> {
  if (!asker || (declined && how === 'read')) return false;
  asking ??= ask(asker).finally(() => (asking = null));
  return asking;
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSessionQuestion = (): SessionQuestion | null =>
  useSyncExternalStore(subscribe, () => question);

/** Whether the page is of a session that is over, and the person has not signed in again. */
export const isOver = (): boolean => declined || question !== null;
export const useSignedOut = (): boolean => useSyncExternalStore(subscribe, () => declined);

/** Calls back once they are signed in again. */
export function onceSignedIn(then: () => void): () => void {
  const end = subscribe(() => {
    if (isOver()) return;
    end();
    then();
  });
  return end;
}
