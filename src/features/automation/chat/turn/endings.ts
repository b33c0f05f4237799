// Ways a turn ends without an answer. Pure.
import type { EndWhy } from '../../agents/model.ts';
import { MOST_TOKENS_OF_AN_ANSWER } from './budget.rules.ts';
import type { Ending } from './turn.store.ts';

export const STOPPED: Ending = {
  state: 'stopped',
  sentence: 'the turn was stopped; what it had already done stays done',
};

export const BROKE: Ending = {
  state: 'failed',
  sentence: 'something broke on our side; the operator can find it in the log, and you can ask again',
};

export const failed = (sentence: string): Ending => ({ state: 'failed', sentence });
export const stopped = (sentence: string): Ending => ({ state: 'stopped', sentence });

/** Answers that are not whole: their calls are not done, because the last of them may be half of what was meant. */
export const UNFINISHED: Partial<Record<EndWhy, Ending>> = {
  too_long: failed(
    `the answer was cut off at ${MOST_TOKENS_OF_AN_ANSWER.toLocaleString('en-US')} tokens, the longest that one answer can be: say "go on" to get the rest`,
  ),
  too_much: failed('the answer was longer than 200 kB, and the rest was not read: ask for a shorter one'),
  withheld: failed(
    'the model’s provider withheld the rest of the answer: ask differently, or choose another model',
  ),
};

/** The reason a turn's signal is aborted with, where it is not simply stopped. */
export class EndsAs extends Error {
  readonly ending: Ending;
  constructor(ending: Ending) {
    super(ending.state);
    this.name = 'EndsAs';
    this.ending = ending;
  }
}

export const endedBy = ({ reason }: AbortSignal): Ending =>
  reason instanceof EndsAs ? reason.ending : STOPPED;
