// Holds of people in campaigns as rows: kept, moved and taken off, with everything that is due moved along.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { wakeLetters } from '../../sends/letter/flow.store.ts';
import { addFacts } from '../history.store.ts';
import { type Hold, ruleHold, ruleRelease } from './hold.rules.ts';

type HeldRow = {
  hold_by: Hold['by'] | null;
  hold_reason: string | null;
  hold_until: Date | null;
  held_at: Date | null;
  ended: string | null;
};

async function lockHold(
  tx: Transaction,
  prospect_id: string,
): Promise<{ hold: Hold | null; ended: boolean } | null> {
  const [row] = await tx<HeldRow[]>`
    select hold_by, hold_reason, hold_until, held_at, ended from prospects where id = ${prospect_id} for no key update`;
  if (!row) return null;
  const { hold_by, hold_reason, hold_until, held_at } = row;
  const hold =
    hold_by && hold_reason !== null && held_at
      ? { by: hold_by, reason: hold_reason, until: hold_until, since: held_at }
      : null;
  return { hold, ended: row.ended !== null };
}

export type HoldWish = { prospect_id: string } & Omit<Hold, 'since'>;

/** Keeps someone back. False where it changed nothing: they are over, or a hold that weighs more exists. */
export async function holdProspect(
  tx: Transaction,
  { prospect_id, ...wish }: HoldWish,
  by: Principal,
  now: Date,
): Promise<boolean> {
  const found = await lockHold(tx, prospect_id);
  if (!found || found.ended) return false;
  const ruling = ruleHold(found.hold, wish, now);
  if (!ruling) return false;
  await save(tx, prospect_id, ruling.hold, ruling.shift_ms, now);
  const details = { by: wish.by, reason: wish.reason, until: wish.until };
  await addFacts(tx, [{ prospect_id, kind: 'held', details }], by, now);
  return true;
}

/** An away message came: nothing goes until they are back. For the inbox, which reads the date (domain.md §6.6). */
export const holdAway = async (
  tx: Transaction,
  { prospect_id, until, reason }: { prospect_id: string; until: Date; reason: string },
  by: Principal,
  now: Date,
): Promise<boolean> => holdProspect(tx, { prospect_id, by: 'away', reason, until }, by, now);

/** Lets someone go on where their wait was. False where nothing held them. */
export async function releaseProspect(
  tx: Transaction,
  prospect_id: string,
  by: Principal,
  now: Date,
): Promise<boolean> {
  const found = await lockHold(tx, prospect_id);
  if (!found?.hold) return false;
  await save(tx, prospect_id, null, ruleRelease(found.hold, now).shift_ms, now);
  await addFacts(
    tx,
    [{ prospect_id, kind: 'released', details: { by: found.hold.by, reason: found.hold.reason } }],
    by,
    now,
  );
  await wakeLetters(tx, { prospect_id }, now);
  return true;
}

async function save(
  tx: Transaction,
  prospect_id: string,
  hold: Hold | null,
  shift_ms: number,
  now: Date,
): Promise<void> {
  await tx`
    update prospects set hold_by = ${hold?.by ?? null}, hold_reason = ${hold?.reason ?? null},
      hold_until = ${hold?.until ?? null}, held_at = ${hold?.since ?? null},
      due_at = due_at + make_interval(secs => ${shift_ms / 1000}),
      next_at = next_at + make_interval(secs => ${shift_ms / 1000}), updated_at = ${now}
    where id = ${prospect_id}`;
  if (shift_ms === 0) return;
  await tx`
    update sends set scheduled_for = scheduled_for + make_interval(secs => ${shift_ms / 1000}), updated_at = ${now}
    where id in (select id from sends where prospect_id = ${prospect_id} and kind = 'sequence'
      and state in ('drafted', 'review', 'scheduled', 'held') order by id for update)`;
}
