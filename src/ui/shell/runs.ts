// Acts on many records, outside any screen: a run goes on while the person works elsewhere in this tab. Each act is a call of
// its own, as this person, a few at once; runs on the same kind of record go one after the other; and no call is made twice
// without knowing that the first one was not done.
import { ApiError, call } from '../client/call.ts';
import { steppedUp } from '../client/step-up.ts';
import { heard } from '../client/topics.ts';
import { many } from '../kit/numbers.ts';
import { whose } from './runs-left.ts';
import { close, isClean, nextKey, outcome, put, type Refused, type Run, runOf, show } from './runs-shown.ts';

export type Plan<R> = {
  title: string;
  of: Run['of'];
  /** Found before anyone was asked: what was confirmed is what is done, whatever a filter shows by then. */
  records: readonly R[];
  /** Which of them the act is for; where nothing is said, all. */
  only?: (record: R) => boolean;
  about: (record: R) => Omit<Refused, 'says'>;
  /** Answers with a sentence where it did not happen and was no refusal either; given up where the signal says so. */
  act: (record: R, gone: AbortSignal) => Promise<string | null>;
  /** What the screens read again. */
  after: () => Promise<unknown>;
  /**
   * The screen waits for it and says itself what came of it: the tray keeps quiet unless it takes long or something did not
   * work.
   */
  quiet?: boolean;
};

/** As many as one run takes; more is an import's or a workflow's work. */
export const MOST = 10_000;
/** Calls under way at once: enough to hide the way there and back, few enough to leave the product to others. */
const AT_ONCE = 4;
/** Of fewer the half is not said. */
const FEW = 20;
/** A run that takes longer is no brief one, and is shown whoever else tells of it. */
const LONG_MS = 1_500;
/** An act that has no answer by then is no longer waited for. */
const LIMIT_MS = 60_000;
/** After so many of these in a row no more are begun. */
const SILENT_MOST = 3;
/** Where a product that is asked too often does not say how long. */
const WAIT_S = 10;

const SIGNED_OUT = 'Stopped because you were signed out. Completed changes are saved.';
const UNCONFIRMED = 'Stopped because you didn’t confirm your identity.';
const OFFLINE = 'You’re offline. Paused.';
const UNREACHED = 'Connection lost. Paused.';
const HANGS = 'No response within a minute. Check whether the change was made.';
const SILENT = 'Dunnock didn’t respond 3 times in a row. Paused.';
const BROKE_OFF = 'The connection was lost. Check whether the change was made.';
const FAILED = 'Stopped because of an error on this page. Reload it and check which changes were made.';

type Standing = { over: Promise<void>; end: () => void; until: number };
type Live = {
  key: number;
  by: string | undefined;
  halted: boolean;
  standing: Standing | null;
  /** Without an answer, since the last one that had one. */
  silent: number;
};

const lives = new Map<number, Live>();
/** By what they act on. */
const turns = new Map<string, Promise<unknown>>();

/** Begins when the run before it is over, and answers with those it was done for. */
export async function start<R>(plan: Plan<R>): Promise<{ done: R[]; clean: boolean }> {
  const live: Live = { key: nextKey(), by: whose(), halted: false, standing: null, silent: 0 };
  const { title, of, quiet = false } = plan;
  const { key } = live;
  const total = plan.records.length;
  lives.set(key, live);
  show({
    key,
    title,
    of,
    at: 'queued',
    total,
    done: 0,
    refused: [],
    why: null,
    asks: false,
    stopped: false,
    shown: !quiet,
    brief: true,
    cut: false,
    job: null,
  });
  setTimeout(() => lives.has(key) && put(key, { shown: true, brief: false }), LONG_MS);
  // Two that change the same records at once would be in each other's way; what a screen waits for is short, and begins now.
  const before = quiet ? undefined : turns.get(of[0]);
  const turn = before ? before.then(() => work(live, plan)) : work(live, plan);
  if (!quiet)
    turns.set(
      of[0],
      turn.catch(() => {}),
    );
  try {
    const done = await turn;
    await plan.after();
    const now = runOf(key);
    return { done, clean: now === undefined || isClean(now) };
  } catch (error) {
    end(live, { why: error instanceof ApiError ? error.sentence : FAILED });
    if (error instanceof ApiError) return { done: [], clean: false };
    throw error;
  }
}

/** What is under way is let end. */
export function stop(key: number): void {
  const live = lives.get(key);
  if (!live) return;
  put(key, { stopped: true, why: null });
  if (runOf(key)?.at === 'queued') return end(live);
  live.halted = true;
  live.standing?.end();
}

/** The person signs out: what is under way may still be done, and no more is begun. */
export function endAll(): void {
  for (const each of lives.values()) end(each, { why: SIGNED_OUT, cut: true });
}

