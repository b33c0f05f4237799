// Reads a file: a short list in the shared threads for outside text, anything else in a thread of its own, so that no other
// request waits. A file that exceeds the thread’s memory or time ends only that thread.
import { Worker } from 'node:worker_threads';
import { apart, Overran } from '../../../../apart/apart.ts';
import { SECOND_MS } from '../../../../kernel/clock.ts';
import { invalid, type Refusal } from '../../../../kernel/refusal.ts';
import { isZip } from './decode.rules.ts';
import { asRefusal, type People, type Wishes } from './reading.ts';
import type { GivenFile, Told } from './reading.worker.ts';
import { inTurn } from './turns.ts';

/** Below this a list is read by the threads that read other short texts. */
const SHORT_BYTES = 64 * 1024;
/** Uneven rows cost ten times as much as even ones: measured, 0.4 s for the worst of this size. A list that takes longer has a thread of its own. */
const SHORT_WITHIN_MS = 2 * SECOND_MS;
/** A small young generation: with 64 MB a workbook of ten megabytes takes 70 MB more at its peak, and no less time. */
const MEMORY = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 8 };

/** A hundred thousand rows take about four seconds. */
export const READS_WITHIN_MS = 20 * SECOND_MS;

const says = (sentence: string): Refusal => invalid(sentence, { file: sentence });
const TOO_HEAVY = says('this file is too large once unpacked: split it, or save it as CSV');
const TOO_LONG = says('this file takes too long to read: split it, or save it as CSV');

/** `who`: whose turn it takes, where it takes one. Throws the sentence that says why a file cannot be read, or not now. */
export async function openPeople(
  bytes: Uint8Array,
  wishes: Wishes,
  who: string,
  within_ms: number,
  signal: AbortSignal | undefined,
): Promise<People> {
  if (bytes.length <= SHORT_BYTES && !isZip(bytes)) {
    const told = await readShort({ bytes, wishes }, SHORT_WITHIN_MS).catch((error: unknown) => {
      if (error instanceof Overran) return null;
      throw error;
    });
    if (told) return peopleOf(told);
  }
  return await inTurn(who, signal, () => readApart({ bytes, wishes }, within_ms, signal));
}

const readShort = apart<GivenFile, Told>(new URL('reading.job.ts', import.meta.url));

function peopleOf(told: Told): People {
  if ('refused' in told) throw asRefusal(told.refused);
  return told.people;
}

/** The thread is gone when this settles, however it does; whoever hung up ends it too. */
async function readApart(
  given: GivenFile,
  within_ms: number,
  signal: AbortSignal | undefined,
): Promise<People> {
  const worker = new Worker(new URL('reading.worker.ts', import.meta.url), {
    workerData: given,
    resourceLimits: MEMORY,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Told>();
  const late = (): void => reject(TOO_LONG);
  const timer = setTimeout(late, within_ms);
  signal?.addEventListener('abort', late);
  if (signal?.aborted) late();
  worker.on('message', resolve);
  worker.on('error', (error: unknown) => reject(outgrown(error) ? TOO_HEAVY : error));
  worker.on('exit', () => reject(new Error('a thread ended before it had read its file')));
  try {
    return peopleOf(await promise);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', late);
    await worker.terminate();
  }
}

const outgrown = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
