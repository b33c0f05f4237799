// Does one step of a run. What acts on the house goes through `invoke`, under a key that is the same for every attempt; what a
// step writes itself is written with its end. Nothing is open while it works.
import type { Caller } from '../../kernel/caller.ts';
import { MINUTE_MS, SECOND_MS, after } from '../../kernel/clock.ts';
import type { House } from '../../kernel/house.ts';
import { freshRequest, invoke } from '../../kernel/invoke.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { keepable, parseArguments } from '../../kernel/parse.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { framed } from '../agents/frame.rules.ts';
import { turnById } from '../chat/turn.store.ts';
import { userStanding } from '../users/store.ts';
import type { Decided } from './ask.store.ts';
import { reachOut } from './http.ts';
import {
  BY_OPERATION,
  compare,
  isCode,
  isOperationKind,
  isOwnKind,
  OF_THEIR_OWN,
  type OperationKind,
  type OwnKind,
} from './kinds.rules.ts';
import { type Hold, keyOf, type Outcome } from './machine.rules.ts';
import { type Beside, type DueRun, outputsOf } from './pass.store.ts';
import { withName } from './named.ts';
import { storable } from './output.rules.ts';
import { tagPerson } from './tag.ts';
import { rendered, type Known } from './template.rules.ts';
import { type Hands, handsOf } from './whom.ts';

type Came = { outcome: Outcome; beside?: Beside };

const failed = (sentence: string): Came => ({ outcome: { came: 'failed', sentence } });
const done = (output: unknown): Came => ({ outcome: { came: 'done', output: storable(output) } });

const BROKE = 'something broke on our side: an operator finds it in the log, and retry goes on at this step';

/** Null: it was cut off, and did not happen as far as anybody knows. */
export async function perform(house: House, run: DueRun, cut: AbortSignal): Promise<Came | null> {
  try {
    const came = await performed(house, run, cut);
    return cut.aborted ? null : came;
  } catch (error) {
    if (cut.aborted) return null;
    if (error instanceof Refusal) return later(house, run, error) ?? failed(error.sentence);
    house.log.error({ err: error, run: run.id, step: run.at_step }, 'a step of a run broke');
    return failed(BROKE);
  }
}

/** What is only busy just now is tried again by itself, for a while. */
const MOST_AGAIN = 20;
const AGAIN_MS = 30 * SECOND_MS;

function later(house: House, { waits }: DueRun, { code, details }: Refusal): Came | null {
  const again = typeof waits?.['again'] === 'number' ? waits['again'] : 0;
  if ((code !== 'unavailable' && code !== 'rate_limited') || again >= MOST_AGAIN) return null;
  const ms = details?.retry_after === undefined ? AGAIN_MS : details.retry_after * SECOND_MS;
  return {
    outcome: { came: 'waits', due_at: after(house.clock.now(), ms), waits: { ...waits, again: again + 1 } },
  };
}

async function performed(house: House, run: DueRun, cut: AbortSignal): Promise<Came> {
  const { step, acting } = run;
  if (!step) return failed('this step stands in no version of the workflow: cancel this run');
  const { reader } = house.ground;
  const hands = await handsOf(reader, acting, house.clock.now());
  if (hands instanceof Refusal) return failed(hands.sentence);
  const { kind } = step;
  const data = run.trigger['data'];
  const given = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const known: Known = {
    trigger: await withName(house, run, hands.caller, given, cut),
    steps: await outputsOf(reader, run.id),
    run: { id: run.id, workflow_id: acting.workflow.id },
  };
  const input = Object.fromEntries(
    Object.entries(step.input).map(([key, value]) => [key, renderedFor(kind, key, value, known)]),
  );
  if (isOperationKind(kind)) return byOperation(house, run, kind, input, hands, cut);
  return isOwnKind(kind)
    ? ofItsOwn(house, run, kind, input, hands, cut)
    : failed(`there is no kind "${kind}" any more`);
}

/** What others wrote is framed as data where a model reads it, and never becomes code. */
function renderedFor(kind: string, key: string, value: unknown, known: Known): unknown {
  if (isCode(kind, key)) return value;
  const isSaid = kind === 'agent' && key === 'message';
  return rendered(value, known, isSaid ? (text) => framed('workflow', text) : undefined);
}

