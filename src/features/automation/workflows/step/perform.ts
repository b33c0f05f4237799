// Performs one step of a run. Acts on the app go through `invoke`, under a key that stays the same for every attempt;
// what a step writes itself is saved with its result. Nothing is open while it works.
import { MINUTE_MS, SECOND_MS, after } from '../../../../kernel/clock.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';
import { keepable, parseArguments } from '../../../../kernel/parse.ts';
import { conflict, Refusal } from '../../../../kernel/refusal.ts';
import { act, type Came, done, failed, type StepHand } from './act.ts';
import { agentTurn, stopTurnOf } from './agent-step.ts';
import type { Decided } from './ask.store.ts';
import { changedOf, GIVEN_WORD } from '../given/given.rules.ts';
import { givenAndNow } from '../given/given.store.ts';
import { reachOut } from './http.ts';
import { dueIn, inputOf } from './input.rules.ts';
import {
  BY_OPERATION,
  compare,
  isOperationKind,
  isOwnKind,
  OF_THEIR_OWN,
  type OperationKind,
  type OwnKind,
} from './kinds.rules.ts';
import { type Hold, keyOf } from '../run/machine.rules.ts';
import { type DueRun, outputsOf } from '../run/pass.store.ts';
import { withName } from './named.ts';
import { tagPerson } from './tag.ts';
import { renderer } from './template.rules.ts';
import { readersOf, signed } from './notice.ts';
import { type Hands, handsOf, type Lacking } from '../run/whom.ts';

const BROKE =
  'something broke on our side: the operator can find it in the log, and a retry continues at this step';

/** Null: it was cut off, and did not happen as far as anyone knows. */
export async function perform(app: App, run: DueRun, cut: AbortSignal): Promise<Came | null> {
  try {
    const came = await performed(app, run, cut);
    return cut.aborted ? null : came;
  } catch (error) {
    if (cut.aborted) return null;
    if (error instanceof Refusal) return later(app, run, error) ?? failed(error.sentence);
    app.log.error({ err: error, run: run.id, step: run.at_step }, 'a step of a run broke');
    return failed(BROKE);
  }
}

/** What is out of order just now is tried again on its own, for a while; what is only busy, until it has room. */
const MOST_AGAIN = 20;
const AGAIN_MS = 30 * SECOND_MS;
/** Of a pool that stays busy, at most: many runs that wait for it ask it seldom. */
const MOST_TIMES_LONGER = 12;

function later(app: App, { waits }: DueRun, { code, details, sentence }: Refusal): Came | null {
  const again = typeof waits?.['again'] === 'number' ? waits['again'] : 0;
  const busy = code === 'rate_limited' || details?.['busy'] === true;
  if (!busy && (code !== 'unavailable' || again >= MOST_AGAIN)) return null;
  const least = details?.retry_after === undefined ? AGAIN_MS : details.retry_after * SECOND_MS;
  // Those that began together come back one after the other.
  const ms = busy ? least * (1 + Math.random() * Math.min(again, MOST_TIMES_LONGER)) : least;
  const due_at = after(app.clock.now(), Math.round(ms));
  return { outcome: { came: 'waits', due_at, waits: { ...waits, again: again + 1 }, why: sentence } };
}

async function performed(app: App, run: DueRun, cut: AbortSignal): Promise<Came> {
  const { step, acting } = run;
  if (!step) return failed('no version of the workflow has this step: cancel this run');
  const { reader } = app.database;
  const hands = await handsOf(reader, acting, app.clock.now());
  if (hands instanceof Refusal) {
    await stopTurnOf(app, run.step_row);
    return failed(hands.sentence);
  }
  const { kind } = step;
  const { at, data } = run.trigger;
  const given = { at, ...(typeof data === 'object' ? data : {}) };
  const render = renderer({
    trigger: await withName(app, run, hands.caller, given, cut),
    steps: await outputsOf(reader, run.id),
    run: { id: run.id, workflow_id: acting.workflow.id },
  });
  const input = inputOf(step, render);
  if (isOperationKind(kind)) return byOperation(app, run, kind, input, hands, cut);
  return isOwnKind(kind)
    ? ofItsOwn(app, run, kind, input, cut)
    : failed(`the step kind "${kind}" no longer exists`);
}

/** What the wire was given to by name is another since, so that someone with wire has to read it again: for steps with wire, and
 * for those whose output such a step may read. */
async function heldByChange(tx: Transaction, { version, acting }: DueRun): Promise<Came | null> {
  const { given, now } = await givenAndNow(tx, { workflow_id: acting.workflow.id, version });
  const changed = changedOf(given, now);
  if (changed === null) return null;
  const sentence = `${GIVEN_WORD[changed]} that this workflow acts on was changed after it was activated: someone with wire reads it, activates this version again and retries this run`;
  return { outcome: { came: 'held', held: 'changed', sentence } };
}

/** Enrols in a transaction in which what was given is compared once more and stays so. */
async function enrolAsGiven(
  app: App,
  run: DueRun,
  input: Record<string, unknown>,
  cut: AbortSignal,
): Promise<Came> {
  let held: Came | null = null;
  const first = async (tx: Transaction): Promise<void> => {
    held = await heldByChange(tx, run);
    if (held) throw conflict('the record this step acts on changed');
  };
  try {
    return done(await act(app, run, BY_OPERATION.enrol, handFor(app, run, 'enrol'), input, cut, { first }));
  } catch (error) {
    if (held) return held;
    throw error;
  }
}

