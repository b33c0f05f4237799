// Reads one file in a thread of its own, with memory of its own: it hands over the next part when it is asked for.
import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../kernel/refusal.ts';
import { readPeople, saidNo, type SaidNo, type Part, type Wishes } from './reading.ts';
import { sheetRows } from './sheet.ts';

export type Given = { bytes: Uint8Array; wishes: Wishes };
export type Told = { part: Part } | { done: true } | { refused: SaidNo };

const { bytes, wishes } = workerData as Given;
const parts = readPeople(bytes, wishes, sheetRows);
const tell = (told: Told): void => parentPort?.postMessage(told);

parentPort?.on('message', () => {
  void parts.next().then(
    (next) => tell(next.done ? { done: true } : { part: next.value }),
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      tell({ refused: saidNo(error) });
    },
  );
});