async function byOperation(
  house: House,
  run: DueRun,
  kind: OperationKind,
  input: Record<string, unknown>,
  hands: Hands,
  cut: AbortSignal,
): Promise<Came> {
  if (kind === 'agent') return agentTurn(house, run, input, hands, cut);
  const { lacks } = hands;
  if (kind === 'enrol' && lacks.wire !== null) return heldFor('wire_required', lacks.wire, run);
  if (kind === 'lua' && lacks.scripts !== null) return heldFor('scripts_required', lacks.scripts, run);
  const caller = kind === 'enrol' ? hands.withWire : kind === 'lua' ? hands.withScripts : hands.caller;
  const answer = await act(house, run, BY_OPERATION[kind], caller, input, cut);
  if (kind === 'lua' && answer['state'] !== 'finished')
    return failed(`the script did not come to its end: ${clipped(String(answer['error']), SCRIPT_SAYS_MAX)}`);
  return done(answer);
}

/** A script's own words about itself, for whoever wrote it. */
const SCRIPT_SAYS_MAX = 200;

const clipped = (says: string, most: number): string =>
  keepable(says.length > most ? `${says.slice(0, most)}…` : says);

function heldFor(held: Hold, lacking: string, { acting }: DueRun): Came {
  const scope = held === 'wire_required' ? 'wire' : 'scripts';
  const who = lacking.slice(0, 60);
  const sentence =
    lacking === acting.starter?.by.name && lacking !== acting.activator.by.name
      ? `"${who}", who started this run, has no ${scope} scope: cancel it, and have it started by somebody who has`
      : `"${who}", whom this workflow acts for, has no ${scope} scope: somebody who has it activates this version again, then retry this run`;
  return { outcome: { came: 'held', held, sentence } };
}

async function act(
  house: House,
  run: DueRun,
  operation: AnyOperation,
  caller: Caller,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const request = freshRequest({
    // The audit rows of the act, and of a script's calls, say whose they are.
    id: run.step_row,
    idempotency_key: keyOf(run.id, run.at_step, run.seq),
    signal,
  });
  const { answer } = await invoke(house, operation, caller, () => input, request);
  return answer as Record<string, unknown>;
}

const LOOK_MS = 5 * SECOND_MS;

/** A turn may take longer than a step is held: then the run waits, and looks at it again. */
async function agentTurn(
  house: House,
  run: DueRun,
  input: Record<string, unknown>,
  { driver }: Hands,
  cut: AbortSignal,
): Promise<Came> {
  if (driver instanceof Refusal) return failed(driver.sentence);
  const looksAgain = (turn_id: unknown): Came => ({
    outcome: { came: 'waits', due_at: after(house.clock.now(), LOOK_MS), waits: { turn_id } },
  });
  const turn_id = run.waits?.['turn_id'];
  if (typeof turn_id === 'string') {
    const turn = await turnById(house.ground.reader, turn_id);
    if (turn?.state === 'running') return looksAgain(turn_id);
    if (turn?.state === 'done') return done({ thread_id: turn.thread_id, text: turn.text });
    return failed(`the agent's turn did not come to its end: its conversation says why`);
  }
  const answer = await act(house, run, BY_OPERATION.agent, driver, input, cut);
  const pending = answer['pending'] as { kind: string; id: string }[];
  const open = pending.find(({ kind }) => kind === 'turn');
  return open ? looksAgain(open.id) : done(answer);
}

async function ofItsOwn(
  house: House,
  run: DueRun,
  kind: OwnKind,
  input: Record<string, unknown>,
  hands: Hands,
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
      const due_at = after(house.clock.now(), minutes * MINUTE_MS);
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
      const standing = await Promise.all(asked.map((id) => userStanding(house.ground.reader, id)));
      const there = [...new Set(asked.filter((_, i) => standing[i]?.state === 'active'))];
      return { ...done({ users: there }), beside: { notices: { users: there, sentence } } };
    }
    case 'tag':
      return done(await tagPerson(house, run, hands.caller, parseArguments(OF_THEIR_OWN.tag, input), cut));
    case 'http': {
      const key = keyOf(run.id, run.at_step, run.seq);
      const told = await reachOut(house, parseArguments(OF_THEIR_OWN.http, input), key, cut);
      return 'sentence' in told ? failed(told.sentence) : done(told.answer);
    }
  }
}
