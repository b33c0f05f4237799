// What other slices do to letters by the many: call them off, and have them asked again. Every write that can stop or wake a
// letter from outside goes through here. Lock order: campaign, prospect, then these rows by id.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { writeFacts } from './save.store.ts';
import { mayMove, moveLetters } from './transitions.store.ts';

/** Which letters; one of them, always, so that an empty filter can never mean all. */
export type WhichLetters =
  | { ids: readonly string[] }
  | { prospect_ids: readonly string[] }
  | { prospect_id: string }
  | { campaign_id: string }
  | { person_id: string }
  | { identity_id: string }
  | { domain_id: string }
  | { address_hash: string };

/** Notifies that letters may start, or may be let go on: whoever woke some tells it, and the passes look at once. */
export const LETTERS_DUE = 'letters_due';

function chosen(tx: Transaction, which: WhichLetters) {
  if ('ids' in which) return tx`s.id = any(${[...which.ids]}::uuid[])`;
  if ('prospect_ids' in which) return tx`s.prospect_id = any(${[...which.prospect_ids]}::uuid[])`;
  if ('prospect_id' in which) return tx`s.prospect_id = ${which.prospect_id}`;
  if ('campaign_id' in which) return tx`s.campaign_id = ${which.campaign_id}`;
  if ('person_id' in which) return tx`s.person_id = ${which.person_id}`;
  if ('identity_id' in which) return tx`s.identity_id = ${which.identity_id}`;
  if ('address_hash' in which) return tx`s.to_hash = ${which.address_hash}`;
  return tx`s.identity_id in (select i.id from identities i where i.domain_id = ${which.domain_id})`;
}

/**
 * Calls off every letter that has not started, and gives their ids. What is being sent or is uncertain stays: no one can
 * call that back. `reason` is the spine's or the campaign's own word for it.
 */
export async function cancelLetters(
  tx: Transaction,
  which: WhichLetters,
  reason: string,
  by: Principal,
  now: Date,
): Promise<string[]> {
  const cancel = { kind: 'cancel', reason } as const;
  const those = tx`s.id in (
    select s.id from sends s where ${chosen(tx, which)} and ${mayMove(tx, cancel, now)} order by s.id for update)`;
  const ids = await moveLetters(tx, those, cancel, now);
  await writeFacts(tx, ids, { kind: 'cancelled', details: { to: 'cancelled', reason } }, { by, now });
  return ids;
}

/**
 * Has letters asked again at once: those that wait for one of our own gates, and those that are held, save by someone's
 * hand. What the next hop put off keeps its time. Gives how many.
 */
export async function wakeLetters(tx: Transaction, which: WhichLetters, now: Date): Promise<number> {
  const woken = await tx`
    update sends set
      not_before = case when state = 'scheduled' then null else not_before end,
      waiting_for = case when state = 'scheduled' then null else waiting_for end,
      recheck_at = case when state = 'held' then ${now}::timestamptz else recheck_at end
    where id in (
      select s.id from sends s where ${chosen(tx, which)}
        and ((s.state = 'scheduled' and s.waiting_for is not null
              and s.waiting_for not in ('greylisted', 'retry', 'transport_down', 'broke_off'))
          or (s.state = 'held' and s.hold_reason <> 'letter_on_hold'))
      order by s.id for update)
    returning 1`;
  // A slot that sleeps over one of our own gates sleeps over what may be open by now.
  if ('identity_id' in which || 'domain_id' in which)
    await tx`
      update sender_lanes set asleep_until = null, asleep_why = null
      where identity_id in (
        select l.identity_id from sender_lanes l join identities i on i.id = l.identity_id
        where ${'identity_id' in which ? tx`i.id = ${which.identity_id}` : tx`i.domain_id = ${which.domain_id}`}
          and l.asleep_why <> 'transport_down'
        order by l.identity_id for update of l)`;
  return woken.length;
}
