// Reads one file in a thread of its own, with memory of its own, and tells what came of it.
import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../../../kernel/refusal.ts';
import { type People, readPeople, saidNo, type SaidNo, type Wishes } from './reading.ts';

export type GivenFile = { bytes: Uint8Array; wishes: Wishes };
export type Told = { people: People } | { refused: SaidNo };

const { bytes, wishes } = workerData as GivenFile;
const tell = (told: Told): void => parentPort?.postMessage(told);

// Loaded for a workbook alone: every long list begins a thread, and the reader of sheets is much of what that would load.
const sheetOf = async (book: Uint8Array): Promise<string[][]> => (await import('./sheet.ts')).sheetRows(book);

await readPeople(bytes, wishes, sheetOf).then(
  (people) => tell({ people }),
  (error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    tell({ refused: saidNo(error) });
  },
);
