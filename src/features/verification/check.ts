// Asks for what is not known yet of the addresses of one question, before its transaction: what is kept is not asked again.
import { type Caller } from '../../kernel/caller.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { ReadScene } from '../../kernel/scene.ts';
import { addressHash, parseAddress } from '../../mail/address.ts';
import { mayRead } from '../people/store.ts';
import { takeAsks } from './asks.store.ts';
import type { Verified } from './contract.ts';
import { climb, worldOf } from './ladder.ts';
import { STRANGERS_AN_HOUR, told, unasked } from './rules.ts';
import { factsFor, type Found, type Mailbox, ownersOf, verdictsFor } from './store.ts';

/** Somebody waits for the answer. */
const TIME_MS = 25 * SECOND_MS;

export type Named = Mailbox & { given: string; normalised: string };
export type Checked = { results: Verified[]; found: Found[] };

/** Each address once, however it is written; null where it is no address. */
export function mailboxesOf(given: readonly string[]): (Named | null)[] {
  return given.map((text) => {
    const parsed = parseAddress(text);
    if (!parsed.ok) return null;
    const { normalised, domain } = parsed.address;
    return { given: text, normalised, domain, hash: addressHash(normalised) };
  });
}

/** Whom the caller may read, of those whose addresses these are. */
export async function readableOwners(
  { db, caller }: { db: ReadScene['db']; caller: Caller },
  hashes: readonly string[],
): Promise<Map<string, string>> {
  const owners = await ownersOf(db, hashes);
  return new Map([...owners].filter(([, person]) => mayRead(caller, person)));
}

export async function checkAll(scene: ReadScene, given: readonly string[]): Promise<Checked> {
  const { db, house, now, request } = scene;
  const named = mailboxesOf(given);
  const boxes = new Map(named.flatMap((box) => (box ? [[box.hash, box] as const] : [])));
  const hashes = [...boxes.keys()];
  const [owners, kept] = [await readableOwners(scene, hashes), await verdictsFor(db, hashes, now)];
  const open = [...boxes.values()].filter(({ hash }) => !kept.has(hash));
  await countStrangers(scene, open.filter(({ hash }) => !owners.has(hash)).length);

  const facts = await factsFor(db, open, now);
  const time = AbortSignal.timeout(TIME_MS);
  const late = request.signal ? AbortSignal.any([time, request.signal]) : time;
  const world = worldOf(house, late);
  const asked = await Promise.all(
    open.map(async ({ hash, domain, normalised }): Promise<Found | null> => {
      const answer = await climb(world, normalised, facts(hash), late);
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
      const account = before ?? found.get(box.hash);
      const said = account ? told(text, account, before !== undefined) : unasked(text, 'out_of_time');
      return { ...said, person_id: owners.get(box.hash) ?? null };
    }),
  );
  return { results, found: [...found.values()] };
}

/** Counted and committed before anybody is asked: what was asked stays asked, whatever becomes of the act. */
async function countStrangers({ caller, house, now, request }: ReadScene, count: number): Promise<void> {
  if (count === 0) return;
  const { credential, principal } = caller;
  const who = credential.kind === 'token' ? `token:${credential.id}` : `${principal.kind}:${principal.id}`;
  const asks = await house.ground.transact(
    (tx) => takeAsks(tx, who, count, STRANGERS_AN_HOUR, now),
    request.signal,
  );
  if (asks.taken) return;
  throw new Refusal(
    429,
    'rate_limited',
    `only ${asks.left} more addresses that belong to nobody here may be asked about within this hour: wait, or add the people first`,
    { retry_after: 3600 },
  );
}
