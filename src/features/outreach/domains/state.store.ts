// What stops a domain and starts it again: pausing, with its history and, where the warden did it, the event; resuming, which
// is wire act 7; and retiring. Locked in the order of the app: letters, identities, the domain.
import type { Principal } from '../../../kernel/caller.ts';
import type { EventData } from '../../../kernel/events.rules.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { principalColumns } from '../../../kernel/principal-row.ts';
import { halvedRamp } from '../../../mail/timing/pacing.rules.ts';
import type { Evidence } from './contract.ts';
import { resumedState, rulePause } from './rules.ts';
import type { DomainRow } from './domain-row.ts';
import { type LoadedDomain, lockRow } from './store.ts';

export type Pause =
  | { by: 'warden'; reason: string; evidence: Evidence }
  | { by: 'person'; reason: string; who: Principal };

/** Queues the event in the transaction of the fact: a context's or the database's `emit`. */
export type Announce = (event: 'domain.paused', data: EventData['domain.paused']) => Promise<unknown>;

/**
 * Pauses a domain and gives whether this call did it. The warden's evidence must not reach back past a resume: what was
 * judged before someone resumed the domain, and comes after it, pauses nothing.
 */
export async function pauseDomain(
  tx: Transaction,
  announce: Announce,
  id: string,
  pause: Pause,
  now: Date,
): Promise<boolean> {
  const domain = await lockRow(tx, id);
  if (!domain || rulePause(domain, pause.by) === 'stays') return false;
  const evidence = pause.by === 'warden' ? pause.evidence : null;
  if (evidence && domain.resumed_at && new Date(evidence.window_start) < domain.resumed_at) return false;
  const kept = evidence && tx.json(evidence);
  const by_name = pause.by === 'warden' ? 'the warden' : pause.who.name;
  await tx`
    update domains set state = 'paused', paused_by = ${pause.by}, paused_reason = ${pause.reason}, paused_at = ${now},
      evidence = ${kept}, revision = revision + 1, updated_at = ${now}
    where id = ${id}`;
  await tx`
    insert into domain_pauses (id, domain_id, paused_by, reason, evidence, by_name, at)
    values (${newId()}, ${id}, ${pause.by}, ${pause.reason}, ${kept}, ${by_name}, ${now})`;
  // A person's pause is not the warden's and tells no one (domain.md §1.6).
  if (pause.by === 'warden')
    await announce('domain.paused', { domain_id: id, domain: domain.name, reason: pause.reason });
  return true;
}

type RampRow = {
  id: string;
  ramp_start: number;
  ramp_step: number;
  ramp_day: number;
  ramp_ceiling: number;
};

/** The identities of a domain, kept as they are until this transaction is over. */
export const lockIdentities = (tx: Transaction, domain_id: string): Promise<RampRow[]> =>
  tx<RampRow[]>`
    select id, ramp_start, ramp_step, ramp_day, ramp_ceiling from identities
    where domain_id = ${domain_id} and gone_at is null order by id for no key update`;

/**
 * Lifts the pause of a locked domain, whose identities are locked. The window of the warden starts again, and what DNS says is
 * asked again before a letter leaves.
 */
export async function resumeDomain(
  tx: Transaction,
  domain: LoadedDomain,
  identities: readonly RampRow[],
  by: Principal,
  now: Date,
): Promise<void> {
  await tx`
    update domains set ${tx({
      state: resumedState(domain),
      paused_by: null,
      paused_reason: null,
      paused_at: null,
      evidence: null,
      warned: null,
      warned_at: null,
      auth_failing_since: null,
      unauthenticated_since: null,
      checked_at: null,
      next_check_at: now,
      resumed_at: now,
      revision: domain.revision + 1,
      updated_at: now,
    })} where id = ${domain.id}`;
  await tx`
    update domain_pauses set ${tx({ ...principalColumns(tx, 'resumed_by', by), resumed_at: now })}
    where domain_id = ${domain.id} and resumed_at is null`;
  const halved = identities.map((row) => {
    const { ramp_start: start, ramp_step: step, ramp_day: day, ramp_ceiling: ceiling } = row;
    return halvedRamp({ start, step, day, ceiling }).day;
  });
  await tx`
    update identities i set ramp_day = h.day, revision = i.revision + 1, updated_at = ${now}
    from unnest(${identities.map(({ id }) => id)}::uuid[], ${halved}::int[]) as h (id, day) where i.id = h.id`;
}

/** For good. A pause stays with it, so that nothing beside it starts clean. */
export async function retireDomain(
  tx: Transaction,
  domain: DomainRow,
  identities: readonly { id: string }[],
  now: Date,
): Promise<void> {
  await tx`
    update domains set state = 'retired', revision = ${domain.revision + 1}, updated_at = ${now}
    where id = ${domain.id}`;
  await tx`
    update identities set active = false, state_reason = 'domain_retired', revision = revision + 1, updated_at = ${now}
    where id = any(${identities.map(({ id }) => id)}::uuid[]) and active`;
}
