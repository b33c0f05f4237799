// The loaders of identities: the only way to have one is through a loader that names the action and the caller. What writes
// one (save.store.ts) takes the loaded row, never an id.
import { type Caller } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { type Refusal, notFound } from '../../../kernel/refusal.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import { dayIn } from '../../../mail/timing/windows.rules.ts';
import { type Identity, identityName } from './contract.ts';
import { type IdentityRow, shownIdentity } from './row.ts';

const loaded = Symbol('loaded');

/** An identity that its caller may have for the action it was loaded for. */
export type LoadedIdentity = IdentityRow & { readonly [loaded]: true };

const noIdentity = (): Refusal => notFound('identity', 'GET /api/admin/outreach/identities lists identities');

const allows = (caller: Caller, action: string, id: string): boolean =>
  decide(caller.rights, action, [identityName(id)]).allowed;

const identities = (db: Reader) => db`
  select i.id, i.domain_id, d.name as domain, d.state as domain_state, d.warned is not null as domain_warned, i.name,
    i.address, i.normalised, i.reply_to, i.signature_text, i.signature_html, i.timezone, i.workday, i.daily_cap,
    i.hourly_cap, i.min_gap_s, i.jitter_s, i.ramp_start, i.ramp_step, i.ramp_ceiling, i.ramp_day, i.ramp_counted_on,
    i.transport_kind, i.transport, i.transport_secret is not null as has_transport_secret, i.inbound_kind, i.inbound,
    i.inbound_secret is not null as has_inbound_secret, i.envelope_sender, i.transport_unconfirmed_at, i.inbound_unconfirmed_at, i.active, i.state_reason, i.trouble, i.trouble_since, i.trouble_code,
    i.trouble_enhanced, i.trouble_words, i.trouble_expired_at, i.probe_id, i.probe_sent_at,
    i.probe_arrived_at, i.probe_refused, i.gone_at, z.asleep_why, z.asleep_until, z.down_cause, z.down_since, m.polled_at as last_polled_at,
    m.trouble as inbound_trouble, m.trouble_since as inbound_trouble_since,
    i.sent_copies, i.sent_folder, f.trouble as sent_trouble, f.trouble_since as sent_trouble_since, i.last_tested_at, i.test_outcome, i.revision, i.created_by_kind, i.created_by_id, i.created_by_name,
    i.created_by_on_behalf_of, i.created_at, i.updated_at
  from identities i join domains d on d.id = i.domain_id
    left join sender_lanes z on z.identity_id = i.id and z.identity_revision = i.revision and z.domain_revision = d.revision
    left join mailboxes m on m.identity_id = i.id and m.role = 'inbox' and i.inbound_kind = 'imap'
    left join sent_folders f on f.identity_id = i.id and f.identity_revision = i.revision and i.inbound_kind = 'imap'`;

async function rowOf(db: Reader, id: string): Promise<IdentityRow | undefined> {
  const [row] = await db<IdentityRow[]>`${identities(db)} where i.id = ${id}`;
  return row;
}

/** Whoever may not even read it is not told that it is there. */
function guarded(row: IdentityRow | undefined, caller: Caller, action: string): LoadedIdentity {
  if (!row) throw noIdentity();
  if (allows(caller, action, row.id)) return { ...row, [loaded]: true };
  throw allows(caller, 'outreach.identity.read', row.id)
    ? denied(caller, action, identityName(row.id))
    : noIdentity();
}

export const loadIdentity = async (
  db: Reader,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedIdentity> => guarded(await rowOf(db, id), caller, action);

/** Loads an identity and keeps everyone else from changing it until this act is over. */
export async function lockIdentity(
  tx: Transaction,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedIdentity> {
  await tx`select 1 from identities where id = ${id} for no key update`;
  return loadIdentity(tx, caller, action, id);
}

/** Its letters that have not left, in the order of locks: before the identity itself. */
export async function lockLetters(tx: Transaction, identity_id: string): Promise<void> {
  await tx`
    select 1 from sends where identity_id = ${identity_id} and state in ('drafted', 'review', 'scheduled', 'held')
    order by id for update`;
}

export type IdentityFilter = { domain?: string | undefined; active?: boolean | undefined };

/** Newest first, without those that were deleted or that the caller's policies deny; `after` is the key of the last row of the page before. */
export async function newestIdentities(
  db: Reader,
  caller: Caller,
  { domain, active }: IdentityFilter,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<LoadedIdentity[]> {
  const names = { 'outreach:identity/': db`i.id`, 'outreach:identity': { text: db`''` } };
  const may = allowedBy(db, caller.rights, 'outreach.identity.read', names) ?? db`true`;
  const rows = await db<IdentityRow[]>`
    ${identities(db)}
    where i.gone_at is null and ${may} ${domain === undefined ? db`` : db`and i.domain_id = ${domain}`}
      ${active === undefined ? db`` : active ? db`and i.active` : db`and not i.active`}
      ${after === null ? db`` : db`and (i.created_at, i.id) < (${after[0]}, ${after[1]})`}
    order by i.created_at desc, i.id desc limit ${count}`;
  return rows.map((row) => ({ ...row, [loaded]: true }));
}

/** With the letters that each started on its own day of the calendar. */
export async function shown(db: Reader, rows: readonly IdentityRow[], now: Date): Promise<Identity[]> {
  const days = rows.map(({ timezone }) => dayIn(now, timezone));
  const counts = await db<{ scope_id: string; started: number }[]>`
    select n.scope_id, n.started
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${days}::date[]) as w (id, day)
    join letters_started n on n.scope = 'identity' and n.scope_id = w.id and n.day = w.day`;
  const started = new Map(counts.map((row) => [row.scope_id, row.started]));
  return rows.map((row) => shownIdentity(row, started.get(row.id) ?? 0, now));
}

/** As it is after this very act wrote it: the act was allowed already. */
export async function shownAgain(tx: Transaction, id: string, now: Date): Promise<{ identity: Identity }> {
  const row = await rowOf(tx, id);
  const [identity] = row ? await shown(tx, [row], now) : [];
  if (!identity) throw new Error('an identity that was just written is gone');
  return { identity };
}
