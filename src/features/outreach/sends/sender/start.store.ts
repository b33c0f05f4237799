// The transaction in which a letter starts: it locks and checks what the letter depends on, writes `sending`, raises the
// counters and reserves the identity’s next slot. Anything that would make it wait stops it here.
import type { PendingQuery, Row } from 'postgres';
import type { Transaction } from '../../../../kernel/database.ts';
import { moveLetters } from '../letter/transitions.store.ts';
import { dayIn } from '../../../../mail/timing/windows.rules.ts';

/** A letter and what it hangs on, as it was claimed. */
export type Starting = {
  id: string;
  lease: string;
  fingerprint: string;
  campaign_id: string | null;
  prospect_id: string | null;
  person_id: string | null;
  first_touch: boolean;
  identity: { id: string; timezone: string; domain_id: string };
  campaign_timezone: string | null;
};

type Counter = { scope: 'identity' | 'domain' | 'campaign' | 'campaign_new'; scope_id: string; day: string };

/** What this letter counts for, in one order, always: two letters that took the same rows otherwise would wait for each other. */
export function countersOf(letter: Starting, now: Date): Counter[] {
  const { identity, campaign_id, campaign_timezone } = letter;
  const counters: Counter[] = [];
  if (campaign_id !== null && campaign_timezone !== null) {
    const day = dayIn(now, campaign_timezone);
    counters.push({ scope: 'campaign', scope_id: campaign_id, day });
    if (letter.first_touch) counters.push({ scope: 'campaign_new', scope_id: campaign_id, day });
  }
  counters.push({ scope: 'domain', scope_id: identity.domain_id, day: dayIn(now, 'UTC') });
  counters.push({ scope: 'identity', scope_id: identity.id, day: dayIn(now, identity.timezone) });
  return counters;
}

export type LockedIdentity = {
  min_gap_s: number;
  jitter_s: number;
  ramp_start: number;
  ramp_step: number;
  ramp_ceiling: number;
  ramp_day: number;
  ramp_counted_on: string | null;
  warned: boolean;
};

/**
 * Locks, in the order of the app, what decides whether this letter may start: its campaign, prospect and row, those whose
 * word it goes on, the identity, and the counters. A pause, an ended prospect, an edit, a deleted token or a disabled person
 * then comes before this letter, and stops it, or after it. Whoever waits for such a row waits its turn: shared locks of many
 * letters would overlap without end, and a pause would come when all are gone. Null: the letter is no longer ours, or says
 * something else.
 */
export async function lockToStart(
  tx: Transaction,
  letter: Starting,
  counters: readonly Counter[],
): Promise<LockedIdentity | null> {
  const { id, lease, campaign_id, prospect_id, fingerprint } = letter;
  // Sent in one write, and done one after the other.
  const [, , mine, , , identity] = await Promise.all([
    campaign_id === null ? null : tx`select from campaigns where id = ${campaign_id} for no key update`,
    prospect_id === null ? null : tx`select from prospects where id = ${prospect_id} for no key update`,
    tx<{ id: string }[]>`
      select id from sends
      where id = ${id} and lease = ${lease} and state = 'scheduled' and fingerprint = ${fingerprint} for update`,
    tx`select from tokens where id = any(${authorities(tx, letter)}) order by id for no key update`,
    tx`select from users where id = any(${authorities(tx, letter)}) order by id for no key update`,
    tx<LockedIdentity[]>`
      select i.min_gap_s, i.jitter_s, i.ramp_start, i.ramp_step, i.ramp_ceiling, i.ramp_day, i.ramp_counted_on,
        d.warned is not null as warned
      from identities i join domains d on d.id = i.domain_id
      where i.id = ${letter.identity.id} for no key update of i`,
    tx`
      insert into letters_started (scope, scope_id, day)
      select * from unnest(${counters.map(({ scope }) => scope)}::text[],
        ${counters.map(({ scope_id }) => scope_id)}::uuid[], ${counters.map(({ day }) => day)}::date[])
      on conflict (scope, scope_id, day) do update set started = letters_started.started`,
  ]);
  return mine.length > 0 ? (identity[0] ?? null) : null;
}

/** The ids of everyone on whose word the letter goes: who approved it, who confirmed or activated the campaign. */
const authorities = (tx: Transaction, { id }: Starting) => tx`array(
  select w.id::uuid from sends s left join campaigns c on c.id = s.campaign_id,
    lateral (values (s.approved_by_id), (s.approved_token::text), (s.approved_by_on_behalf_of ->> 'id'), (c.no_human_review_by_id),
      (c.no_human_review_by_on_behalf_of ->> 'id'), (c.no_human_review_token::text), (c.activated_by_id),
      (c.activated_by_on_behalf_of ->> 'id'), (c.activated_token::text)) w (id)
  where s.id = ${id} and w.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')`;

export type Started = {
  next_slot_at: Date;
  ramp: { day: number; counted_on: string };
  /** The lease lasts until then; it is kept up while the letter is on its way. */
  until: Date;
};

/** An account: the transport and, of a vendor, the key that vouches for it now. */
export const viaOf = (tx: Transaction, identity: string | PendingQuery<Row[]>) => tx`(
  select i.transport_kind || coalesce(' ' || k.provider || ' ' || extract(epoch from k.saved_at)::text, '')
  from identities i left join provider_keys k
    on i.transport_kind = 'vendor' and k.provider = i.transport ->> 'provider'
  where i.id = ${identity})`;

export async function start(
  tx: Transaction,
  letter: Starting,
  counters: readonly Counter[],
  { next_slot_at, ramp, until }: Started,
  now: Date,
): Promise<void> {
  await Promise.all([
    moveLetters(tx, [letter.id], { kind: 'start', via: viaOf(tx, letter.identity.id), until }, now),
    tx`
      update identities set next_slot_at = ${next_slot_at}, ramp_day = ${ramp.day}, ramp_counted_on = ${ramp.counted_on}
      where id = ${letter.identity.id}`,
    tx`
      update letters_started c set started = c.started + 1
      from unnest(${counters.map(({ scope }) => scope)}::text[], ${counters.map(({ scope_id }) => scope_id)}::uuid[],
        ${counters.map(({ day }) => day)}::date[]) as k (scope, scope_id, day)
      where c.scope = k.scope and c.scope_id = k.scope_id and c.day = k.day`,
  ]);
}
