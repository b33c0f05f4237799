// Works on a turn to its end: asks the model, does what it calls for, asks again. Who drives it, what it may cost and whether
// it is still wanted are looked up before every step. What it comes to is kept as it goes, so that anybody can follow.
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { House } from '../../kernel/house.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { chooseModel } from '../agents/models.ts';
import { type Asking, type Call, type Model, ModelTrouble, type Said } from '../agents/model.ts';
import { agentNamed } from '../agents/store.ts';
import { guessedTokens } from '../agents/tokens.ts';
import { readSettings } from '../settings/store.ts';
import { insertTouch } from '../threads/touch.store.ts';
import { act } from './acts.ts';
import { beginUse } from './acts.shown.ts';
import { offeredTools } from './agent-tools.ts';
import {
  dayIsSpent,
  MOST_STEPS,
  MOST_TOKENS_OF_AN_ANSWER,
  tooManySteps,
  turnIsSpent,
} from './budget.rules.ts';
import { driversNow } from './driver.ts';
import { instructionsOf, saidBefore } from './memory.ts';
import {
  beat,
  type Ending,
  endTurn,
  keepProgress,
  type Progress,
  spentToday,
  type Turn,
} from './turn.store.ts';

/** The news topic of turns; its id is the thread's. */
export const CHAT = 'chat';

/** It says this often that it is still worked on; one that has been silent for much longer is stalled. */
const BEAT_MS = 5 * SECOND_MS;
export const SILENT_MS = 45 * SECOND_MS;
const LONGEST_MS = 10 * MINUTE_MS;
/** What is said is kept this often while it is being said. */
const KEEP_MS = 200;

const STOPPED: Ending = {
  state: 'stopped',
  sentence: 'the turn was stopped; what it had done by then stays done',
};
const STANDING_GONE: Ending = {
  state: 'stopped',
  sentence:
    'whoever began this turn may do nothing here any more, or has signed out, so it ended: sign in and ask again, or ask an administrator why',
};
const BROKE: Ending = {
  state: 'failed',
  sentence: 'something broke on our side; an operator finds it in the log, and you can ask again',
};
const failed = (sentence: string): Ending => ({ state: 'failed', sentence });

type Course = {
  house: House;
  turn: Turn;
  sofar: Progress & { said: Said[] };
  signal: AbortSignal;
  keep(): Promise<void>;
};

/** Turns that are worked on in this process, so that a stop need not wait for their next beat. */
const here = new WeakMap<House, Map<string, AbortController>>();

export const stopHere = (house: House, turn_id: string): void => here.get(house)?.get(turn_id)?.abort();

/** Never rejects for what a model or an act does. */
export async function runTurn(house: House, turn: Turn): Promise<void> {
  const { ground, clock } = house;
  const ending = new AbortController();
  const running = here.get(house) ?? new Map<string, AbortController>();
  here.set(house, running.set(turn.id, ending));
  const sofar = { text: '', used: [], said: [], tokens: 0 };
  const tell = (): void => ground.tell([{ topic: CHAT, id: turn.thread_id }]);
  const write = async (): Promise<void> => {
    if (!(await ground.transact((tx) => keepProgress(tx, turn, sofar, clock.now())))) ending.abort();
    tell();
  };
  // One after the other, so that what is older is never written over what is newer.
  let written: Promise<void> = Promise.resolve();
  const keep = (): Promise<void> => (written = written.catch(() => undefined).then(write));
  const heart = setInterval(() => {
    void ground
      .transact((tx) => beat(tx, turn, clock.now()))
      .then((ours) => ours || ending.abort())
      .catch(() => ending.abort());
  }, BEAT_MS);
  heart.unref();
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(LONGEST_MS)]);
  try {
    const end = await converse({ house, turn, sofar, signal, keep }).catch((error: unknown) =>
      endOf(house, error, signal),
    );
    await finish(house, turn, sofar, end);
    tell();
  } finally {
    clearInterval(heart);
    running.delete(turn.id);
  }
}

