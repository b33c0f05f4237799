// All SQL of the rules of the quarantine, and of dismissing many of its mails.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import {
  knownPrincipalIn,
  principalColumns,
  type PrincipalColumns,
} from '../../../../kernel/principal-row.ts';
import { conflict, notFound } from '../../../../kernel/refusal.ts';
import { DISMISSED_AT_ONCE, type QuarantineRule } from '../quarantine-rules.contract.ts';
import type { RuleKind } from './quarantine.rules.ts';

type Row = {
  id: string;
  kind: RuleKind;
  value: string;
  matched: number;
  last_matched_at: Date | null;
  created_at: Date;
} & PrincipalColumns<'created_by'>;

const toRule = (row: Row): QuarantineRule => ({
  id: row.id,
  kind: row.kind,
  value: row.value,
  matched: row.matched,
  last_matched_at: row.last_matched_at?.toISOString() ?? null,
  created_by: knownPrincipalIn(row, 'created_by'),
  created_at: row.created_at.toISOString(),
});

export async function rulesListed(
  db: Reader,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<QuarantineRule[]> {
  const rows = await db<Row[]>`
    select * from quarantine_rules
    ${after === null ? db`` : db`where (created_at, id) < (${after[0]}, ${after[1]})`}
    order by created_at desc, id desc limit ${count}`;
  return rows.map(toRule);
}

/** As it is matched: an address with the hash of its spelling, a domain or a List-Id in lower case. */
export type RuleValue = { kind: RuleKind; value: string; value_hash: string | null };

export async function insertRule(
  tx: Transaction,
  rule: RuleValue,
  matched: number,
  by: Principal,
  now: Date,
): Promise<QuarantineRule> {
  const [row] = await tx<Row[]>`
    insert into quarantine_rules ${tx({
      id: newId(),
      ...rule,
      matched,
      last_matched_at: matched > 0 ? now : null,
      ...principalColumns(tx, 'created_by', by),
      created_at: now,
    })} on conflict (kind, value) do nothing returning *`;
  if (!row) throw conflict('a quarantine rule for that value already exists');
  return toRule(row);
}

export async function deleteRule(tx: Transaction, id: string): Promise<void> {
  const gone = await tx`delete from quarantine_rules where id = ${id} returning 1`;
  if (gone.length === 0) throw notFound('rule', 'GET /api/admin/outreach/quarantine-rules lists rules');
}

/** Whether a rule dismisses mail like this; counted where one does. */
export async function ruleMatches(
  tx: Transaction,
  {
    address,
    domains,
    list_id,
  }: { address: string | null; domains: readonly string[]; list_id: string | null },
  now: Date,
): Promise<boolean> {
  const hit = await tx`
    update quarantine_rules set matched = matched + 1, last_matched_at = ${now}
    where id = (select id from quarantine_rules
      where (kind = 'address' and value = ${address}) or (kind = 'domain' and value = any(${[...domains]}::text[]))
        or (kind = 'list' and value = ${list_id})
      order by id limit 1)
    returning 1`;
  return hit.length > 0;
}

/** Which of those in quarantine; null represents any. */
export type WhichSenders = {
  ids: readonly string[] | null;
  from_hash: string | null;
  domain: string | null;
  /** Subdomains too. */
  under: boolean;
  list_id: string | null;
  until: Date | null;
};

export const ANY: WhichSenders = {
  ids: null,
  from_hash: null,
  domain: null,
  under: false,
  list_id: null,
  until: null,
};

export const among = (db: Reader, { ids, from_hash, domain, under, list_id, until }: WhichSenders) => db`
  state in ('quarantined', 'broken')
  ${ids === null ? db`` : db`and id = any(${[...ids]}::uuid[])`}
  ${from_hash === null ? db`` : db`and from_hash = ${from_hash}`}
  ${
    domain === null
      ? db``
      : under
        ? db`and (from_domain = ${domain} or right(from_domain, ${domain.length + 1}) = ${`.${domain}`})`
        : db`and from_domain = ${domain}`
  }
  ${list_id === null ? db`` : db`and list_id = ${list_id}`}
  ${until === null ? db`` : db`and received_at <= ${until}`}`;

/** What an act on many takes: mail that no one could land is named, or stays. */
const taken = (db: Reader, which: WhichSenders) =>
  db`${among(db, which)} ${which.ids === null ? db`and state = 'quarantined'` : db``}`;

/** Of these mails, those that whoever asks may dismiss. */
export type MayDismiss = (id: string) => boolean;

/** How many it dismissed; never more than one act takes. What someone places this moment is left. */
export async function dismissAll(
  tx: Transaction,
  which: WhichSenders,
  may: MayDismiss,
  note: string,
  now: Date,
): Promise<number> {
  const held = await tx<{ id: string }[]>`
    select id from inbound_mails where ${taken(tx, which)}
    order by id limit ${DISMISSED_AT_ONCE} for update skip locked`;
  const ids = held.map(({ id }) => id).filter(may);
  if (ids.length === 0) return 0;
  const rows = await tx`
    update inbound_mails set state = 'ignored', note = ${note}, settled_at = ${now}
    where id = any(${ids}::uuid[]) returning 1`;
  return rows.length;
}

/** How many the same act would take now. */
export async function countAmong(db: Reader, which: WhichSenders, may: MayDismiss): Promise<number> {
  const rows = await db<{ id: string }[]>`
    select id from inbound_mails where ${taken(db, which)} order by id limit ${DISMISSED_AT_ONCE}`;
  return rows.filter(({ id }) => may(id)).length;
}
