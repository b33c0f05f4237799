// The job that reads one mail; see src/apart.
import { look, type Looked, lookBriefly, type Sought } from './look.ts';

/** `brief`: the whole took too long. */
export type Task = { bytes: Uint8Array; sought: Sought; brief: boolean };

export const run = ({ bytes, sought, brief }: Task): Promise<Looked> =>
  brief ? lookBriefly(bytes) : look(bytes, sought);
