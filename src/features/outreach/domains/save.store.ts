// What writes domains: a new one with its key, a change of its settings, and what a check found.
import type { Principal } from '../../../kernel/caller.ts';
import type { App } from '../../../kernel/app.ts';
import { json, type Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { principalColumns } from '../../../kernel/principal-row.ts';
import type { DomainChecks } from '../../../mail/authentication/check.ts';
import type { DkimKey } from '../../../mail/compose/dkim.ts';
import { sealed } from '../identities/ways/secrets.ts';
import type { LoadedDomain } from './store.ts';
import type { DomainRow } from './domain-row.ts';
import { accountAfter, nextCheck, verdictOf } from './rules.ts';

export type DomainSettings = {
  daily_cap: number;
  sending_hosts: string[];
  spf_includes: string[];
  dmarc_rua: string | null;
  mx_host: string | null;
};

export type NewDomain = Partial<DomainSettings> & {
  name: string;
  organisation: string;
  dkim: DkimKey;
  selector: string;
};

/** The p= of a record. */
const publicHalf = (record: string): string => /p=([A-Za-z0-9+/=]+)/.exec(record)?.[1] ?? '';

/**
 * Null where the name already exists. What is paused beside it, or was retired while paused, holds for it too: a new
 * spelling, a name above or below is no way around a pause.
 */
export async function insertDomain(
  tx: Transaction,
  { sealer }: Pick<App, 'sealer'>,
  { name, organisation, dkim, selector, ...settings }: NewDomain,
  by: Principal,
  now: Date,
): Promise<string | null> {
  const id = newId();
  const [beside] = await tx<Pick<DomainRow, 'paused_by' | 'paused_reason' | 'paused_at' | 'evidence'>[]>`
    select paused_by, paused_reason, paused_at, evidence from domains
    where organisation = ${organisation} and paused_by is not null
    order by paused_by = 'warden' desc, paused_at desc limit 1 for share`;
  const row = {
    id,
    name,
    organisation,
    state: beside ? 'paused' : 'unverified',
    paused_by: beside?.paused_by ?? null,
    paused_reason: beside?.paused_reason ?? null,
    paused_at: beside?.paused_at ?? null,
    evidence: beside?.evidence ? tx.json(beside.evidence) : null,
    dkim_selector: selector,
    dkim_algorithm: dkim.algorithm,
    dkim_private: sealed(sealer, 'domains.dkim_private', id, dkim.private_key),
    dkim_public: publicHalf(dkim.record),
    next_check_at: now,
    ...settings,
    ...principalColumns(tx, 'created_by', by),
    created_at: now,
    updated_at: now,
  };
  const made = await tx`insert into domains ${tx(row)} on conflict (name) do nothing returning 1`;
  if (made.length === 0) return null;
  if (beside)
    await tx`
      insert into domain_pauses (id, domain_id, paused_by, reason, evidence, by_name, at)
      values (${newId()}, ${id}, ${beside.paused_by}, ${beside.paused_reason},
        ${beside.evidence && tx.json(beside.evidence)}, ${by.name}, ${now})`;
  return id;
}

export async function saveSettings(
  tx: Transaction,
  domain: LoadedDomain,
  to: Partial<DomainSettings>,
  now: Date,
): Promise<void> {
  await tx`update domains set ${tx({ ...to, revision: domain.revision + 1, updated_at: now })} where id = ${domain.id}`;
}

/**
 * What a check found, of a row that is locked. No one's revision goes up for what only DNS said, unless the domain exists
 * otherwise by it.
 */
export async function saveCheck(
  tx: Transaction,
  domain: DomainRow,
  checks: DomainChecks,
  now: Date,
): Promise<void> {
  // Of two checks at once the one that looked later counts, whichever is written first; and what was looked at before
  // someone resumed the domain is looked at again.
  const later = [domain.checked_at, domain.resumed_at].some((moment) => moment !== null && moment > now);
  if (domain.state === 'retired' || later) return;
  const verdict = verdictOf(checks);
  const account = accountAfter(domain, verdict, now);
  const { state, verified_at, auth_failing_since, unauthenticated_since } = account;
  const differs =
    state !== domain.state || (unauthenticated_since === null) !== (domain.unauthenticated_since === null);
  const row = {
    state,
    verified_at,
    auth_failing_since,
    unauthenticated_since,
    auth: json(tx, checks),
    checked_at: now,
    next_check_at: nextCheck(account, verdict, now),
    ...(differs && { revision: domain.revision + 1, updated_at: now }),
  };
  await tx`update domains set ${tx(row)} where id = ${domain.id}`;
}
