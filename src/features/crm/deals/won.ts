// What happens elsewhere when a deal is won. A feature implements OnWon, and features.ts passes it in, so that deals depend on
// no such feature.
import type { WriteContext } from '../../../kernel/context.ts';
import type { LoadedDeal } from './store.ts';

/** Runs in the transaction in which the deal is won. */
export type OnWon = (context: WriteContext, deal: LoadedDeal) => Promise<void>;
