// The job that reads one mail; see src/apart.
import { look, type Looked, lookBriefly, type Sought } from './look.ts';

/** `brief`: the whole took too long. `cut`: its source held more. */
export type Task = { bytes: Uint8Array; sought: Sought; brief: boolean; cut: boolean };

export const run = ({ bytes, sought, brief, cut }: Task): Promise<Looked> =>
  brief ? lookBriefly(bytes) : look(bytes, sought, cut);
