// The only file that writes a campaign’s state: each act follows the table (campaign-states.rules.ts) and records a fact.
// Starting needs wire (running.handlers.ts). The system pauses a campaign whose numbers cross a limit, and finishes one without
// open prospects.
import type { Author, Caller, Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { sets, stands } from '../../../../store/machine.ts';
import type { CampaignState, PausedReason } from '../contract.ts';
import { wordOf, writeFact } from '../save.store.ts';
import type { LoadedCampaign } from '../store.ts';
import { CAMPAIGN, type CampaignAct } from './campaign-states.rules.ts';

/** True where the campaign's state lets it. It locks the campaign: before any prospect or letter of it is locked. */
async function does(
  tx: Transaction,
  act: CampaignAct,
  id: string,
  given: Record<string, unknown>,
  now: Date,
): Promise<boolean> {
  const done = await tx`
    update campaigns set ${sets(tx, CAMPAIGN, act, given, now)}
    where id = ${id} and ${stands<CampaignState>(tx, CAMPAIGN.acts[act], given, now)} returning id`;
  return done.length > 0;
}

/** Of one that is loaded and locked, whose state was asked before. */
async function must(
  tx: Transaction,
  act: CampaignAct,
  { id, state }: LoadedCampaign,
  given: Record<string, unknown>,
  now: Date,
): Promise<void> {
  if (!(await does(tx, act, id, given, now))) throw new Error(`a campaign that is ${state} cannot ${act}`);
}

export async function activateCampaign(
  tx: Transaction,
  campaign: LoadedCampaign,
  caller: Caller,
  now: Date,
): Promise<void> {
  await must(tx, 'activate', campaign, { ...wordOf(tx, 'activated', caller), agreed: {} }, now);
  const details = { from: campaign.state, sequence_revision: campaign.sequence_revision };
  await writeFact(tx, campaign.id, 'activated', details, { by: caller.principal, now });
}

export async function archiveCampaign(
  tx: Transaction,
  campaign: LoadedCampaign,
  author: Author,
): Promise<void> {
  await must(tx, 'archive', campaign, {}, author.now);
  await writeFact(tx, campaign.id, 'archived', { from: campaign.state }, author);
}

/** True where it was active and is paused now. */
export async function pauseCampaign(
  tx: Transaction,
  id: string,
  reason: PausedReason,
  by: Principal,
  now: Date,
): Promise<boolean> {
  const paused = await does(tx, 'pause', id, { reason }, now);
  if (paused) await writeFact(tx, id, 'paused', { reason }, { by, now });
  return paused;
}

/** True where it was active and is finished now. Whether anyone can still move is for the caller to know. */
export async function finishCampaign(
  tx: Transaction,
  id: string,
  by: Principal,
  now: Date,
): Promise<boolean> {
  const finished = await does(tx, 'finish', id, {}, now);
  if (finished) await writeFact(tx, id, 'finished', {}, { by, now });
  return finished;
}
