// How often someone may be wrong, counted in the database, so that every node sees the same. Only failures count, and a refused
// try does not prolong the wait. No one is kept out of their own account by what others guess (docs/decisions/0030-guessing.md):
// a guesser is closed out where they are, and the account as a whole is only slowed, and not for places that its owner signed in
// from before.
import { HOUR_MS, MINUTE_MS, SECOND_MS, after } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { networkOf, placeOf, PLACES_OF_A_NETWORK } from '../../../kernel/place.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { RequestFacts, WriteContext } from '../../../kernel/context.ts';
import { failuresSince, isKnownPlace, recordFailures, takeTurn, forgetFailures } from './throttle.store.ts';

export const WINDOW_MS = 15 * MINUTE_MS;
/** Failures of one account from one place, and of one place with all accounts. */
const PER_PLACE_AND_ACCOUNT = 10;
const PER_PLACE = 50;
/** A passkey is not guessed: this bounds what is written down of a flood. */
const PASSKEYS_PER_PLACE = 300;
/** Of one account from places that are not known to it: so many are free, then each waits twice as long as the one before. */
const SLOWED_AFTER = 20;
const FIRST_MS = 4 * SECOND_MS;
const SLOWEST_MS = 5 * MINUTE_MS;
/** Of one session, whose holder signed in: a step-up and a new password. */
const SESSION_SLOWED_AFTER = 5;
const SESSION_SLOWEST_MS = MINUTE_MS;

/** Failures are counted for so long: the longest window above. */
const KEPT_MS = HOUR_MS;

/** What a try is one of. */
export type Guess =
  /** Of a password: `account` is the key of the address that was given, whether or not someone has it. */
  | { at: 'sign_in'; account: string; place: string }
  | { at: 'session'; session: string }
  /** Of a key or a link. */
  | { at: 'place'; place: string }
  | { at: 'passkey'; place: string };

/** `until` is when another try is free, with the times of its failures, oldest first. */
type Rule = { who: string; until(failures: Date[], now: Date): Date | null };

export const placeOfRequest = ({ address }: Pick<RequestFacts, 'address'>): string =>
  placeOf(address ?? 'nowhere');

const closed = (most: number) => (failures: Date[], now: Date) =>
  waitUntil(
    failures.filter((at) => at > after(now, -WINDOW_MS)),
    most,
  );

/** When the oldest failure that must be forgotten leaves the window; null where another try is free. Times are sorted. */
export function waitUntil(failures: Date[], most: number): Date | null {
  const oldest = failures[failures.length - most];
  return oldest ? after(oldest, WINDOW_MS) : null;
}

/** The first `free` cost nothing; then four seconds after the last, eight, sixteen, up to the longest. */
const slowed =
  (free: number, longest_ms: number) =>
  (failures: Date[], now: Date): Date | null => {
    const last = failures.at(-1);
    if (!last || failures.length < free) return null;
    const wait_ms = Math.min(FIRST_MS * 2 ** Math.min(failures.length - free, 20), longest_ms);
    const until = after(last, wait_ms);
    return until > now ? until : null;
  };

const accountRule = (account: string): Rule => ({
  who: `account:${account}`,
  until: slowed(SLOWED_AFTER, SLOWEST_MS),
});

/** Of one place, and ten times as many of the network that it is one of 65,536 places of. */
function placeRules(what: 'address' | 'passkey', place: string, most: number): Rule[] {
  const network = networkOf(place);
  return [
    { who: `${what}:${place}`, until: closed(most) },
    ...(network ? [{ who: `${what}:${network}`, until: closed(most * PLACES_OF_A_NETWORK) }] : []),
  ];
}

/** Under which names a failure counts. */
const rulesOf = (guess: Guess): Rule[] => {
  switch (guess.at) {
    case 'sign_in':
      return [
        { who: `account:${guess.account} at ${guess.place}`, until: closed(PER_PLACE_AND_ACCOUNT) },
        accountRule(guess.account),
        ...placeRules('address', guess.place, PER_PLACE),
      ];
    case 'session':
      return [{ who: `session:${guess.session}`, until: slowed(SESSION_SLOWED_AFTER, SESSION_SLOWEST_MS) }];
    case 'place':
      return placeRules('address', guess.place, PER_PLACE);
    case 'passkey':
      return placeRules('passkey', guess.place, PASSKEYS_PER_PLACE);
  }
};

/**
 * Throws 429 where too many tries failed. Asked before a password is hashed, and again in the turn of the try. Gives whether
 * whoever tries is known here.
 */
export async function demandTry(db: Reader | Transaction, guess: Guess, now: Date): Promise<boolean> {
  const [first, ...others] = rulesOf(guess);
  if (first) await demand(db, first, now);
  // From where its owner signed in before, the ten of that place are all that count.
  if (guess.at === 'sign_in' && (await isKnownPlace(db, guess.account, guess.place, now))) return true;
  for (const rule of others) await demand(db, rule, now);
  return guess.at === 'session';
}

async function demand(db: Reader | Transaction, { who, until }: Rule, now: Date): Promise<void> {
  const waits = until(await failuresSince(db, who, after(now, -KEPT_MS)), now);
  if (waits) throw tooMany(waits, now);
}

export type Throttle = {
  /** The refusal, made to count although the act that throws it is undone. */
  failed(refusal: Refusal): Refusal;
  /** Forgets what went wrong here before. What others got wrong elsewhere stays counted. */
  passed(): Promise<void>;
};

/**
 * The tries of one account, or of one session, go one after the other until the act ends, so that a hundred parallel guesses do
 * not all see the same count.
 */
export async function throttle(
  { db, now }: Pick<WriteContext, 'db' | 'now'>,
  guess: Guess,
): Promise<Throttle> {
  const names = rulesOf(guess).map(({ who }) => who);
  const own = names[0] ?? '';
  if (guess.at === 'sign_in') await takeTurn(db, `account:${guess.account}`);
  if (guess.at === 'session') await takeTurn(db, own);
  await demandTry(db, guess, now);
  return {
    failed: (refusal) => refusal.keeping((tx) => recordFailures(tx, names, now, after(now, -KEPT_MS))),
    passed: () =>
      guess.at === 'sign_in' || guess.at === 'session' ? forgetFailures(db, own) : Promise.resolve(),
  };
}

function tooMany(until: Date, now: Date): Refusal {
  const retry_after = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const minutes = Math.ceil(retry_after / 60);
  const wait =
    retry_after < 60 ? `${retry_after} seconds` : minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return new Refusal(429, 'rate_limited', `too many failed attempts: wait ${wait} and try again`, {
    retry_after,
  });
}
