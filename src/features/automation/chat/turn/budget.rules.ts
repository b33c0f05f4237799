// Budgets of agents, and the sentences for a budget that is used up: each says who can raise it.
import { type Full, inLimitWords, tooOften } from '../../../../kernel/limits.ts';
import { Refusal } from '../../../../kernel/refusal.ts';
import type { Settings } from '../../../access/settings/contract.ts';

/** Turns of one token or person that run at once. */
export const TURNS_AT_ONCE = 8;

/** Steps of one turn: questions to the model. */
export const MOST_STEPS = 25;

/** Of one answer of the model. */
export const MOST_TOKENS_OF_AN_ANSWER = 4_096;

/** Of what an agent says in one turn, and of what the tools of one step give it. */
export const MOST_BYTES = 200_000;

/** Of one answer of the model. */
export const MOST_CALLS = 200;

export const TOO_MANY_CALLS = `refused: one answer can call tools at most ${MOST_CALLS} times, so this call was skipped: make it in the next answer`;

/** Told to the agent in place of an answer that has no room. */
export const noRoomFor = (outcome: string): string =>
  `${outcome}: the tools of this step already returned the most one step can hold (200 kB), so this result is left out. If you only read, call it again in the next step.`;

export type Budgets = Settings['chat'];

/** What the turns of a workflow take is its own, and not that of whoever it acts for. */
export const dayOf = (
  { chat, workflows }: Pick<Settings, 'chat' | 'workflows'>,
  workflow_id: string | null,
): Pick<Budgets, 'tokens_per_caller_per_day' | 'tokens_per_day'> => ({
  tokens_per_day: chat.tokens_per_day,
  tokens_per_caller_per_day: workflow_id === null ? chat.tokens_per_caller_per_day : workflows.tokens_per_day,
});

const RAISED = 'an administrator can raise the limit in Settings → Agents & models';

/** Why nothing more is asked of a model today, or null. */
export function dayIsSpent(
  spent: { caller: number; everybody: number },
  budgets: Pick<Budgets, 'tokens_per_caller_per_day' | 'tokens_per_day'>,
  who: string,
): string | null {
  if (spent.everybody >= budgets.tokens_per_day)
    return `this instance has used up its model tokens for today (${budgets.tokens_per_day}): ${RAISED}, or wait until midnight UTC`;
  if (spent.caller >= budgets.tokens_per_caller_per_day)
    return `"${who.slice(0, 80)}" has used up its model tokens for today (${budgets.tokens_per_caller_per_day}): ${RAISED}, or wait until midnight UTC`;
  return null;
}

export const turnIsSpent = (
  tokens: number,
  { tokens_per_turn }: Pick<Budgets, 'tokens_per_turn'>,
): string | null =>
  tokens >= tokens_per_turn
    ? `this turn has used up its model tokens (${tokens_per_turn}): continue in another turn, or ${RAISED}`
    : null;

export const tooManySteps = `this turn took ${MOST_STEPS} steps and stopped there: say "go on" to let it continue`;

export const tooManyTurns = (full: Full): Refusal =>
  tooOften(
    `a token can start at most ${inLimitWords(full, 'turns')}: wait ${full.retry_after} seconds`,
    full,
  );

export const tooManyAtOnce = (): Refusal =>
  new Refusal(
    429,
    'rate_limited',
    `${TURNS_AT_ONCE} of your turns are already running: wait for one to finish, or stop one with POST /api/chat/stop`,
    { retry_after: 10 },
  );
