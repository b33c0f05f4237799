// Looks up what isn’t known yet about addresses, before the transaction. Known verdicts aren’t looked up again.
import { type Caller } from '../../../kernel/caller.ts';
import { SECOND_MS } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { addressHash, parseAddress } from '../../../mail/address.ts';
import { mayRead } from '../../crm/people/store.ts';
import { takeAsks } from './asks.store.ts';
import type { Verified } from './contract.ts';
import { climb, worldOf } from './ladder.ts';
import {
  type VerificationAccount,
  NO_LETTERS,
  standingAfter,
  STRANGERS_AN_HOUR,
  tellsOfLetters,
  told,
  unasked,
} from './rules.ts';
import {
  factsFor,
  type FoundVerdict,
  knownFor,
  type VerifiedMailbox,
  ownersOf,
  verdictsFor,
} from './store.ts';

/** Someone waits for the answer. */
const TIME_MS = 25 * SECOND_MS;

export type NamedMailbox = VerifiedMailbox & { given: string; normalised: string };
export type Checked = { results: Verified[]; found: FoundVerdict[] };

/** Each address once, however it is written; null for anything that isn’t one. */
export function mailboxesOf(given: readonly string[]): (NamedMailbox | null)[] {
  return given.map((text) => {
    const parsed = parseAddress(text);
    if (!parsed.ok) return null;
    const { normalised, domain } = parsed.address;
    return { given: text, normalised, domain, hash: addressHash(normalised) };
  });
}

type Owners = { readable: Map<string, string>; hidden: ReadonlySet<string> };

/** Whose addresses these are, of people whom the caller may read; and the addresses of others, who are not there for them. */
async function ownersFor(
  { db, caller }: { db: ReadContext['db']; caller: Caller },
  hashes: readonly string[],
): Promise<Owners> {
  const owners = await ownersOf(db, hashes);
  const readable = new Map([...owners].filter(([, person]) => mayRead(caller, person)));
  return { readable, hidden: new Set([...owners.keys()].filter((hash) => !readable.has(hash))) };
}

export const readableOwners = async (
  context: { db: ReadContext['db']; caller: Caller },
  hashes: readonly string[],
): Promise<Map<string, string>> => (await ownersFor(context, hashes)).readable;

/** Without what letters to hidden people came to: that tells of them. */
const withoutTheirs = (
  accounts: Map<string, VerificationAccount>,
  hidden: ReadonlySet<string>,
): Map<string, VerificationAccount> =>
  new Map([...accounts].filter(([hash, account]) => !hidden.has(hash) || !tellsOfLetters(account)));

export async function checkAll(context: ReadContext, given: readonly string[]): Promise<Checked> {
  const { db, app, now, request } = context;
  const named = mailboxesOf(given);
  const boxes = new Map(named.flatMap((box) => (box ? [[box.hash, box] as const] : [])));
  const hashes = [...boxes.keys()];
  const { readable: owners, hidden } = await ownersFor(context, hashes);
  const kept = withoutTheirs(await verdictsFor(db, hashes, now), hidden);
  const known = withoutTheirs(await knownFor(db, hashes, [...owners.keys()]), hidden);
  const open = [...boxes.values()].filter(({ hash }) => !kept.has(hash));
  await countStrangers(context, open.filter(({ hash }) => !owners.has(hash)).length);

  const facts = await factsFor(db, open, now);
  const time = AbortSignal.timeout(TIME_MS);
  const late = request.signal ? AbortSignal.any([time, request.signal]) : time;
  const world = worldOf(app, late);
  const asked = await Promise.all(
    open.map(async ({ hash, domain, normalised }): Promise<FoundVerdict | null> => {
      const met = hidden.has(hash) ? { ...facts(hash), ...NO_LETTERS } : facts(hash);
      const answer = await climb(world, normalised, met, late);
      return answer && { ...answer, hash, domain };
    }),
  );
  const found = new Map(asked.flatMap((each) => (each ? [[each.hash, each] as const] : [])));

  const results = await Promise.all(
    given.map(async (text, at): Promise<Verified> => {
      const box = named[at];
      if (!box) {
        const answer = await climb(world, text, facts(''), late);
        return answer ? told(text, answer, false) : unasked(text, 'out_of_time');
      }
      const before = kept.get(box.hash);
      const asking = found.get(box.hash);
      const account = before ?? (asking && standingAfter<VerificationAccount>(known.get(box.hash), asking));
      const said = account ? told(text, account, before !== undefined) : unasked(text, 'out_of_time');
      return { ...said, person_id: owners.get(box.hash) ?? null };
    }),
  );
  // What is known of someone hidden is not replaced by what a stranger could find out.
  return { results, found: [...found.values()].filter(({ hash }) => !hidden.has(hash)) };
}

/** Counted and committed before anyone is asked: what was asked stays asked, whatever becomes of the act. */
async function countStrangers({ caller, app, now, request }: ReadContext, count: number): Promise<void> {
  if (count === 0) return;
  const { credential, principal } = caller;
  const who = credential.kind === 'token' ? `token:${credential.id}` : `${principal.kind}:${principal.id}`;
  const asks = await app.database.transact(
    (tx) => takeAsks(tx, who, count, STRANGERS_AN_HOUR, now),
    request.signal,
  );
  if (asks.taken) return;
  throw new Refusal(
    429,
    'rate_limited',
    `only ${asks.left} more addresses that don’t belong to anyone on this instance can be checked this hour: wait, or add the people first`,
    { retry_after: 3600 },
  );
}
