// The only file that writes a prospect’s stage and its end, as the table says (PROSPECT in spine.rules.ts). Callers hold the
// rows and record the facts (facts.store.ts).
import type { Transaction } from '../../../../kernel/database.ts';
import { sets, stands } from '../../../../store/machine.ts';
import type { EndReason } from '../contract.ts';
import { PROSPECT, type ProspectAct, type Stage } from './spine.rules.ts';

async function prospectsDo(
  tx: Transaction,
  act: ProspectAct,
  ids: readonly string[],
  given: Record<string, unknown>,
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    update prospects set ${sets(tx, PROSPECT, act, given, now)}
    where id = any(${[...ids]}::uuid[]) and ${stands<Stage>(tx, PROSPECT.acts[act], given, now, PROSPECT.state)}`;
}

/** Those of them that are not there yet, and not further. */
export const stageReached = (
  tx: Transaction,
  ids: readonly string[],
  stage: Exclude<Stage, 'enrolled'>,
  at: Date,
  now: Date,
): Promise<void> => prospectsDo(tx, stage, ids, { at }, now);

/** Whoever was ended already stays ended as they were. */
export const ended = (tx: Transaction, ids: readonly string[], reason: EndReason, now: Date): Promise<void> =>
  prospectsDo(tx, 'end', ids, { reason }, now);

/** Another row of the same campaign goes on in its place, and it is no one's. */
export const mergedAway = (tx: Transaction, id: string, now: Date): Promise<void> =>
  prospectsDo(tx, 'merge_away', [id], {}, now);
