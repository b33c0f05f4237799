// What other slices ask of suppressions: who among these is suppressed, the same as a piece of SQL, adding, and forgetting
// whose the value was. A value is matched by its hash, an address by its domain too; subdomains are domains of their own.
import type { Principal } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { principalColumns } from '../../../kernel/principal-row.ts';
import { addressHash } from '../../../mail/address.ts';
import { type Reason, REASONS, type StandingMark, type Suppression } from './contract.ts';
import { type SuppressionRow, toSuppression } from './suppression-row.ts';

/** Of `suppressions s`: does it are at `now`? Written so that the index of standing rows serves it. */
export const stands = (db: Reader, now: Date) =>
  db`s.lifted_at is null and s.lapsed_at is null and (s.expires_at is null or s.expires_at > ${now})`;

/** Orders `suppressions s`, the strongest first. */
const byStrength = (db: Reader) => db`array_position(${[...REASONS]}::text[], s.reason), s.created_at, s.id`;

/** Rows of `suppressions s` that are on one address; `hash` and `domain` are pieces of SQL, such as db`a.hash`. */
const onAddress = (db: Reader, now: Date, hash: ReturnType<Reader>, domain: ReturnType<Reader>) => db`
  select s.id, s.reason, s.created_at, s.kind from suppressions s
  where s.value_hash = ${hash} and s.kind = 'address' and ${stands(db, now)}
  union all
  select s.id, s.reason, s.created_at, s.kind from suppressions s
  where s.value = ${domain} and s.kind = 'domain' and ${stands(db, now)}`;

/** For `where`: is this address suppressed? `a` is a row of person_addresses, or anything with `hash` and `domain`. */
export const addressIsSuppressed = (db: Reader, now: Date) =>
  db`exists (${onAddress(db, now, db`a.hash`, db`a.domain`)})`;

/** For `where`, of `people p`: is any address of theirs suppressed? */
export const personIsSuppressed = (db: Reader, now: Date) => db`
  exists (select from person_addresses a where a.person_id = p.id and ${addressIsSuppressed(db, now)})`;

/** For `select`: the strongest mark on the address of a row `a` (as addressIsSuppressed), as jsonb, or null. */
export const addressMark = (db: Reader, now: Date) => db`
  (select ${mark(db)} from (${onAddress(db, now, db`a.hash`, db`a.domain`)}) s order by ${byStrength(db)} limit 1)`;

/** The same among all but those that the person asked for themselves. */
export const addressMarkOfOthers = (db: Reader, now: Date) => db`
  (select ${mark(db)} from (${onAddress(db, now, db`a.hash`, db`a.domain`)}) s where s.reason <> 'unsubscribe'
   order by ${byStrength(db)} limit 1)`;

/** For `select`, of `people p`: the strongest mark on any address of theirs, as jsonb, or null. */
export const personMark = (db: Reader, now: Date) => db`
  (select ${mark(db)} from person_addresses a, lateral (${onAddress(db, now, db`a.hash`, db`a.domain`)}) s
   where a.person_id = p.id order by ${byStrength(db)} limit 1)`;

