// All SQL of what happened to letters (send_outcomes): finding the letter, locking what a report touches, writing it down once, and what follows from
// it on the letter itself. Locks in the order of the app: prospects by id, then letters by id.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Delivery, LATER, type PlacedBy } from './rules.ts';

export type LetterRow = {
  id: string;
  message_id: string;
  state: string;
  campaign_id: string | null;
  prospect_id: string | null;
  person_id: string | null;
  step_id: string | null;
  identity_id: string | null;
  domain_id: string | null;
  to_address: string;
  to_hash: string;
  cc: string[];
};

const columns = (db: Reader) => db`
  s.id, s.message_id, s.state, s.campaign_id, s.prospect_id, s.person_id, s.step_id, s.identity_id, s.to_address, s.to_hash,
  s.cc, (select i.domain_id from identities i where i.id = s.identity_id) as domain_id`;

/**
 * Letters that a next hop was spoken to about: a report of one that was never tried is about none of ours. One that was
 * refused before its end was tried, and has not started. A vendor may have sent one on under a Message-ID of its own, which
 * is given as `also_known_as`.
 */
export const lettersNamed = (
  db: Reader,
  ids: readonly string[],
  message_ids: readonly string[],
): Promise<(LetterRow & { also_known_as: string | null })[]> => db`
  select ${columns(db)}, null as also_known_as from sends s
  where (s.id = any(${[...ids]}::uuid[]) or s.message_id = any(${[...message_ids]}::text[]))
    and (s.sending_at is not null or s.first_attempt_at is not null or s.resent_at is not null)
  union all
  select ${columns(db)}, v.message_id as also_known_as from vendor_letters v join sends s on s.id = v.send_id
  where v.message_id = any(${[...message_ids]}::text[]) and s.sending_at is not null`;

/** What was last sent to an address, where that was lately. */
export async function letterLastSentTo(
  db: Reader,
  hash: string,
  since: Date,
  until: Date,
): Promise<LetterRow | null> {
  const [row] = await db<LetterRow[]>`
    select ${columns(db)} from sends s
    where s.person_id in (select a.person_id from person_addresses a where a.hash = ${hash}) and s.to_hash = ${hash}
      and s.sending_at between ${since} and ${until} and s.state in ('sent', 'uncertain')
    order by s.sending_at desc limit 1`;
  return row ?? null;
}

/** More of one person's addresses no one wrote to. */
const MOST_ADDRESSES = 100;

/** Every address at which this person had a letter of ours, as it was written to. */
export async function addressesWrittenTo(db: Reader, person_id: string): Promise<string[]> {
  const rows = await db<{ to_address: string }[]>`
    select distinct to_address from sends where person_id = ${person_id} and sending_at is not null
    order by to_address limit ${MOST_ADDRESSES}`;
  return rows.map(({ to_address }) => to_address);
}

export async function knownKeys(db: Reader, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ key: string }[]>`
    select key from send_outcomes where key = any(${[...keys]}::text[])`;
  return new Set(rows.map(({ key }) => key));
}

/** When each of these letters last began again. */
export const attemptsOf = (
  db: Reader,
  ids: readonly string[],
): Promise<{ id: string; resent_at: Date | null }[]> => db`
  select id, resent_at from sends where id = any(${[...ids]}::uuid[])`;

/** Everything of the letters that reports may move, and every campaign of people who complained. */
export async function lockLetters(
  tx: Transaction,
  letters: readonly LetterRow[],
  complaining: readonly string[],
): Promise<void> {
  const prospects = letters.flatMap(({ prospect_id }) => prospect_id ?? []);
  if (prospects.length + complaining.length > 0)
    await tx`
      select from prospects where id = any(${prospects}::uuid[]) or person_id = any(${[...complaining]}::uuid[])
      order by id for no key update`;
  await tx`
    select from sends where id = any(${letters.map(({ id }) => id)}::uuid[]) order by id for update`;
}

export type NewEvent = Omit<Delivery, 'send'> & {
  send_id: string | null;
  identity_id: string | null;
  domain_id: string | null;
  placed_by: PlacedBy | null;
  message_id: string | null;
};

