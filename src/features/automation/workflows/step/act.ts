// The result of a step, and its one way to act on the app: through `invoke`, under its own key.
import type { Caller } from '../../../../kernel/caller.ts';
import type { App } from '../../../../kernel/app.ts';
import { freshRequest, invoke } from '../../../../kernel/invoke.ts';
import type { AnyOperation } from '../../../../kernel/operation.ts';
import type { RequestFacts } from '../../../../kernel/context.ts';
import { keyOf, type Outcome } from '../run/machine.rules.ts';
import { storable } from './output.rules.ts';
import type { Beside, DueRun } from '../run/pass.store.ts';

export type Came = { outcome: Outcome; beside?: Beside };

export const failed = (sentence: string): Came => ({ outcome: { came: 'failed', sentence } });
export const done = (output: unknown): Came => ({ outcome: { came: 'done', output: storable(output) } });

/** As whom a step acts: looked up again before each of its acts. */
export type StepHand = () => Promise<Caller>;

/** `key`: the same for every attempt that must find what an earlier one did; `first`: asked in the act's transaction. */
export async function act(
  app: App,
  run: DueRun,
  operation: AnyOperation,
  hand: StepHand,
  input: Record<string, unknown>,
  signal: AbortSignal,
  { key = keyOf(run.id, run.at_step, run.seq), first }: { key?: string; first?: RequestFacts['first'] } = {},
): Promise<Record<string, unknown>> {
  const request = freshRequest({
    // The audit rows of the act, and of a script's calls, say whose they are.
    id: run.step_row,
    run_step: { id: run.step_row, workflow_id: run.acting.workflow.id },
    idempotency_key: key,
    signal,
    caller_now: hand,
    ...(first && { first }),
  });
  const { answer } = await invoke(app, operation, await hand(), () => input, request);
  return answer as Record<string, unknown>;
}