async function byOperation(
  app: App,
  run: DueRun,
  kind: OperationKind,
  input: Record<string, unknown>,
  hands: Hands,
  cut: AbortSignal,
): Promise<Came> {
  if (kind === 'enrol' || kind === 'agent') {
    const held = await app.database.transact((tx) => heldByChange(tx, run));
    if (held) return held;
  }
  if (kind === 'agent') return agentTurn(app, run, input, hands.driver, cut);
  const { lacks } = hands;
  if (kind === 'enrol' && lacks.wire !== null) return heldFor('wire_required', lacks.wire);
  if (kind === 'lua' && lacks.scripts !== null) return heldFor('scripts_required', lacks.scripts);
  if (kind === 'enrol') return enrolAsGiven(app, run, input, cut);
  const given = kind === 'create_work_item' ? dueIn(input, run.begun_at) : input;
  const answer = await act(app, run, BY_OPERATION[kind], handFor(app, run, kind), given, cut);
  if (kind === 'lua' && answer['state'] !== 'finished')
    return failed(`the script did not come to its end: ${clipped(String(answer['error']), SCRIPT_SAYS_MAX)}`);
  return done(answer);
}

/** A script's own words about itself, for whoever wrote it. */
const SCRIPT_SAYS_MAX = 200;

const clipped = (says: string, most: number): string =>
  keepable(says.length > most ? `${says.slice(0, most)}…` : says);

function heldFor(held: Hold, { who, as }: Lacking): Came {
  const scope = held === 'wire_required' ? 'wire' : 'scripts';
  const name = `"${who.slice(0, 60)}"`;
  const sentence = {
    activator: `${name}, whom this workflow acts for, has no ${scope} scope: ask someone who has it to activate this version again, then retry this run`,
    withdrawn: `this workflow was deactivated, which withdraws its ${scope}: someone with ${scope} activates this version again, then retry this run`,
    starter: `${name}, who started this run, has no ${scope} scope: cancel it, and ask someone who has it to start it`,
    retrier: `${name}, who retried this run, has no ${scope} scope: someone who has it retries this run`,
  }[as];
  return { outcome: { came: 'held', held, sentence } };
}

/** Looked up again before each act of a step. */
const handFor =
  ({ database, clock }: App, { acting }: DueRun, kind: string): StepHand =>
  async () => {
    const hands = await handsOf(database.reader, acting, clock.now());
    if (hands instanceof Refusal) throw hands;
    if (kind === 'enrol' && hands.lacks.wire === null) return hands.withWire;
    return kind === 'lua' && hands.lacks.scripts === null ? hands.withScripts : hands.caller;
  };

async function ofItsOwn(
  app: App,
  run: DueRun,
  kind: OwnKind,
  input: Record<string, unknown>,
  cut: AbortSignal,
): Promise<Came> {
  const { waits } = run;
  switch (kind) {
    case 'condition': {
      const { value, is, than, otherwise } = parseArguments(OF_THEIR_OWN.condition, input);
      const holds = compare(is, value, than);
      return { outcome: { came: 'done', output: { holds }, ...(!holds && { next: otherwise }) } };
    }
    case 'wait': {
      const { minutes } = parseArguments(OF_THEIR_OWN.wait, input);
      const since = typeof waits?.['until'] === 'string' ? waits['until'] : null;
      if (since !== null) return done({ until: since });
      const due_at = after(app.clock.now(), minutes * MINUTE_MS);
      return { outcome: { came: 'waits', due_at, waits: { until: due_at.toISOString() } } };
    }
    case 'ask_person': {
      const { question, otherwise } = parseArguments(OF_THEIR_OWN.ask_person, input);
      const decided = waits?.['decided'] as Decided | undefined;
      if (!decided)
        return {
          outcome: { came: 'waits', due_at: null, waits: { asked: true } },
          beside: { ask: { question } },
        };
      const approved = decided.decision === 'approve';
      const output = { approved, by: decided.by, note: decided.note };
      if (approved) return done(output);
      if (otherwise === null) return failed(`${decided.by.slice(0, 120)} was asked and said no`);
      return { outcome: { came: 'done', output, next: otherwise } };
    }
    case 'notify': {
      const { users, sentence } = parseArguments(OF_THEIR_OWN.notify, input);
      const { by } = run.acting.activator;
      const own = by.kind === 'person' ? by.id : by.on_behalf_of?.id;
      const asked = users.length > 0 ? users : own === undefined ? [] : [own];
      const there = await readersOf(app, run, [...new Set(asked)]);
      return {
        ...done({ users: there }),
        beside: { notices: { users: there, sentence: signed(run, sentence) } },
      };
    }
    case 'tag':
      return done(
        await tagPerson(app, run, handFor(app, run, kind), parseArguments(OF_THEIR_OWN.tag, input), cut),
      );
    case 'http': {
      await handFor(app, run, kind)();
      const defined = run.step ?? { kind, input: {} };
      const key = keyOf(run.id, run.at_step, run.seq);
      const told = await reachOut(app, parseArguments(OF_THEIR_OWN.http, input), defined, key, cut);
      return 'sentence' in told ? failed(told.sentence) : done(told.answer);
    }
  }
}
