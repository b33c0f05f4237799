// A letter that will not go although its person has not ended: they would be at its step for ever. The step is over, the
// next one is theirs, and a hold keeps them there until someone has looked: a follow-up to a letter that never came would
// say what is not so.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { conflict } from '../../../../kernel/refusal.ts';
import { holdProspect, releaseProspect } from './hold.store.ts';
import { stepAfter } from './steps.rules.ts';
import { positionOf, standAt, standingSteps } from './steps.store.ts';

/** Why, for whoever looks; none of it is anyone else's text. */
const SAYS = {
  rejected: 'their letter was rejected: release them to continue with the next step, or remove them',
  cancelled: 'their letter was canceled: release them to continue with the next step, or remove them',
  bounced:
    'their address rejected the letter: give them another address and resend the letter, or remove them',
  not_taken:
    'their mail server didn’t accept the letter in time: resend it, or release them with skip_failed to continue with the next step',
  refused:
    'their mail server rejected the letter because of its sender or its content: fix that and resend it, or release them with skip_failed to continue with the next step',
} as const;
type Over = keyof typeof SAYS;

/** Keeps the prospect's row; whoever holds letters of it has it already. A second telling changes nothing. */
export async function letterOver(
  tx: Transaction,
  { prospect_id, step_id, why }: { prospect_id: string; step_id: string | null; why: Over },
  by: Principal,
  now: Date,
): Promise<void> {
  const [row] = await tx<{ campaign_id: string; step_id: string | null; ended: string | null }[]>`
    select campaign_id, step_id, ended from prospects where id = ${prospect_id} for no key update`;
  if (!row || row.ended !== null || step_id === null || row.step_id !== step_id) return;
  const steps = (await standingSteps(tx, [row.campaign_id])).get(row.campaign_id) ?? [];
  const next = stepAfter(steps, await positionOf(tx, step_id), now, now);
  await standAt(tx, prospect_id, next, now);
  // After the last step there is nothing to keep back.
  if (next) await holdProspect(tx, { prospect_id, by: 'system', reason: SAYS[why], until: null }, by, now);
}

/** Prospects are locked before letters: for whoever is about to lock these letters. */
export async function lockProspectsOfLetters(tx: Transaction, send_ids: readonly string[]): Promise<void> {
  await tx`
    select from prospects where id in (select prospect_id from sends where id = any(${[...send_ids]}::uuid[]))
    order by id for no key update`;
}

/** The letter of `prospects p` that failed last and is still to be sent again; null where they had another one since. */
export const failedLetter = (db: Reader) => db`
  case when p.ended is null then (
    select case when l.state = 'failed' then l.id end from sends l
    where l.prospect_id = p.id and l.kind = 'sequence' and l.state <> 'cancelled'
    order by l.created_at desc, l.id desc limit 1) end`;

export async function hasFailedLetter(db: Reader, prospect_id: string): Promise<boolean> {
  const [row] = await db<{ failed: string | null }[]>`
    select ${failedLetter(db)} as failed from prospects p where p.id = ${prospect_id}`;
  return (row?.failed ?? null) !== null;
}

/**
 * A letter that failed is sent again: its prospect, whose row is locked, is at its step once more, and what the product held
 * them for is over. Throws where they have gone on.
 */
export async function letterAgain(
  tx: Transaction,
  { send_id, prospect_id, step_id }: { send_id: string; prospect_id: string; step_id: string | null },
  by: Principal,
  now: Date,
): Promise<void> {
  const [row] = await tx<{ ended: string | null; hold_by: string | null; failed: string | null }[]>`
    select p.ended, p.hold_by, ${failedLetter(tx)} as failed from prospects p where p.id = ${prospect_id}`;
  if (!row || row.ended !== null)
    throw conflict('this person left the sequence, so their letter can’t be resent', {
      ended: row?.ended ?? null,
    });
  if (row.failed !== send_id)
    throw conflict(
      'the next letter to this person is already written: cancel it first if it hasn’t been sent',
    );
  await tx`
    update prospects set step_id = ${step_id}, due_at = ${now}, next_at = null, item_id = null, lease = null,
      lease_until = null, updated_at = ${now}
    where id = ${prospect_id}`;
  if (row.hold_by === 'system') await releaseProspect(tx, prospect_id, by, now);
}
