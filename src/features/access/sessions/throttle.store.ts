// All SQL of the count of failed tries, and of the places that an account was signed in from. Rows older than the window are
// worth nothing and go with the next failure.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';

/** No count reads more: the longest allowance (throttle.ts). */
const MOST_COUNTED = 3_000;

/** A place is known for so long after it was last signed in from, and an account knows so many. */
const KNOWN_MS = 90 * DAY_MS;
const MOST_KNOWN = 20;

/** Waits until no other transaction is at a try of this account; held to the end of this one. */
export async function takeTurn(tx: Transaction, who: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`sign-in:${who}`}, 0))`;
}

/** Oldest first; of very many the newest. */
export async function failuresSince(db: Reader | Transaction, who: string, since: Date): Promise<Date[]> {
  const rows = await db<{ at: Date }[]>`
    select at from sign_in_failures where who = ${who} and at > ${since} order by at desc limit ${MOST_COUNTED}`;
  return rows.map((row) => row.at).reverse();
}

export async function recordFailures(tx: Transaction, whos: string[], now: Date, since: Date): Promise<void> {
  await tx`delete from sign_in_failures where at <= ${since}`;
  for (const who of whos)
    await tx`insert into sign_in_failures (id, who, at) values (${newId()}, ${who}, ${now})`;
}

export async function forgetFailures(tx: Transaction, who: string): Promise<void> {
  await tx`delete from sign_in_failures where who = ${who}`;
}

export async function isKnownPlace(
  db: Reader | Transaction,
  email_key: string,
  place: string,
  now: Date,
): Promise<boolean> {
  const [row] = await db`
    select 1 from sign_in_places p join users u on u.id = p.user_id
    where u.email_key = ${email_key} and p.place = ${place} and p.at > ${after(now, -KNOWN_MS)}`;
  return row !== undefined;
}

export async function rememberPlace(
  tx: Transaction,
  user_id: string,
  place: string,
  now: Date,
): Promise<void> {
  await tx`
    insert into sign_in_places (user_id, place, at) values (${user_id}, ${place}, ${now})
    on conflict (user_id, place) do update set at = greatest(sign_in_places.at, excluded.at)`;
  await tx`
    delete from sign_in_places where user_id = ${user_id} and place in (
      select place from sign_in_places where user_id = ${user_id} order by at desc, place offset ${MOST_KNOWN})`;
}

/** How many people signed in since then, and from which places, the first few of them. */
export async function signInPlaces(db: Reader, since: Date): Promise<{ people: number; places: string[] }> {
  const rows = await db<{ people: number; places: string[] }[]>`
    select count(distinct user_id)::int as people, coalesce((array_agg(distinct place))[1:3], '{}') as places
    from sign_in_places where at > ${since}`;
  return rows[0] ?? { people: 0, places: [] };
}
