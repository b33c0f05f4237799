// The job that reads a short list; see src/apart.
import { Refusal } from '../../../../kernel/refusal.ts';
import { readPeople, saidNo } from './reading.ts';
import type { GivenFile, Told } from './reading.worker.ts';

const noSheet = (): never => {
  throw new Error('workbooks are read in a thread of their own');
};

export const run = ({ bytes, wishes }: GivenFile): Promise<Told> =>
  readPeople(bytes, wishes, noSheet).then(
    (people) => ({ people }),
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return { refused: saidNo(error) };
    },
  );
