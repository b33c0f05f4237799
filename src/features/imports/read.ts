// Opens a file for reading: a short list at once, anything else in a thread of its own, so that nobody who asks something
// meanwhile waits for fifty megabytes to be parted. A file that outgrows the thread's memory ends the thread and nothing else.
import { Worker } from 'node:worker_threads';
import { invalid } from '../../kernel/refusal.ts';
import { isZip } from './decode.rules.ts';
import type { Draft } from './draft.ts';
import { asRefusal, type Head, type Part, readPeople, type Wishes } from './reading.ts';
import type { Given, Told } from './reading.worker.ts';

/** What takes a few milliseconds is not worth a thread. */
const READ_AT_ONCE_BYTES = 64 * 1024;
const MEMORY = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 };

const TOO_HEAVY = 'that file unfolds to more than can be read at once: split it, or save it as CSV';

export type People = { head: Head; drafts: AsyncGenerator<Draft[]> };

/** The head is read; drafts come as they are asked for. Throws the sentence that says why a file cannot be read. */
export async function openPeople(bytes: Uint8Array, wishes: Wishes): Promise<People> {
  const parts =
    bytes.length <= READ_AT_ONCE_BYTES && !isZip(bytes)
      ? readPeople(bytes, wishes, noSheet)
      : readApart({ bytes, wishes });
  const first = await parts.next();
  if (first.done || !('head' in first.value)) throw new Error('a file was read without its head');
  return { head: first.value.head, drafts: onlyDrafts(parts) };
}

const noSheet = (): never => {
  throw new Error('workbooks are read in a thread of their own');
};

async function* onlyDrafts(parts: AsyncGenerator<Part>): AsyncGenerator<Draft[]> {
  for await (const part of parts) if ('drafts' in part) yield part.drafts;
}

async function* readApart(given: Given): AsyncGenerator<Part> {
  const worker = new Worker(new URL('reading.worker.ts', import.meta.url), {
    workerData: given,
    resourceLimits: MEMORY,
  });
  let settle: ((told: Told | Error) => void) | null = null;
  worker.on('message', (told: Told) => settle?.(told));
  worker.on('error', (error: Error) => settle?.(error));
  try {
    for (;;) {
      const told = await new Promise<Told | Error>((resolve) => {
        settle = resolve;
        worker.postMessage('next');
      });
      if (told instanceof Error) throw outgrown(told) ? invalid(TOO_HEAVY, { file: TOO_HEAVY }) : told;
      if ('refused' in told) throw asRefusal(told.refused);
      if ('done' in told) return;
      yield told.part;
    }
  } finally {
    await worker.terminate();
  }
}

const outgrown = (error: Error): boolean => (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
