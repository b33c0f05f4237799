// Deals as a feature. It is given what to call when a deal is won, because it depends on none of those features.
import type { Feature } from '../../../kernel/app.ts';
import { stagesByName } from './by-name.store.ts';
import { exportDeals } from './export.handlers.ts';
import { dealHandlers } from './handlers.ts';
import { pipelineHandlers } from './pipeline.handlers.ts';
import type { OnWon } from './won.ts';

export const deals = (won: readonly OnWon[]): Feature => ({
  name: 'deals',
  operations: [...dealHandlers(won), ...pipelineHandlers, exportDeals],
  by_name: [stagesByName],
});
