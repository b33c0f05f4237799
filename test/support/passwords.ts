// What a password costs in tests: the product's 75 ms of a core, at every person and every sign-in, are a tenth of a whole run.
// Here they cost nothing, and what is about the cost itself asks for the product's own.
import { COST } from '../../src/features/access/sessions/password.ts';
import { withPatience } from './patience.ts';

const WHOLE = { ...COST };
Object.assign(COST, { memory: 8, passes: 1, parallelism: 1 });

/** While `work` runs a password costs what it costs in the product. */
export const atWholeCost = <T>(work: () => Promise<T>): Promise<T> => withPatience(COST, WHOLE, work);
