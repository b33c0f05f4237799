// The work of a turn: asks the model, performs the calls it makes, asks again. Before every step and every act it
// looks up who drives the turn; before every step it also checks the budget and whether the turn is still wanted.
import type { App } from '../../../../kernel/app.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { conflict } from '../../../../kernel/refusal.ts';
import { type Asking, type Call, type Model, ModelTrouble, type ModelSaid } from '../../agents/model.ts';
import { chooseModel } from '../../agents/models.ts';
import { agentNamed } from '../../agents/store.ts';
import { guessedTokens } from '../../agents/tokens.ts';
import { readSettings } from '../../../access/settings/store.ts';
import { act } from '../act/acts.ts';
import { beginUse } from '../act/acts.shown.ts';
import { type Offered, offeredTools } from '../act/agent-tools.ts';
import {
  dayIsSpent,
  dayOf,
  MOST_BYTES,
  MOST_CALLS,
  MOST_STEPS,
  MOST_TOKENS_OF_AN_ANSWER,
  noRoomFor,
  TOO_MANY_CALLS,
  tooManySteps,
  turnIsSpent,
} from './budget.rules.ts';
import { type Behind, driversNow } from './driver.ts';
import { endedBy, failed, stopped, UNFINISHED } from './endings.ts';
import { instructionsOf, saidBefore } from './memory.ts';
import { type Ending, type Progress, spentToday, type Turn } from './turn.store.ts';

/** What is said is kept this often while it is being said. */
const KEEP_MS = 200;

/** Between what is said before a tool is used and after it. */
const BETWEEN = '\n\n';

type Course = {
  app: App;
  turn: Turn;
  behind: Behind;
  sofar: Progress & { said: ModelSaid[] };
  signal: AbortSignal;
  keep(): Promise<void>;
};

export async function converse(course: Course): Promise<Ending> {
  const { app, turn, behind, sofar, signal } = course;
  const { reader } = app.database;
  const before = await saidBefore(reader, turn);
  sofar.outside ||= before.outside;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const now = app.clock.now();
    const drivers = await driversNow(reader, turn, behind, now);
    if ('undriven' in drivers) return stopped(drivers.undriven);
    const budgets = await readSettings(reader);
    const spent =
      turnIsSpent(sofar.tokens, budgets.chat) ??
      dayIsSpent(await spentToday(reader, turn, now), dayOf(budgets, turn.workflow_id), turn.by.name);
    if (spent !== null) return failed(spent);
    const agent = (await agentNamed(reader, turn.agent_id)) ?? (await agentNamed(reader, null));
    const allowed = agent?.tools ?? null;
    const tools = await offeredTools(app, drivers.hands, allowed);
    const model = await chooseModel(app, reader, turn.model);
    const told = await instructionsOf(reader, turn, agent);
    sofar.outside ||= told.outside;
    const { calls, unfinished } = await ask(course, model, {
      instructions: told.instructions,
      said: [...before.said, { role: 'user', text: turn.message }, ...sofar.said],
      tools: [...tools.values()].map(({ spec }) => spec),
      most_tokens: MOST_TOKENS_OF_AN_ANSWER,
      // What is between two answers counts with them.
      most_bytes: MOST_BYTES - Buffer.byteLength(sofar.text) - BETWEEN.length,
      signal,
    });
    if (signal.aborted) return endedBy(signal);
    if (unfinished) return unfinished;
    if (calls.length === 0) return { state: 'done', sentence: null };
    const ended = await actAll(course, calls, tools, allowed);
    if (ended) return ended;
  }
  return failed(tooManySteps);
}

/** Every call in its order; gives how the turn ends where it ends among them. */
async function actAll(
  { app, turn, behind, sofar, signal, keep }: Course,
  calls: readonly Call[],
  tools: ReadonlyMap<string, Offered>,
  allowed: readonly string[] | null,
): Promise<Ending | null> {
  const answers: Extract<ModelSaid, { role: 'tools' }>['answers'] = [];
  let room = MOST_BYTES;
  for (const [place, call] of calls.entries()) {
    const { id, name } = call;
    if (place >= MOST_CALLS) {
      answers.push({ id, name, text: TOO_MANY_CALLS });
      continue;
    }
    if (signal.aborted) return endedBy(signal);
    const before = sofar.used;
    const begun = beginUse(app, tools, call, sofar.text.length);
    sofar.used = [...before, begun];
    await keep();
    // Last of all before the act: whoever is gone by now does it no more.
    const { reader } = app.database;
    const [drivers, agent] = await Promise.all([
      driversNow(reader, turn, behind, app.clock.now()),
      agentNamed(reader, turn.agent_id),
    ]);
    if (signal.aborted || 'undriven' in drivers) {
      sofar.used = before;
      return 'undriven' in drivers ? stopped(drivers.undriven) : endedBy(signal);
    }
    const unasked = sofar.outside ? [] : (agent?.allowed ?? []);
    const stillDriven = async (tx: Transaction): Promise<void> => {
      const still = await driversNow(tx, turn, behind, app.clock.now());
      if ('undriven' in still) throw conflict(still.undriven);
    };
    const acting = { app, turn, drivers, tools, allowed, unasked, signal, stillDriven };
    const { text, outside, came } = await act(acting, call);
    sofar.outside ||= outside;
    room -= Buffer.byteLength(text);
    answers.push({ id, name, text: room < 0 ? noRoomFor(came.outcome) : text });
    sofar.used = [...before, { ...begun, ...came }];
    await keep();
  }
  sofar.said.push({ role: 'tools', answers });
  return null;
}

/** One step of the model, kept as it comes; gives what it calls for, or why its answer is not whole. */
async function ask(
  { app, sofar, keep }: Course,
  model: Model,
  asking: Asking,
): Promise<{ calls: Call[]; unfinished: Ending | null }> {
  const calls: Call[] = [];
  let unfinished: Ending | null = null;
  let said = '';
  // Words are kept soon after they came, also where nothing comes after them for long.
  let due: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    due = undefined;
    keep().catch((error: unknown) => app.log.warn({ err: error }, 'what an agent says was not kept'));
  };
  try {
    for await (const part of model.step(asking)) {
      if (part.kind === 'call') calls.push(part.call);
      else if (part.kind === 'end') {
        sofar.tokens += part.tokens;
        unfinished = UNFINISHED[part.why] ?? null;
      } else {
        if (said === '' && sofar.text !== '') sofar.text += BETWEEN;
        said += part.text;
        sofar.text += part.text;
        due ??= setTimeout(soon, KEEP_MS);
      }
    }
  } catch (error) {
    // What was asked and left, or broke off, is paid for all the same: no budget is passed by stopping before the end.
    const wasHeard = error instanceof ModelTrouble && (error.why === 'stopped' || error.why === 'broke_off');
    if (wasHeard) sofar.tokens += guessedTokens(asking, said.length);
    throw error;
  } finally {
    clearTimeout(due);
  }
  sofar.said.push({ role: 'assistant', text: said, calls: unfinished ? [] : calls });
  await keep();
  return { calls, unfinished };
}
