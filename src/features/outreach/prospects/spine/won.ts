// A deal that is won moves the spine of the person whose it is (domain.md §1.9); one that is lost leaves it.
import type { OnWon } from '../../../crm/deals/won.ts';
import { prospectOfDeal } from './deal.store.ts';
import { moveSpine } from './move.store.ts';

export const wonDealMovesSpine: OnWon = async ({ db, caller, now, tell }, deal) => {
  const prospect_id = await prospectOfDeal(db, deal);
  if (prospect_id === null) return;
  await moveSpine(db, { prospect_id, stage: 'won', cause: 'deal', ref: deal.id }, caller.principal, now);
  tell('prospects', prospect_id);
};
