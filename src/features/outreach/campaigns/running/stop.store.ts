// Stopping a campaign without a caller: the system pauses one whose figures cross a limit and finishes one in which nobody can
// move. Starting it again is an act of somebody with wire (handlers of running).
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/ground.ts';
import type { PausedReason } from '../contract.ts';
import { writeFact } from '../save.store.ts';

/** True where it was active and is paused now. It locks the campaign: before any prospect or letter of it is locked. */
export async function pauseCampaign(
  tx: Transaction,
  id: string,
  reason: PausedReason,
  by: Principal,
  now: Date,
): Promise<boolean> {
  const stopped = await tx`
    update campaigns set state = 'paused', paused_reason = ${reason}, paused_at = ${now}, revision = revision + 1,
      updated_at = ${now}
    where id = ${id} and state = 'active' returning id`;
  if (stopped.length > 0) await writeFact(tx, id, 'paused', { reason }, { by, now });
  return stopped.length > 0;
}

/** True where it was active and is finished now. Whether anybody can still move is for the caller to know. */
export async function finishCampaign(
  tx: Transaction,
  id: string,
  by: Principal,
  now: Date,
): Promise<boolean> {
  const finished = await tx`
    update campaigns set state = 'finished', revision = revision + 1, updated_at = ${now}
    where id = ${id} and state = 'active' returning id`;
  if (finished.length > 0) await writeFact(tx, id, 'finished', {}, { by, now });
  return finished.length > 0;
}
