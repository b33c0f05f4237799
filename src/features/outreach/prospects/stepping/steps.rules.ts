// Which step of a sequence comes next for someone, and when (domain.md §1.1): pure. Steps of kind `wait` are no stop of their
// own: their time is added to the step that follows, so that its letter is written, and can be read, at once.
import { HOUR_MS } from '../../../../kernel/clock.ts';

export type SequenceStep = {
  id: string;
  kind: 'letter' | 'task' | 'wait' | 'branch';
  position: number;
  wait: { days: number; hours: number };
};

export type Coming<Step extends SequenceStep> = {
  step: Step;
  /** When it is due: everything that is waited for added to the moment before. */
  due_at: Date;
  /** When someone has to look at it: a letter is drafted at once and goes when it is due. */
  next_at: Date;
};

const waitMs = ({ wait: { days, hours } }: SequenceStep): number => (days * 24 + hours) * HOUR_MS;

/**
 * The first step after `position` that is not a mere wait; null where the sequence is over.
 * @param steps those that exist, in order
 * @param from when the step before was done
 */
export function stepAfter<Step extends SequenceStep>(
  steps: readonly Step[],
  position: number,
  from: Date,
  now: Date,
): Coming<Step> | null {
  let due = from.getTime();
  for (const step of steps) {
    if (step.position <= position) continue;
    due += waitMs(step);
    if (step.kind !== 'wait') return coming(step, new Date(due), now);
  }
  return null;
}

/** A step that is gone to by name; one that only waits leads to the step after it. */
export function stepNamed<Step extends SequenceStep>(
  steps: readonly Step[],
  id: string | null,
  from: Date,
  now: Date,
): Coming<Step> | null {
  const step = steps.find((each) => each.id === id);
  return step ? stepAfter(steps, step.position - 1, from, now) : null;
}

export const firstStep = <Step extends SequenceStep>(
  steps: readonly Step[],
  from: Date,
  now: Date,
): Coming<Step> | null => stepAfter(steps, -1, from, now);

const coming = <Step extends SequenceStep>(step: Step, due_at: Date, now: Date): Coming<Step> => ({
  step,
  due_at,
  next_at: step.kind === 'letter' || due_at < now ? now : due_at,
});