function endOf({ log }: House, error: unknown, signal: AbortSignal): Ending {
  if (signal.aborted) return STOPPED;
  if (error instanceof ModelTrouble) return error.why === 'stopped' ? STOPPED : failed(error.sentence);
  if (error instanceof Refusal) return failed(error.sentence);
  log.error({ err: error }, 'a turn broke');
  return BROKE;
}

async function finish({ ground, clock }: House, turn: Turn, sofar: Progress, end: Ending): Promise<void> {
  const now = clock.now();
  const { thread_id, agent_name } = turn;
  const text = [sofar.text, ...(end.sentence === null ? [] : [end.sentence])].filter(Boolean).join('\n\n');
  const ended = await ground.transact(async (tx) => {
    if (!(await endTurn(tx, turn, sofar, end, now))) return false;
    const from = { address: null, name: agent_name };
    await insertTouch(
      tx,
      { thread_id, direction: 'out', channel: 'chat', at: now, from, text, automatic: true },
      now,
    );
    return true;
  });
  if (ended) ground.tell([{ topic: 'threads', id: thread_id }]);
}

async function converse(course: Course): Promise<Ending> {
  const { house, turn, sofar, signal, keep } = course;
  const { reader } = house.ground;
  const before = await saidBefore(reader, turn);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const now = house.clock.now();
    const drivers = await driversNow(reader, turn, now);
    if (!drivers) return STANDING_GONE;
    const { chat } = await readSettings(reader);
    const spent =
      turnIsSpent(sofar.tokens, chat) ??
      dayIsSpent(await spentToday(reader, turn.by, now), chat, turn.by.name);
    if (spent !== null) return failed(spent);
    const agent = (await agentNamed(reader, turn.agent_id)) ?? (await agentNamed(reader, null));
    const allowed = agent?.tools ?? null;
    const tools = await offeredTools(house, drivers.hands, allowed);
    const model = await chooseModel(house, reader, turn.model);
    const calls = await ask(course, model, {
      instructions: await instructionsOf(reader, turn, agent),
      said: [...before, { role: 'user', text: turn.message }, ...sofar.said],
      tools: [...tools.values()].map(({ spec }) => spec),
      most_tokens: MOST_TOKENS_OF_AN_ANSWER,
      signal,
    });
    if (signal.aborted) return STOPPED;
    if (calls.length === 0) return { state: 'done', sentence: null };
    const answers: Extract<Said, { role: 'tools' }>['answers'] = [];
    for (const call of calls) {
      if (signal.aborted) return STOPPED;
      const before = sofar.used;
      const begun = beginUse(house, tools, call, sofar.text.length);
      sofar.used = [...before, begun];
      await keep();
      if (signal.aborted) {
        sofar.used = before;
        return STOPPED;
      }
      const { text, came } = await act({ house, turn, drivers, tools, allowed, signal }, call);
      answers.push({ id: call.id, name: call.name, text });
      sofar.used = [...before, { ...begun, ...came }];
      await keep();
    }
    sofar.said.push({ role: 'tools', answers });
  }
  return failed(tooManySteps);
}

/** One step of the model, kept as it comes; gives what it calls for. */
async function ask({ house, sofar, keep }: Course, model: Model, asking: Asking): Promise<Call[]> {
  const calls: Call[] = [];
  let said = '';
  // Words are kept soon after they came, also where nothing comes after them for long.
  let due: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    due = undefined;
    keep().catch((error: unknown) => house.log.warn({ err: error }, 'what an agent says was not kept'));
  };
  try {
    for await (const part of model.step(asking)) {
      if (part.kind === 'call') calls.push(part.call);
      else if (part.kind === 'end') sofar.tokens += part.tokens;
      else {
        if (said === '' && sofar.text !== '') sofar.text += '\n\n';
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
  sofar.said.push({ role: 'assistant', text: said, calls });
  await keep();
  return calls;
}
