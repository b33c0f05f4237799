// Holds a turn from start to end: the process that runs it, what ends it early, and its result, saved along the way
// so that anyone can follow.
import { MINUTE_MS, SECOND_MS } from '../../../../kernel/clock.ts';
import type { ChangeNotification } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';
import { Refusal } from '../../../../kernel/refusal.ts';
import { ModelTrouble } from '../../agents/model.ts';
import { insertTouch } from '../../../inbox/threads/record/touch.store.ts';
import { converse } from './converse.ts';
import { type Behind, driversNow } from './driver.ts';
import { BROKE, endedBy, EndsAs, failed, stopped, STOPPED } from './endings.ts';
import { beat, type Ending, endTurn, keepProgress, type Progress, type Turn } from './turn.store.ts';
import { wakes } from './wakes.ts';

/** The change notifications topic of turns; its id is the thread's. */
export const CHAT = 'chat';

/** It says this often that it is still worked on; one that has been silent for much longer is stalled. */
const BEAT_MS = 5 * SECOND_MS;
export const SILENT_MS = 45 * SECOND_MS;
const LONGEST_MS = 10 * MINUTE_MS;

/** Turns that are worked on in this process, so that a stop need not wait for their next beat. */
const here = new WeakMap<App, Map<string, AbortController>>();

export const stopHere = (app: App, turn_id: string): void => here.get(app)?.get(turn_id)?.abort();

/** Never rejects for what a model or an act does. */
export async function runTurn(app: App, turn: Turn, behind: Behind): Promise<void> {
  const { database, clock } = app;
  const ending = new AbortController();
  const running = here.get(app) ?? new Map<string, AbortController>();
  here.set(app, running.set(turn.id, ending));
  const sofar = { text: '', used: [], said: [], tokens: 0, outside: turn.outside };
  const tell = (): void => database.tell([{ topic: CHAT, id: turn.thread_id }]);
  const write = async (): Promise<void> => {
    if (!(await database.transact((tx) => keepProgress(tx, turn, sofar, clock.now())))) ending.abort();
    tell();
  };
  // One after the other, so that what is older is never written over what is newer.
  let written: Promise<void> = Promise.resolve();
  const keep = (): Promise<void> => (written = written.catch(() => undefined).then(write));
  const heart = setInterval(() => {
    void database
      .transact((tx) => beat(tx, turn, clock.now()))
      .then((ours) => ours || ending.abort())
      .catch(() => ending.abort());
  }, BEAT_MS);
  heart.unref();
  const over = new AbortController();
  void endWithItsDriver(app, turn, behind, ending, over.signal);
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(LONGEST_MS)]);
  try {
    const end = await converse({ app, turn, behind, sofar, signal, keep }).catch((error: unknown) =>
      endOf(app, error, signal),
    );
    await finish(app, turn, sofar, end);
    tell();
  } finally {
    over.abort();
    clearInterval(heart);
    running.delete(turn.id);
  }
}

/** What a revocation is told by. A sign-out is told by nothing, and seen at the next look. */
const REVOKED_BY = new Set(['tokens', 'users', 'policies', 'groups', 'sessions']);
const mayRevoke = ({ topic }: ChangeNotification): boolean => REVOKED_BY.has(topic);

/** A model that speaks for minutes, and an act that waits for a stranger, end with whoever they work for. */
async function endWithItsDriver(
  app: App,
  turn: Turn,
  behind: Behind,
  ending: AbortController,
  over: AbortSignal,
): Promise<void> {
  const { database, clock, log } = app;
  for await (const _ of wakes(app, over, mayRevoke)) {
    try {
      const drivers = await driversNow(database.reader, turn, behind, clock.now());
      if ('undriven' in drivers && !over.aborted) return ending.abort(new EndsAs(stopped(drivers.undriven)));
    } catch (err) {
      // Asked again in a second, and before every act.
      log.warn({ err, [CHAT]: turn.id }, 'who drives a turn could not be looked up');
    }
  }
}

function endOf({ log }: App, error: unknown, signal: AbortSignal): Ending {
  if (signal.aborted) return endedBy(signal);
  if (error instanceof ModelTrouble) return error.why === 'stopped' ? STOPPED : failed(error.sentence);
  if (error instanceof Refusal) return failed(error.sentence);
  log.error({ err: error }, 'a turn broke');
  return BROKE;
}

async function finish({ database, clock }: App, turn: Turn, sofar: Progress, end: Ending): Promise<void> {
  const now = clock.now();
  const { thread_id, agent_name } = turn;
  const text = [sofar.text, ...(end.sentence === null ? [] : [end.sentence])].filter(Boolean).join('\n\n');
  const ended = await database.transact(async (tx) => {
    if (!(await endTurn(tx, turn, sofar, end, now))) return false;
    const from = { address: null, name: agent_name };
    await insertTouch(
      tx,
      { thread_id, direction: 'out', channel: 'chat', at: now, from, text, automatic: true },
      now,
    );
    return true;
  });
  if (ended) database.tell([{ topic: 'threads', id: thread_id }]);
}
