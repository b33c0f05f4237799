// Handlers of runs: starting by hand, reading, following, canceling and retrying.
import { z } from 'zod';
import { HOUR_MS, after } from '../../../kernel/clock.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { Refusal, notThere, conflict } from '../../../kernel/refusal.ts';
import { bind, type WriteContext } from '../../../kernel/context.ts';
import { CHAT, stopHere } from '../chat/turn/run.ts';
import { turnOfStep, wantStop } from '../chat/turn/turn.store.ts';
import { readSettings } from '../../access/settings/store.ts';
import { markAgentTurn } from '../../access/tokens/store.ts';
import { askNoMore } from './step/ask.store.ts';
import { BEGUN_TOO_OFTEN } from './budget/budget.rules.ts';
import { runsSpent } from './budget/budget.store.ts';
import { followRun } from './run/follow.ts';
import { isOperationKind } from './step/kinds.rules.ts';
import { whyNotCancelled, whyNotRetried } from './run/machine.rules.ts';
import { RUNS } from './run/pass.ts';
import {
  runCancel,
  runCancelMany,
  runEvents,
  runGet,
  runList,
  runName,
  runRetry,
  runRetryMany,
  runStart,
  runStepGet,
} from './runs.contract.ts';
import { insertRun, loadRun, runRows, stepOfRun, stepTried, wholeRun } from './run/runs.store.ts';
import { requeue, saveCancel } from './run/run-states.store.ts';
import { activeVersion, holdActiveVersion, loadWorkflow } from './store.ts';
import { standingOf } from './run/whom.ts';

/** Keys are kept for a day (domain.md §4): a little less, what a step did is found. */
const KEYS_KNOW_MS = 23 * HOUR_MS;

const NEVER = new AbortController().signal;

const start = bind(runStart, async ({ db, caller, now, about, tell }, { workflow: id, inputs }) => {
  const workflow = await loadWorkflow(db, caller, 'workflow.run', id);
  const active = await activeVersion(db, workflow);
  if (!active) throw conflict('this workflow is not active: POST /api/workflows/:id/activate activates it');
  const { workflows: budgets } = await readSettings(db);
  if (await runsSpent(db, id, budgets, now)) throw new Refusal(429, 'rate_limited', BEGUN_TOO_OFTEN);
  const starter = await standingOf(db, caller, now);
  // From its first run on a token is an agent's, for good (domain.md §1.1).
  if (starter.token_id !== null) await markAgentTurn(db, starter.token_id, now);
  const trigger = { kind: 'manual', at: now.toISOString(), data: inputs };
  const run = await insertRun(db, { workflow_id: id, ...active, trigger, depth: 0, starter }, now);
  about(runName(run));
  tell(RUNS, run);
  return { run: await wholeRun(db, await loadRun(db, caller, 'workflow.run', run)) };
});

const list = bind(runList, async ({ db, caller }, { limit, cursor, workflow, state }) => {
  const before = keyIn(cursor, () => z.tuple([z.guid()]))?.[0] ?? null;
  const found = await runRows(db, caller, { workflow, state, before, count: limit + 1 });
  return pageOf(found, limit, (row) => [row.id]);
});

const get = bind(runGet, async ({ db, caller }, { run }) => ({
  run: await wholeRun(db, await loadRun(db, caller, 'run.read', run)),
}));

const step = bind(runStepGet, async ({ db, caller }, { run, seq }) => {
  const found = await stepOfRun(db, caller, await loadRun(db, caller, 'run.read', run), Number(seq));
  if (!found)
    throw notThere(
      'this run hasn’t reached a step with that id: GET /api/workflows/runs/:run lists its steps',
    );
  return { step: found };
});

const follow = bind(runEvents, async (context, { run }) => {
  await loadRun(context.db, context.caller, 'run.read', run);
  return followRun(context, run, context.request.signal ?? NEVER);
});

const cancel = bind(runCancel, async ({ db, caller, now, app, about, tell }, { run: id }) => {
  const run = await loadRun(db, caller, 'run.cancel', id, 'for_update');
  const why = whyNotCancelled(run.state);
  if (why !== null) throw conflict(why);
  await saveCancel(db, run, now);
  const approval = run.state === 'waiting' ? await askNoMore(db, run, caller.principal, now) : null;
  if (approval !== null) tell('approvals', approval);
  const at = await stepTried(db, run);
  const turn = at && (await turnOfStep(db, at.id));
  if (turn?.state === 'running') {
    await wantStop(db, turn.thread_id);
    stopHere(app, turn.id);
    tell(CHAT, turn.thread_id);
  }
  about(runName(id));
  tell(RUNS, id);
  return { run: await wholeRun(db, await loadRun(db, caller, 'run.cancel', id)) };
});

const retry = bind(runRetry, async ({ db, caller, now, about, tell }, { run: id }) => {
  const run = await loadRun(db, caller, 'run.retry', id, 'for_update');
  const tried = await stepTried(db, run);
  const acts = run.definition.some(
    ({ id: step, kind }) => step === run.at_step && (isOperationKind(kind) || kind === 'http'),
  );
  const vanished = run.state === 'stalled' || (tried?.attempt ?? 1) > 1;
  const unsure = acts && vanished && tried !== null && after(tried.first_at, KEYS_KNOW_MS) < now;
  const why = whyNotRetried({ ...run, active_version: await holdActiveVersion(db, run.workflow_id) }, unsure);
  if (why !== null) throw conflict(why);
  const retrier = await standingOf(db, caller, now);
  if (retrier.token_id !== null) await markAgentTurn(db, retrier.token_id, now);
  await requeue(db, id, retrier, now);
  about(runName(id));
  tell(RUNS, id);
  return { run: await wholeRun(db, await loadRun(db, caller, 'run.retry', id)) };
});

/** Each through the gates of one. Nothing of a refused one is written: it is refused before that. */
async function each(
  context: WriteContext,
  op: typeof runCancel | typeof runRetry,
  runs: readonly string[],
): Promise<{ done: string[]; refused: { run: string; sentence: string }[] }> {
  const done: string[] = [];
  const refused: { run: string; sentence: string }[] = [];
  // In one order, so that two who choose the same runs wait for each other.
  for (const run of [...new Set(runs)].toSorted())
    try {
      await context.invoke(op, { run });
      done.push(run);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push({ run, sentence: error.sentence });
    }
  return { done, refused };
}

const cancelMany = bind(runCancelMany, (context, { runs }) => each(context, runCancel, runs));
const retryMany = bind(runRetryMany, (context, { runs }) => each(context, runRetry, runs));

export const runHandlers = [start, list, get, step, follow, cancel, retry, cancelMany, retryMany];
