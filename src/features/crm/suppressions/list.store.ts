// All SQL of a suppression's own acts: reading them as a list, and lifting one.
import type { Principal } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { principalColumns } from '../../../kernel/principal-row.ts';
import { addressHash, normaliseDomain, parseAddress } from '../../../mail/address.ts';
import type { StandingMark, Suppression } from './contract.ts';
import { type SuppressionRow, toSuppression } from './suppression-row.ts';
import { stands } from './store.ts';

export type SuppressionFilter = {
  state?: Suppression['state'] | undefined;
  reason?: Suppression['reason'] | undefined;
  kind?: Suppression['kind'] | undefined;
};

const filtered = (db: Reader, { state, reason, kind }: SuppressionFilter, now: Date) => db`
  ${state === 'standing' ? db`and ${stands(db, now)}` : db``}
  ${state === 'lifted' ? db`and s.lifted_at is not null` : db``}
  ${state === 'ended' ? db`and s.expires_at <= ${now} and s.lifted_at is null` : db``}
  ${reason === undefined ? db`` : db`and s.reason = ${reason}`}
  ${kind === undefined ? db`` : db`and s.kind = ${kind}`}`;

/** Newest first; `before` is the key of the last row of the page before. */
export async function newestRows(
  db: Reader,
  filter: SuppressionFilter,
  before: [at: string, id: string] | null,
  count: number,
  now: Date,
): Promise<Suppression[]> {
  const rows = await db<SuppressionRow[]>`
    select s.* from suppressions s where true ${filtered(db, filter, now)}
    ${before === null ? db`` : db`and (s.created_at, s.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)`}
    order by s.created_at desc, s.id desc limit ${count}`;
  return rows.map((row) => toSuppression(row, now));
}

/**
 * What a question finds, by value: those that begin so and, where it is a whole address, those that its hash and its domain
 * match, which finds someone who was erased too.
 */
export async function foundRows(
  db: Reader,
  question: string,
  filter: SuppressionFilter,
  after: [value: string, id: string] | null,
  count: number,
  now: Date,
): Promise<Suppression[]> {
  const hashes = hashesOf(question);
  const prefix = `${escaped(question.normalize('NFC').toLowerCase())}%`;
  const branch = (where: ReturnType<Reader>, key: ReturnType<Reader>) => db`
    (select s.*, ${key} as value_key from suppressions s where ${where} ${filtered(db, filter, now)}
     ${after === null ? db`` : db`and (${key}, s.id) > (${after[0]}, ${after[1]}::uuid)`}
     order by ${key}, s.id limit ${count})`;
  const byPrefix = branch(db`s.value is not null and s.value like ${prefix}`, db`s.value collate "C"`);
  const found = hashes
    ? db`${byPrefix} union ${branch(db`s.value_hash = any(${hashes}::text[])`, db`coalesce(s.value, '') collate "C"`)}`
    : byPrefix;
  const rows = await db<SuppressionRow[]>`
    select s.* from (${found}) s order by s.value_key collate "C", s.id limit ${count}`;
  return rows.map((row) => toSuppression(row, now));
}

function hashesOf(question: string): string[] | null {
  const address = parseAddress(question);
  if (address.ok) return [addressHash(address.address.normalised), addressHash(address.address.domain)];
  const domain = normaliseDomain(question);
  return domain.ok ? [addressHash(domain.domain)] : null;
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Loads a row and keeps it as it is until this act is over. */
export async function lockSuppression(tx: Transaction, id: string, now: Date): Promise<Suppression | null> {
  const [row] = await tx<SuppressionRow[]>`select s.* from suppressions s where s.id = ${id} for update`;
  return row ? toSuppression(row, now) : null;
}

export async function lift(
  tx: Transaction,
  row: Suppression,
  by: Principal,
  now: Date,
): Promise<{ suppression: Suppression; still: StandingMark[] }> {
  const [lifted] = await tx<SuppressionRow[]>`
    update suppressions set lifted_at = ${now}, ${tx(principalColumns(tx, 'lifted_by', by))}
    where id = ${row.id} returning *`;
  if (!lifted) throw new Error('a locked suppression is gone');
  const domain = row.kind === 'address' ? (row.value?.split('@').at(-1) ?? null) : null;
  const still = await tx<
    { id: string; reason: StandingMark['reason']; since: Date; via: StandingMark['via'] }[]
  >`
    select s.id, s.reason, s.created_at as since, s.kind as via from suppressions s
    where ${stands(tx, now)} and ((s.value_hash = ${row.value_hash} and s.kind = ${row.kind})
      or (s.value = ${domain} and s.kind = 'domain'))
    order by s.created_at, s.id`;
  return {
    suppression: toSuppression(lifted, now),
    still: still.map(({ since, ...mark }) => ({ ...mark, since: since.toISOString() })),
  };
}
