// Runs a script between the gates and the transaction: nothing is open while it works, and each of its calls is a
// separate act with its own audit row.
import { createHash } from 'node:crypto';
import { inLimitWords, tooOften } from '../../../kernel/limits.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { bindAsking, type ReadContext } from '../../../kernel/context.ts';
import type { Limits } from '../../../lua/limits.rules.ts';
import { runLua, type Ran } from '../../../lua/run.ts';
import { markAgentTurn } from '../../access/tokens/store.ts';
import { callsOf, type RehearsedCall } from './calls.ts';
import { scriptRun } from './contract.ts';
import { AT_ONCE, freeSlot, takeSlot } from './slots.ts';

/** In all less than the 30 seconds of the request tools, with room for what a stopped run leaves to finish. */
const LIMITS: Limits = {
  computing_ms: 10_000,
  total_ms: 25_000,
  memory_bytes: 32 * 2 ** 20,
  calls: 200,
  output_chars: 20_000,
};
const RESULT_MAX_CHARS = 200_000;

/** A step of a workflow waits for its turn; a person and an agent are told at once. Within the time that a step is held. */
const WORKFLOW_WAITS_MS = 5_000;

export const run = bindAsking(
  scriptRun,
  async (context, { script, args = {}, rehearse }) => {
    await demandPace(context);
    const { signal } = context.request;
    const may_wait = context.caller.surface === 'workflow' ? WORKFLOW_WAITS_MS : 0;
    if (!(await takeSlot(may_wait, signal)))
      throw new Refusal(503, 'unavailable', `${AT_ONCE} scripts are running: try again in a few seconds`, {
        retry_after: 5,
        busy: true,
      });
    try {
      await becomeAgent(context);
      const rehearsed: RehearsedCall[] | null = rehearse ? [] : null;
      const call = callsOf(context.app, context.caller, context.request, rehearsed);
      return { ...answerOf(await runLua({ script, args, call, limits: LIMITS, signal })), rehearsed };
    } finally {
      freeSlot();
    }
  },
  async (context, { script }, answer) => {
    context.about(`admin:script/${createHash('sha256').update(script).digest('hex').slice(0, 16)}`);
    return answer;
  },
  { cannot: 'A script acts outside one transaction, so it can’t be rehearsed as a whole.' },
);

/** As by its first call on /mcp, a token is an agent's from its first run on (domain.md §1.1). */
async function becomeAgent({ caller, app, now }: ReadContext): Promise<void> {
  const { credential } = caller;
  if (credential.kind === 'token' && !credential.first_agent_turn_at)
    await app.database.transact((tx) => markAgentTurn(tx, credential.id, now));
}

/** Runs of a workflow are paced by their triggers. */
async function demandPace({ caller, app }: ReadContext): Promise<void> {
  const { credential, principal, surface } = caller;
  if (surface === 'workflow') return;
  const full = await app.limits.take('run', credential.kind === 'token' ? credential.id : principal.id);
  if (full)
    throw tooOften(
      `a token can run at most ${inLimitWords(full, 'scripts')}: wait ${full.retry_after} seconds`,
      full,
    );
}

function answerOf(ran: Ran) {
  const { calls, output_cut } = ran;
  const shown = { output: ran.output.toWellFormed(), output_cut, calls };
  if (ran.state !== 'finished')
    return { state: ran.state, result: null, error: ran.sentence.toWellFormed(), ...shown };
  const chars = JSON.stringify(ran.result).length;
  if (chars > RESULT_MAX_CHARS) {
    const error = `the script returned ${chars} characters and the limit is ${RESULT_MAX_CHARS}: return less of it`;
    return { state: 'failed' as const, result: null, error, ...shown };
  }
  return { state: 'finished' as const, result: ran.result, error: null, ...shown };
}
