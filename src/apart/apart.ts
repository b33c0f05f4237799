// Parses outsiders’ text in two threads under a deadline, apart from the main thread: however it was written, no one
// else waits for it, and an expensive text leaves the other thread to everyone else. A job is a module that exports
// `run` and does no input or output. A job that runs out of time or memory ends its thread, and the caller decides
// what applies then.
import { Worker } from 'node:worker_threads';
import { MINUTE_MS } from '../kernel/clock.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Asked, Said } from './messages.ts';

const THREADS = 2;
/** Jobs that wait for a thread; one more is refused at once. */
const WAITING_MAX = 32;
/** Loading what a job needs is ours to answer for, and counts for nothing. */
const LOADS_WITHIN_MS = MINUTE_MS;
/** A deadline is time of the processor: on a busy machine the same work takes longer, though never so many times. */
const SLOWER_AT_MOST = 5;
const LOOKS_EVERY_MS = 10;
const IDLE_MS = MINUTE_MS;
/** Each thread's own; more than a mail within the limits needs. */
const HEAP_MB = 512;

/** It could not be done in its time, or in the memory there is for it. */
export class Overran extends Error {}

/** Too much else waits to be read. */
export class Crowded extends Refusal {
  constructor() {
    super(
      503,
      'unavailable',
      'the server is reading too many texts at once: wait a few seconds and try again',
    );
  }
}

type Task = Asked & {
  transfer: ArrayBuffer[];
  within_ms: number;
  resolve(made: unknown): void;
  reject(error: Error): void;
};

type Seat = { worker: Worker; task: Task | null; leaving: NodeJS.Timeout | undefined };

const waiting: Task[] = [];
const seats = new Set<Seat>();

/** `job`: the address of a file `*.job.ts` beside the caller's, which the builder finds there. `within_ms`: time of the processor. Rejects with `Overran` or `Crowded`. */
export function apart<Given, Made>(
  job: URL,
): (given: Given, within_ms: number, transfer?: ArrayBuffer[]) => Promise<Made> {
  return async (given, within_ms, transfer = []) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (waiting.length >= WAITING_MAX) throw new Crowded();
    waiting.push({ job: job.href, given, transfer, within_ms, resolve, reject });
    seatNext();
    return (await promise) as Made;
  };
}

function seatNext(): void {
  const seat = [...seats].find(({ task }) => task === null) ?? (seats.size < THREADS ? seatOrNone() : null);
  const task = seat && waiting.shift();
  if (!seat || !task) return;
  seat.task = task;
  clearTimeout(seat.leaving);
  void perform(seat, task).finally(seatNext);
}

/** A machine that has no room for another thread: the oldest task is not done, and the next is tried when a seat is free. */
function seatOrNone(): Seat | null {
  if (waiting.length === 0) return null;
  try {
    return begin();
  } catch (error) {
    waiting.shift()?.reject(error as Error);
    return null;
  }
}

async function perform(seat: Seat, task: Task): Promise<void> {
  const { worker } = seat;
  const { promise, resolve, reject } = Promise.withResolvers<Said>();
  const ends = (): void => reject(new Overran());
  let limit = alarm(LOADS_WITHIN_MS, ends);
  const hears = (said: Said): void => {
    if (said.kind !== 'begun') return resolve(said);
    limit.stop();
    limit = deadline(worker, said.used_ms + task.within_ms, task.within_ms * SLOWER_AT_MOST, ends);
  };
  worker.on('message', hears).once('error', ends).once('exit', ends);
  try {
    const { job, given, transfer } = task;
    worker.postMessage({ job, given } satisfies Asked, transfer);
    const said = await promise;
    if (said.kind === 'done') task.resolve(said.made);
    else task.reject(new Error(said.kind === 'fault' ? said.says : said.kind));
    seat.task = null;
    seat.leaving = setTimeout(() => leave(seat), IDLE_MS).unref();
  } catch (error) {
    leave(seat);
    task.reject(error as Error);
  } finally {
    limit.stop();
    worker.off('message', hears).off('error', ends).off('exit', ends);
  }
}

type Alarm = { stop(): void };

function alarm(after_ms: number, rings: () => void): Alarm {
  const timer = setTimeout(rings, after_ms);
  return { stop: () => clearTimeout(timer) };
}

/** Rings when the thread has used its time, or when no thread takes so long that does its work. */
function deadline(worker: Worker, until_ms: number, at_most_ms: number, rings: () => void): Alarm {
  const last = alarm(at_most_ms, rings);
  let next = alarm(at_most_ms, rings);
  let stopped = false;
  const look = async (): Promise<void> => {
    // A thread that has ended tells nothing, and has told its end.
    const used = await worker.cpuUsage().catch(() => null);
    if (stopped || used === null) return;
    const left_ms = until_ms - (used.user + used.system) / 1000;
    if (left_ms <= 0) return rings();
    next.stop();
    next = alarm(Math.max(left_ms, LOOKS_EVERY_MS), () => void look());
  };
  void look();
  return {
    stop() {
      stopped = true;
      last.stop();
      next.stop();
    },
  };
}

function begin(): Seat {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32 },
  });
  const seat: Seat = { worker, task: null, leaving: undefined };
  // No process stays for it, and its errors end none.
  worker.unref();
  worker.on('error', () => leave(seat));
  seats.add(seat);
  return seat;
}

function leave(seat: Seat): void {
  clearTimeout(seat.leaving);
  seats.delete(seat);
  void seat.worker.terminate();
}
