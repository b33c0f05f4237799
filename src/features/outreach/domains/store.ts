// The loaders of domains: the only way to have one is through a loader that names the action and the caller. What writes one
// takes the loaded row, never an id.
import { type Caller } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { type Refusal, notFound } from '../../../kernel/refusal.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import { dayIn } from '../../../mail/timing/windows.rules.ts';
import { type Domain, domainName, type DomainState } from './contract.ts';
import { type DomainRow, type Metrics, shownDomain, windowOf } from './domain-row.ts';

const loaded = Symbol('loaded');

/** A domain that its caller may have for the action it was loaded for. */
export type LoadedDomain = DomainRow & { readonly [loaded]: true };

const noDomain = (): Refusal => notFound('domain', 'GET /api/admin/outreach/domains lists domains');

const allows = (caller: Caller, action: string, id: string): boolean =>
  decide(caller.rights, action, [domainName(id)]).allowed;

const columns = (db: Reader) => db`
  d.id, d.name, d.organisation, d.state, d.verified_at, d.paused_by, d.paused_reason, d.paused_at, d.evidence,
  d.dkim_selector, d.dkim_algorithm, d.dkim_public, d.sending_hosts, d.spf_includes, d.dmarc_rua, d.mx_host, d.auth,
  d.checked_at, d.next_check_at, d.auth_failing_since, d.unauthenticated_since, d.daily_cap, d.warned, d.warned_at,
  d.resumed_at, d.revision, d.created_by_kind, d.created_by_id, d.created_by_name, d.created_by_on_behalf_of,
  d.created_at, d.updated_at`;

/** For the app's own work, which asks for no one. */
export async function domainRow(db: Reader, id: string): Promise<DomainRow | null> {
  const [row] = await db<DomainRow[]>`select ${columns(db)} from domains d where d.id = ${id}`;
  return row ?? null;
}

/** The same, kept from everyone else until this transaction is over; locked after letters and identities, always. */
export async function lockRow(tx: Transaction, id: string): Promise<DomainRow | null> {
  await tx`select 1 from domains where id = ${id} for no key update`;
  return domainRow(tx, id);
}

/** Whoever may not even read it is not told that it is there. */
function guarded(row: DomainRow | null, caller: Caller, action: string): LoadedDomain {
  if (!row) throw noDomain();
  if (allows(caller, action, row.id)) return { ...row, [loaded]: true };
  throw allows(caller, 'outreach.domain.read', row.id)
    ? denied(caller, action, domainName(row.id))
    : noDomain();
}

export const loadDomain = async (
  db: Reader,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedDomain> => guarded(await domainRow(db, id), caller, action);

export const lockDomain = async (
  tx: Transaction,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedDomain> => guarded(await lockRow(tx, id), caller, action);

export async function domainNamed(db: Reader, name: string): Promise<DomainRow | null> {
  const [row] = await db<DomainRow[]>`select ${columns(db)} from domains d where d.name = ${name}`;
  return row ?? null;
}

/** Newest first, as if those that the caller's policies deny were not there; `after` is the key of the last row of the page before. */
export async function newestDomains(
  db: Reader,
  caller: Caller,
  state: DomainState | undefined,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<LoadedDomain[]> {
  const names = { 'outreach:domain/': db`d.id`, 'outreach:domain': { text: db`''` } };
  const may = allowedBy(db, caller.rights, 'outreach.domain.read', names) ?? db`true`;
  const rows = await db<DomainRow[]>`
    select ${columns(db)} from domains d
    where ${may} ${state === undefined ? db`` : db`and d.state = ${state}`}
      ${after === null ? db`` : db`and (d.created_at, d.id) < (${after[0]}, ${after[1]})`}
    order by d.created_at desc, d.id desc limit ${count}`;
  return rows.map((row) => ({ ...row, [loaded]: true }));
}

const NOTHING: Metrics = { sent_today: 0, sent: 0, hard: 0, soft: 0, policy: 0, complaints: 0 };

/** With what was counted of each: letters of the day, and what happened to those of the window. */
export async function shown(db: Reader, rows: readonly DomainRow[], now: Date): Promise<Domain[]> {
  const ids = rows.map(({ id }) => id);
  const starts = rows.map((row) => windowOf(row, now).start.toISOString());
  const found = await db<(Metrics & { id: string })[]>`
    select w.id,
      coalesce((select n.started from letters_started n
        where n.scope = 'domain' and n.scope_id = w.id and n.day = ${dayIn(now, 'UTC')}::date), 0) as sent_today,
      e.sent, e.hard, e.soft, e.policy, e.complaints
    from unnest(${ids}::uuid[], ${starts}::timestamptz[]) as w (id, start)
    cross join lateral (
      select (count(*) filter (where kind = 'accepted'))::int as sent, (count(*) filter (where kind = 'hard'))::int as hard,
        (count(*) filter (where kind = 'soft'))::int as soft, (count(*) filter (where kind = 'policy'))::int as policy,
        (count(*) filter (where kind = 'complaint'))::int as complaints
      from send_outcomes x where x.domain_id = w.id and x.at >= w.start) e`;
  const figures = new Map(found.map(({ id, ...counted }) => [id, counted]));
  return rows.map((row) => shownDomain(row, figures.get(row.id) ?? NOTHING, now));
}

/** As it is after this very act wrote it: the act was allowed already. */
export async function shownAgain(tx: Transaction, id: string, now: Date): Promise<{ domain: Domain }> {
  const row = await domainRow(tx, id);
  const [domain] = row ? await shown(tx, [row], now) : [];
  if (!domain) throw new Error('a domain that was just written is gone');
  return { domain };
}
