// Deals as a feature. It is made with those who hear when one is won, because it leans on none of them.
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
