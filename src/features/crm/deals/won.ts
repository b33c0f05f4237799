// What happens elsewhere when a deal is won, and no more: a feature that wants to know states one of these, and features.ts
// hands it over. So deals lean on no such feature (the spine of a prospect is outreach's matter).
import type { WriteContext } from '../../../kernel/context.ts';
import type { LoadedDeal } from './store.ts';

/** Runs in the transaction in which the deal is won. */
export type OnWon = (context: WriteContext, deal: LoadedDeal) => Promise<void>;
