// Asks before something irreversible: `await confirm({...})` from anywhere. The question names the harm, the button names the
// act. The dialog loads with the first question.
import { useSyncExternalStore, type ReactNode } from 'react';

type Question = { title: string; says: ReactNode; act: string; tone?: 'bad' };
export type OpenQuestion = Question & { answer: (yes: boolean) => void };

let open: OpenQuestion | null = null;
const listeners = new Set<() => void>();

function set(next: OpenQuestion | null): void {
  open = next;
  for (const listener of listeners) listener();
}

export function confirm(question: Question): Promise<boolean> {
  open?.answer(false);
  return new Promise((resolve) => {
    set({
      ...question,
      answer: (yes) => {
        set(null);
        resolve(yes);
      },
    });
  });
}

export const useQuestion = (): OpenQuestion | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
