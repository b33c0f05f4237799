import type { Feature } from '../../../kernel/app.ts';
import type { CampaignsRead } from '../people/holders.ts';
import { type BulkAct, deleteAct, suppressAct } from './acts.ts';
import { get, list, start, startEnrol, stopOne, undoOne } from './handlers.ts';
import { bulkPass } from './pass.ts';

/** `acts`: what other areas do to people. */
export const bulk = (acts: readonly BulkAct[], campaigns: CampaignsRead): Feature => ({
  name: 'bulk',
  operations: [start(campaigns), startEnrol(campaigns), list, get, stopOne, undoOne],
  passes: [bulkPass([suppressAct, deleteAct, ...acts])],
});