export const goOn = (key: number): void => lives.get(key)?.standing?.end();

function end(live: Live, change: Partial<Run> = {}): void {
  const { key } = live;
  live.halted = true;
  live.standing?.end();
  lives.delete(key);
  put(key, { at: 'over', asks: false, ...change });
  const run = runOf(key);
  if (!run) return;
  if (isClean(run) && !run.shown) return close(key);
  put(key, { shown: true }, [outcome(run), run.why ?? ''].join(' ').trim());
}

/** Every call of the run waits; for a time where one is given, else until the person lets it go on. */
function stand(live: Live, why: string, for_ms?: number): void {
  const { key } = live;
  const until = for_ms === undefined ? Infinity : performance.now() + for_ms;
  if (live.halted || (live.standing && live.standing.until >= until)) return;
  live.standing?.end();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = for_ms === undefined ? undefined : setTimeout(resolve, for_ms);
  const standing: Standing = { over: promise, end: resolve, until };
  live.standing = standing;
  put(key, { at: 'standing', why, asks: for_ms === undefined, shown: true }, why);
  void promise.then(() => {
    clearTimeout(timer);
    if (live.standing !== standing) return;
    live.standing = null;
    if (!live.halted) put(key, { at: 'going', why: null, asks: false });
  });
}

/** What was chosen by one person is not done by another who signed in beside. */
function whoIs(live: Live, id: string | undefined): void {
  if (!live.halted && id !== live.by) end(live, { why: SIGNED_OUT });
}

/** For a time: one call without an answer must not keep a run open for ever. Someone who is asked to confirm takes their own. */
async function answered<T>(act: (gone: AbortSignal) => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const gone = new AbortController();
  const timer = setTimeout(() => {
    reject(new ApiError(504, 'unanswered', HANGS));
    // It takes none of the browser's few connections from those that come after it, and is not sent on.
    gone.abort();
  }, LIMIT_MS);
  try {
    return await Promise.race([act(gone.signal), promise]);
  } finally {
    clearTimeout(timer);
  }
}

const OVER = Symbol('over');

/**
 * Calls when the run may, and again once it may go on where the call is known not to have been done; no more once the run is
 * over.
 */
async function called<T>(live: Live, act: (gone: AbortSignal) => Promise<T>): Promise<T | typeof OVER> {
  for (;;) {
    const stood = live.standing !== null;
    while (live.standing) await live.standing.over;
    // In between someone else may have signed in, in another tab.
    if (stood && !live.halted)
      await answered((gone) => call('me_get', {}, gone)).then(
        ({ principal }) => whoIs(live, principal.id),
        () => {},
      );
    whoIs(live, whose());
    if (live.halted) return OVER;
    if (!navigator.onLine) {
      stand(live, OFFLINE);
      continue;
    }
    try {
      const answer = await steppedUp(() => answered(act));
      live.silent = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code } = error;
      live.silent = code === 'unanswered' ? live.silent + 1 : 0;
      if (live.silent === SILENT_MOST) {
        live.silent = 0;
        stand(live, SILENT);
      }
      if (code === 'given_up') {
        end(live, { why: UNCONFIRMED });
        return OVER;
      }
      if (status === 401) {
        endAll();
        // Whether the session is over is found where that is always found.
        void heard('me', '');
        return OVER;
      }
      const broken = status === 0 || status === 503;
      if (broken) stand(live, status === 0 ? UNREACHED : error.sentence);
      if (status === 429) {
        const wait_s = error.retry_after ?? WAIT_S;
        stand(
          live,
          `Waiting ${wait_s} s before the next request. The action continues automatically.`,
          wait_s * 1000,
        );
      }
      if (status === 429) continue;
      throw status === 0 ? new ApiError(0, code, BROKE_OFF) : error;
    }
  }
}

async function work<R>(live: Live, plan: Plan<R>): Promise<R[]> {
  const { key } = live;
  const done: R[] = [];
  if (live.halted) return done;
  const found = plan.records.filter(plan.only ?? (() => true));
  put(key, { at: 'going', total: found.length }, `started for ${many(found.length, ...plan.of)}.`);
  const half = found.length < FEW ? -1 : Math.ceil(found.length / 2);
  let refused: readonly Refused[] = [];
  const not = (record: R, says: string): void => {
    refused = [...refused, { ...plan.about(record), says }];
  };
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < found.length) {
      const record = found[next++] as R;
      try {
        const says = await called(live, (gone) => plan.act(record, gone));
        if (says === OVER) return;
        if (says === null) done.push(record);
        else not(record, says);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        not(record, error.sentence);
      }
      const passed = done.length + refused.length;
      put(key, { done: done.length, refused }, passed === half ? 'half done.' : undefined);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (lives.has(key)) end(live);
  return done;
}
