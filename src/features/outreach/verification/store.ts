// All SQL of verdicts: those that are kept, what real letters met, and writing down what was found out.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { VerifyFacts } from '../../../mail/probe/verify.ts';
import { standingAmong } from '../../crm/suppressions/store.ts';
import type { VerificationAccount } from './rules.ts';

export type VerifiedMailbox = { hash: string; domain: string };
export type FoundVerdict = VerificationAccount & VerifiedMailbox & { retry_at: Date | null };

/** Verdicts that are still worth something, by the hash of the address. */
export async function verdictsFor(
  db: Reader,
  hashes: readonly string[],
  now: Date,
): Promise<Map<string, VerificationAccount>> {
  const rows = await db<(VerificationAccount & { hash: string })[]>`
    select address_hash as hash, verdict, reason, rungs, checked_at, expires_at, unknown_at, unknown_reason from verifications
    where address_hash = any(${[...hashes]}::text[]) and expires_at > ${now} and (retry_at is null or retry_at > ${now})`;
  return new Map(rows.map((row) => [row.hash, row]));
}

/** Verdicts that are known of the mailbox, however old: what an UNKNOWN leaves standing. Of people only those given. */
export async function knownFor(
  db: Reader,
  hashes: readonly string[],
  readable: readonly string[],
): Promise<Map<string, VerificationAccount>> {
  const rows = await db<(VerificationAccount & { hash: string })[]>`
    select address_hash as hash, verdict, reason, rungs, checked_at, expires_at from verifications
    where address_hash = any(${[...hashes]}::text[]) and verdict <> 'UNKNOWN'
    union all
    select hash, verdict, verdict_reason, rungs, verified_at, verified_at from person_addresses
    where hash = any(${[...readable]}::text[]) and verdict <> 'UNKNOWN' and verified_at is not null
    order by checked_at`;
  return new Map(rows.map((row) => [row.hash, row]));
}

/** Whose addresses these are: one address belongs to one person. */
export async function ownersOf(db: Reader, hashes: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<{ hash: string; person_id: string }[]>`
    select hash, person_id from person_addresses where hash = any(${[...hashes]}::text[])`;
  return new Map(rows.map((row) => [row.hash, row.person_id]));
}

const NOTHING_KNOWN: VerifyFacts = {
  suppressed: false,
  hard_bounced_at: null,
  delivered_at: null,
  replied_at: null,
  disposable_domains: new Set(),
};

/** What the app knows of an address before anyone is asked. */
export async function factsFor(
  db: Reader,
  mailboxes: readonly VerifiedMailbox[],
  now: Date,
): Promise<(hash: string) => VerifyFacts> {
  const hashes = mailboxes.map(({ hash }) => hash);
  const suppressed = await standingAmong(db, mailboxes, now);
  const met = await db<
    { hash: string; hard_at: Date | null; delivered_at: Date | null; replied_at: Date | null }[]
  >`
    select w.hash, (select max(a.replied_at) from person_addresses a where a.hash = w.hash) as replied_at,
      (select max(at) from send_outcomes e
       where e.recipient_hash = w.hash and e.kind = 'hard' and e.send_id is not null) as hard_at,
      (select max(at) from send_outcomes e
       where e.recipient_hash = w.hash and e.kind = 'delivered' and e.kind in ('soft', 'delivered')
         and e.send_id is not null) as delivered_at
    from unnest(${hashes}::text[]) w (hash)`;
  const letters = new Map(met.map((row) => [row.hash, row]));
  return (hash) => ({
    ...NOTHING_KNOWN,
    suppressed: suppressed.has(hash),
    hard_bounced_at: letters.get(hash)?.hard_at ?? null,
    delivered_at: letters.get(hash)?.delivered_at ?? null,
    replied_at: letters.get(hash)?.replied_at ?? null,
  });
}

/** Of an upsert: nothing was learned, and something is known. */
const beside = (tx: Transaction) => tx`(excluded.verdict = 'UNKNOWN' and verifications.verdict <> 'UNKNOWN')`;

/**
 * Writes down what was found out, of addresses before verdicts as reports do. What was learned since the asking (a letter
 * came back) exists. Gives whose addresses changed.
 */
export async function keepFound(tx: Transaction, found: readonly FoundVerdict[]): Promise<string[]> {
  const rows = tx.json(
    found
      .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
      .map(({ hash, domain, verdict, reason, rungs, checked_at, expires_at, retry_at }) => ({
        hash,
        domain,
        verdict,
        reason,
        rungs: [...rungs],
        checked_at: checked_at.toISOString(),
        expires_at: expires_at.toISOString(),
        retry_at: retry_at?.toISOString() ?? null,
      })),
  );
  const shape = tx`(hash text, domain text, verdict text, reason text, rungs jsonb, checked_at timestamptz,
    expires_at timestamptz, retry_at timestamptz)`;
  const changed = await tx<{ person_id: string }[]>`
    update person_addresses a set
      verdict = case when b.beside then a.verdict else b.verdict end,
      verdict_reason = case when b.beside then a.verdict_reason else b.reason end,
      rungs = case when b.beside then a.rungs else b.rungs end,
      verified_at = case when b.beside then a.verified_at else b.checked_at end,
      unknown_at = case when b.beside then b.checked_at end,
      unknown_reason = case when b.beside then b.reason end
    from (
      select o.id, x.verdict, x.reason, x.rungs, x.checked_at, x.verdict = 'UNKNOWN' and o.verdict <> 'UNKNOWN' as beside
      from jsonb_to_recordset(${rows}) x ${shape} join person_addresses o on o.hash = x.hash
      where o.verified_at is null or o.verified_at <= x.checked_at
      order by o.id for update of o) b
    where a.id = b.id returning a.person_id`;
  await tx`
    insert into verifications (address_hash, domain, verdict, reason, rungs, checked_at, expires_at, retry_at)
    select x.hash, x.domain, x.verdict, x.reason, x.rungs, x.checked_at, x.expires_at, x.retry_at
    from jsonb_to_recordset(${rows}) x ${shape} order by x.hash
    on conflict (address_hash) do update set
      verdict = case when ${beside(tx)} then verifications.verdict else excluded.verdict end,
      reason = case when ${beside(tx)} then verifications.reason else excluded.reason end,
      rungs = case when ${beside(tx)} then verifications.rungs else excluded.rungs end,
      checked_at = case when ${beside(tx)} then verifications.checked_at else excluded.checked_at end,
      unknown_at = case when ${beside(tx)} then excluded.checked_at end,
      unknown_reason = case when ${beside(tx)} then excluded.reason end,
      expires_at = excluded.expires_at, retry_at = excluded.retry_at, lease = null, lease_until = null
    where verifications.checked_at <= excluded.checked_at`;
  return changed.map(({ person_id }) => person_id);
}

/** Verdicts that no one asked for again in a quarter of a year. */
export async function forgetVerdicts(tx: Transaction, now: Date): Promise<void> {
  await tx`delete from verifications where expires_at < ${after(now, -90 * DAY_MS)} and lease is null`;
}
