// A step that is an agent’s turn: its result is the turn’s. A turn may outlast the step’s lease; the run then waits
// and checks again.
import type { Caller } from '../../../../kernel/caller.ts';
import { SECOND_MS, after } from '../../../../kernel/clock.ts';
import type { App } from '../../../../kernel/app.ts';
import { conflict, Refusal } from '../../../../kernel/refusal.ts';
import { chatTurn } from '../../chat/contract.ts';
import { CHAT, stopHere } from '../../chat/turn/run.ts';
import { type Look, turnOfStep, wantStop } from '../../chat/turn/turn.store.ts';
import { readSettings } from '../../../access/settings/store.ts';
import { act, type Came, done, failed } from './act.ts';
import { PAUSED } from '../budget/budget.rules.ts';
import { pauseItself, turnsSpent } from '../budget/budget.store.ts';
import { keyOf } from '../run/machine.rules.ts';
import { type DueRun, isWanted } from '../run/pass.store.ts';
import { handsOf, sameOne } from '../run/whom.ts';

const LOOK_MS = 5 * SECOND_MS;

const NO_END =
  'the turn of the agent did not come to its end: its conversation says why, and a retry begins another';

/** Each attempt has a turn of its own, found again by every process that works on the attempt. */
const keyOfAttempt = ({ id, at_step, seq, attempt }: DueRun): string =>
  attempt === 1 ? keyOf(id, at_step, seq) : `${keyOf(id, at_step, seq)}-${attempt}`;

export async function agentTurn(
  app: App,
  run: DueRun,
  input: Record<string, unknown>,
  driver: Caller | Refusal,
  cut: AbortSignal,
): Promise<Came> {
  if (driver instanceof Refusal) return failed(driver.sentence);
  const waits = (turn_id: string): Came => ({
    outcome: { came: 'waits', due_at: after(app.clock.now(), LOOK_MS), waits: { turn_id } },
  });
  const key = keyOfAttempt(run);
  const last = await turnOfStep(app.database.reader, run.step_row);
  // A turn of an earlier attempt counts where it is still running or came to its end; one that failed is tried in another.
  if (last?.state === 'running') return waits(last.id);
  if (last && (last.state === 'done' || last.asked_key === key)) return cameOf(last);
  const spent = await spentNow(app, run);
  if (spent !== null) return spent;
  try {
    const answer = await act(app, run, chatTurn, () => driverNow(app, run, driver), input, cut, { key });
    if (answer['state'] === 'running') return waits(String(answer['turn_id']));
    return answer['state'] === 'done' ? done(answer) : failed(sentenceOf(answer['sentence']));
  } catch (error) {
    // It ended with nothing to show.
    if (error instanceof Refusal && error.details?.['turn_id'] !== undefined) return failed(error.sentence);
    throw error;
  }
}

/** Asked before each act of the turn, for as long as it runs: everyone behind the run, and the run itself. */
async function driverNow({ database, clock }: App, { id, acting }: DueRun, began: Caller): Promise<Caller> {
  if (!(await isWanted(database.reader, id))) throw conflict('this turn’s run has ended or was canceled');
  const hands = await handsOf(database.reader, acting, clock.now());
  if (hands instanceof Refusal) throw hands;
  const { driver } = hands;
  if (driver instanceof Refusal) throw driver;
  if (!sameOne(driver, began))
    throw conflict('the permissions of someone behind this run changed: retry the run to start another turn');
  return driver;
}

/** A workflow that used up its turns or tokens pauses itself, and its runs hold where they would ask for more. */
async function spentNow({ database, clock }: App, { acting: { workflow } }: DueRun): Promise<Came | null> {
  const now = clock.now();
  const why = await database.transact(async (tx) => {
    const spent = await turnsSpent(tx, workflow.id, (await readSettings(tx)).workflows, now);
    if (spent !== null) await pauseItself(tx, workflow.id, spent, now);
    return spent;
  });
  return why && { outcome: { came: 'held', held: 'budget', sentence: PAUSED[why] } };
}

/** Whoever it worked for may do nothing any more, or its run is cancelled. */
export async function stopTurnOf(app: App, run_step_id: string): Promise<void> {
  const last = await turnOfStep(app.database.reader, run_step_id);
  if (last?.state !== 'running') return;
  await app.database.transact((tx) => wantStop(tx, last.thread_id));
  stopHere(app, last.id);
  app.database.tell([{ topic: CHAT, id: last.thread_id }]);
}

const cameOf = ({ id: turn_id, thread_id, state, text, sentence }: Look): Came =>
  state === 'done' ? done({ thread_id, turn_id, state, text }) : failed(sentenceOf(sentence));

const sentenceOf = (said: unknown): string => (typeof said === 'string' && said !== '' ? said : NO_END);