/** The keys of those that were not known: two who say the same at once are one. */
export async function insertEvents(
  tx: Transaction,
  events: readonly NewEvent[],
  received_at: Date,
): Promise<Set<string>> {
  const rows = events.map((event) => ({
    id: newId(),
    ...event,
    // A clock that runs ahead elsewhere puts nothing into our future.
    at: event.at > received_at ? received_at : event.at,
    received_at,
  }));
  const written = await tx<{ key: string }[]>`
    insert into send_outcomes ${tx(rows)} on conflict (key) do nothing returning key`;
  return new Set(written.map(({ key }) => key));
}

/** Servers name whom they refuse: their words go with whom these letters went to, and with these addresses. */
export async function forgetWords(
  tx: Transaction,
  { letters = [], hashes = [] }: { letters?: readonly string[]; hashes?: readonly string[] },
): Promise<void> {
  // By one index each: what is joined by `or` reads the whole table.
  if (letters.length > 0)
    await tx`update send_outcomes set said = null where said is not null and send_id = any(${[...letters]}::uuid[])`;
  if (hashes.length > 0)
    await tx`update send_outcomes set said = null where said is not null and recipient_hash = any(${[...hashes]}::text[])`;
}

/** The furthest of what was said of each letter, whatever order it was said in. */
export async function settleDelivery(tx: Transaction, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update sends s set delivery = x.kind, delivery_at = x.at, revision = s.revision + 1, updated_at = ${now}
    from (
      select distinct on (e.send_id) e.send_id, e.kind, e.at
      from send_outcomes e join sends l on l.id = e.send_id and (l.resent_at is null or e.received_at >= l.resent_at)
      where e.send_id = any(${[...ids]}::uuid[]) and e.kind = any(${[...LATER]}::text[])
        -- A host that first put the letter off and then took it has answered: the putting off is over.
        and not (e.kind = 'soft' and e.source = 'session' and exists (
          select from send_outcomes t where t.send_id = e.send_id and t.source = 'session' and t.kind = 'accepted'
            and t.at >= e.at))
      order by e.send_id, array_position(${[...LATER]}::text[], e.kind) desc, e.at) x
    where s.id = x.send_id and s.state in ('sent', 'failed', 'uncertain') and s.delivery is distinct from x.kind
      and not (s.state = 'failed' and x.kind in ('accepted', 'delivered'))
    returning s.id`;
  return rows.map(({ id }) => id);
}

/** How many letters found this mailbox full since one was last delivered to it. */
export async function fullSince(tx: Transaction, hash: string): Promise<number> {
  const [row] = await tx<{ letters: number }[]>`
    select (count(distinct e.send_id))::int as letters from send_outcomes e
    where e.recipient_hash = ${hash} and e.kind = 'soft' and (e.cause = 'mailbox_full' or e.status ~ '^[245]\\.2\\.2$')
      and e.at > coalesce((select max(d.at) from send_outcomes d
        where d.recipient_hash = ${hash} and d.kind = 'delivered'), '-infinity')`;
  return row?.letters ?? 0;
}

/** What verification knew of these addresses is over: the world has answered. */
export async function markUndeliverable(
  tx: Transaction,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  const rungs = tx.json([{ rung: 'history', outcome: 'fail', evidence: 'hard_bounce', ms: 0 }]);
  await tx`
    update person_addresses a set verdict = 'UNDELIVERABLE', verdict_reason = 'hard_bounce', rungs = ${rungs},
      verified_at = ${now}, unknown_at = null, unknown_reason = null
    from (select id from person_addresses where hash = any(${[...hashes]}::text[]) order by id for update) b
    where a.id = b.id`;
  await tx`
    update verifications set verdict = 'UNDELIVERABLE', reason = 'hard_bounce', rungs = ${rungs}, checked_at = ${now},
      retry_at = null, unknown_at = null, unknown_reason = null
    where address_hash = any(${[...hashes]}::text[])`;
}

/** The first thing that was heard of each of these letters since it was last sent. */
export async function heardOf(
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, Pick<Delivery, 'key' | 'source' | 'kind'>>> {
  const rows = await db<(Pick<Delivery, 'key' | 'source' | 'kind'> & { send_id: string })[]>`
    select distinct on (e.send_id) e.send_id, e.key, e.source, e.kind
    from send_outcomes e join sends s on s.id = e.send_id
    where e.send_id = any(${[...ids]}::uuid[]) and e.received_at >= s.sending_at
    order by e.send_id, e.received_at`;
  return new Map(rows.map(({ send_id, ...heard }) => [send_id, heard]));
}
