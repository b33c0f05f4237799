// Some acts need a sign-in from the last ten minutes. When one is refused for that, this opens the dialog and tries again; if
// the person cancels, the act ends quietly.
import { useSyncExternalStore } from 'react';
import { ApiError } from './call.ts';

type Question = { answer: (confirmed: boolean) => void };

let question: Question | null = null;
const listeners = new Set<() => void>();

function set(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

function ask(): Promise<boolean> {
  const before = question;
  return new Promise((resolve) => {
    set({
      answer: (confirmed) => {
        set(null);
        before?.answer(confirmed);
        resolve(confirmed);
      },
    });
  });
}

export async function steppedUp<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'step_up_required') throw error;
    if (!(await ask())) throw new ApiError(403, 'given_up', error.sentence);
    return act();
  }
}

export const useStepUpQuestion = (): Question | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => question,
  );