const mark = (db: Reader) => db`
  jsonb_build_object('id', s.id, 'reason', s.reason, 'via', s.kind,
    'since', to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** Which of these addresses are suppressed: by hash, with the strongest reason. One round trip. */
export async function standingAmong(
  db: Reader,
  addresses: readonly { hash: string; domain: string }[],
  now: Date,
): Promise<Map<string, StandingMark>> {
  if (addresses.length === 0) return new Map();
  const rows = await db<{ hash: string; mark: StandingMark }[]>`
    select a.hash, ${addressMark(db, now)} as mark
    from unnest(${addresses.map((each) => each.hash)}::text[], ${addresses.map((each) => each.domain)}::text[]) a (hash, domain)
    where ${addressIsSuppressed(db, now)}`;
  return new Map(rows.map((row) => [row.hash, row.mark]));
}

export type ToSuppress = {
  kind: Suppression['kind'];
  /** As src/mail/address.ts writes it: Address.normalised, or normaliseDomain. */
  value: string;
  reason: Reason;
  source: Suppression['source'];
  source_ref?: string | undefined;
  campaign_id?: string | undefined;
  note?: string | undefined;
  /** Only `manual` may end, and in the future. */
  expires_at?: Date | undefined;
};

export type Suppressed = { suppression: Suppression; added: boolean };

/** Suppresses one value. Where the same already exists it is answered, and never shortened by a second end. */
export async function suppress(
  tx: Transaction,
  wish: ToSuppress,
  by: Principal,
  now: Date,
): Promise<Suppressed> {
  const [done] = await suppressAll(tx, [wish], by, now);
  if (!done) throw new Error('nothing was suppressed');
  return done;
}

/** As `suppress`, for any number in two statements: one answer for each wish, in their order. */
export async function suppressAll(
  tx: Transaction,
  wishes: readonly ToSuppress[],
  by: Principal,
  now: Date,
): Promise<Suppressed[]> {
  const rows = wishes.map((wish) => rowOf(tx, wish, by, now));
  const firsts = new Map<string, (typeof rows)[number]>();
  for (const row of rows) {
    const same = firsts.get(keyOf(row));
    if (!same) firsts.set(keyOf(row), row);
    else same.expires_at = later(same.expires_at, row.expires_at);
  }
  // In one order, always: two acts that took the same rows in different orders would wait for each other.
  const ordered = [...firsts.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  if (ordered.length === 0) return [];
  const hashes = [...new Set(ordered.map((row) => row.value_hash))];
  await tx`
    update suppressions s set lapsed_at = ${now} from (
      select id from suppressions where value_hash = any(${hashes}::text[]) and expires_at <= ${now}
        and lifted_at is null and lapsed_at is null order by value_hash, id for update) past
    where s.id = past.id and s.lapsed_at is null`;
  const written = await tx<SuppressionRow[]>`
    insert into suppressions ${tx(ordered)}
    on conflict (value_hash, kind, reason) where lifted_at is null and lapsed_at is null
    do update set expires_at = case
      when suppressions.expires_at is null or excluded.expires_at is null then null
      else greatest(suppressions.expires_at, excluded.expires_at) end
    returning suppressions.*`;
  const byKey = new Map(written.map((row) => [keyOf(row), row]));
  const answered = new Set<string>();
  return rows.map((row) => {
    const standing = byKey.get(keyOf(row));
    if (!standing) throw new Error('a suppression was written and not returned');
    const added = firsts.get(keyOf(row))?.id === standing.id && !answered.has(standing.id);
    answered.add(standing.id);
    return { suppression: toSuppression(standing, now), added };
  });
}

const keyOf = (row: { value_hash: string; kind: string; reason: string }): string =>
  `${row.value_hash} ${row.kind} ${row.reason}`;

const later = (a: Date | null, b: Date | null): Date | null => (a && b ? (a > b ? a : b) : null);

const rowOf = (tx: Transaction, wish: ToSuppress, by: Principal, now: Date) => ({
  id: newId(),
  kind: wish.kind,
  value: wish.value,
  value_hash: addressHash(wish.value),
  reason: wish.reason,
  source: wish.source,
  source_ref: wish.source_ref ?? null,
  campaign_id: wish.campaign_id ?? null,
  note: wish.note ?? null,
  created_at: now,
  expires_at: wish.expires_at ?? null,
  ...principalColumns(tx, 'created_by', by),
});

/**
 * Forgets whose these addresses were: the value goes, and the note, which may name them; the hash goes on matching. A row
 * of a whole domain is no one's personal data and stays as it is.
 */
export async function forgetValues(tx: Transaction, hashes: readonly string[]): Promise<void> {
  await tx`
    update suppressions set value = null, note = null
    where kind = 'address' and value_hash = any(${[...hashes]}::text[])`;
}
