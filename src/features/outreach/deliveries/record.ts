// The one place that records what happened to a letter, from any source: our own session, a bounce mail, a vendor. A report that
// comes twice counts once, in any order, and reports that fit no letter are kept for review.
import type { Transaction } from '../../../kernel/database.ts';
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { ChangeNotification } from '../../../kernel/database.ts';
import { addressHash, parseAddress } from '../../../mail/address.ts';
import { ERASED } from '../../crm/people/holders.ts';
import { endProspectsOf, moveSpine } from '../prospects/spine/move.store.ts';
import { suppressAll, type ToSuppress } from '../../crm/suppressions/store.ts';
import type { OnSent } from '../sends/letter/on-sent.ts';
import { judgeDomain, type Tell } from '../warden/judge.ts';
import {
  addressMeant,
  bracketed,
  countsForWarden,
  type Delivery,
  FULL_MAILBOXES,
  isBadChange,
  isMailboxFull,
  type PlacedBy,
} from './rules.ts';
import {
  addressesWrittenTo,
  fullSince,
  insertEvents,
  knownKeys,
  letterLastSentTo,
  type LetterRow,
  lettersNamed,
  lockLetters,
  markUndeliverable,
  settleDelivery,
} from './store.ts';
import { evidenceOf, settleUncertain } from './uncertain.ts';

/** Who writes down what no person did. */
export const REPORTS = { kind: 'system', id: 'deliveries', name: 'delivery reports' } as const;

/** `emit`: the database's, in this transaction. */
export type Recording = { emit: Tell; now: Date; on_sent: OnSent };

export type Recorded = {
  /** Those that were not known before. */
  recorded: number;
  /** Of these, how many no letter was found for. */
  unplaced: number;
  /** For `database.tell`, after the commit. */
  changes: ChangeNotification[];
};

/** A complaint that names no letter is believed about the last one that went to the address. */
const GUESS_MS = 30 * DAY_MS;

type Found = { delivery: Delivery; letter: LetterRow | null; placed_by: PlacedBy | null };

/**
 * Records what happened to letters, with everything that follows: the letter's delivery, an address that is suppressed, the
 * person's stage, the warden's look at the domain. Whoever holds locks on letters calls it last in the transaction: it goes
 * on to domains and suppressions.
 */
export async function recordDeliveries(
  tx: Transaction,
  deliveries: readonly Delivery[],
  { emit, now, on_sent }: Recording,
): Promise<Recorded> {
  const known = await knownKeys(
    tx,
    deliveries.map(({ key }) => key),
  );
  const fresh = [...new Map(deliveries.map((each) => [each.key, each])).values()].filter(
    ({ key }) => !known.has(key),
  );
  if (fresh.length === 0) return { recorded: 0, unplaced: 0, changes: [] };
  const found = await place(tx, fresh);
  const letters = [
    ...new Map(found.flatMap(({ letter }) => (letter ? [[letter.id, letter] as const] : []))).values(),
  ];
  const complaining = found.flatMap(({ delivery, letter }) =>
    delivery.kind === 'complaint' ? (letter?.person_id ?? []) : [],
  );
  // A letter that is found to have gone is written into its conversation, and threads are locked before people.
  const unsure = letters.flatMap(({ id, state }) => (state === 'uncertain' ? id : []));
  await on_sent.lock(tx, unsure);
  await lockLetters(tx, letters, complaining);
  const written = await insertEvents(tx, found.map(eventOf), now);
  const ours = found.filter(({ delivery }) => written.has(delivery.key));
  await settleUncertain(
    tx,
    ours.flatMap(({ letter, delivery }) => (letter ? { ...letter, evidence: evidenceOf(delivery) } : [])),
    REPORTS,
    now,
  );
  const threads = await on_sent.record(tx, unsure, now);
  await settleDelivery(
    tx,
    letters.map(({ id }) => id),
    now,
  );
  const wishes = await followUp(tx, ours, now);
  await judge(tx, ours, { emit, now });
  await suppressAll(tx, wishes, REPORTS, now);
  return {
    recorded: ours.length,
    unplaced: ours.filter(({ letter }) => letter === null).length,
    changes: [...changesOf(ours, wishes.length > 0), ...threads.map((id) => ({ topic: 'threads', id }))],
  };
}

export const recordDelivery = (
  tx: Transaction,
  delivery: Delivery,
  recording: Recording,
): Promise<Recorded> => recordDeliveries(tx, [delivery], recording);

async function place(tx: Transaction, deliveries: readonly Delivery[]): Promise<Found[]> {
  const ids = deliveries.flatMap(({ send }) => ('id' in send ? send.id : []));
  const message_ids = deliveries.flatMap(({ send }) => ('id' in send ? [] : send.message_ids.map(bracketed)));
  const letters = await lettersNamed(tx, ids, message_ids);
  const found: Found[] = [];
  for (const delivery of deliveries) {
    const { send, recipient_hash, kind } = delivery;
    const named = 'id' in send ? [send.id] : send.message_ids.map(bracketed);
    const letter = named
      .map((name) =>
        letters.find(({ id, message_id, also_known_as }) =>
          'id' in send ? id === name : message_id === name || also_known_as === name,
        ),
      )
      .find((each) => each !== undefined);
    if (letter) {
      found.push({ delivery, letter, placed_by: 'id' in send ? send.by : 'message_id' });
      continue;
    }
    const guess =
      kind === 'complaint' && recipient_hash !== null
        ? await letterLastSentTo(tx, recipient_hash, after(delivery.at, -GUESS_MS), delivery.at)
        : null;
    found.push({ delivery, letter: guess, placed_by: guess && 'recipient' });
  }
  return found;
}

const eventOf = ({ delivery: { send, ...delivery }, letter, placed_by }: Found) => ({
  ...delivery,
  // What comes late would name again whom we have forgotten.
  said: letter?.to_address === ERASED ? null : delivery.said,
  send_id: letter?.id ?? null,
  identity_id: letter?.identity_id ?? null,
  domain_id: countsForWarden(placed_by) ? (letter?.domain_id ?? null) : null,
  placed_by,
  message_id: letter || 'id' in send ? null : (send.message_ids[0]?.slice(0, 998) ?? null),
});

/** What follows for people and addresses, in the order of the letters' ids; suppressions come last of all and are given back. */
async function followUp(tx: Transaction, found: readonly Found[], now: Date): Promise<ToSuppress[]> {
  const wishes: ToSuppress[] = [];
  const dead = new Set<string>();
  const ordered = found.toSorted((a, b) => ((a.letter?.id ?? '') < (b.letter?.id ?? '') ? -1 : 1));
  for (const { delivery, letter } of ordered) {
    if (!letter) continue;
    const { kind, recipient_hash, source, key } = delivery;
    const meant = addressMeant(placedOf(letter), recipient_hash);
    const isEnd = kind === 'hard' || (isMailboxFull(delivery) && (await isFullAgain(tx, meant?.hash)));
    if (kind !== 'complaint' && !isEnd) continue;
    const isOwn = meant !== null && meant.hash === letter.to_hash;
    const complains = kind === 'complaint' && letter.person_id !== null && (isOwn || letter.cc.length === 0);
    const others =
      complains && letter.person_id !== null ? await addressesWrittenTo(tx, letter.person_id) : [];
    if (complains && letter.person_id !== null)
      await endProspectsOf(tx, letter.person_id, 'complaint', REPORTS, now);
    if (isEnd && isOwn && letter.prospect_id !== null)
      await moveSpine(
        tx,
        { prospect_id: letter.prospect_id, stage: 'bounced', cause: 'delivery', ref: letter.id },
        REPORTS,
        now,
      );
    if (meant !== null && isEnd) dead.add(meant.hash);
    // Whoever complains does not mean one of their mailboxes: all that we wrote to are closed.
    const values = [meant?.normalised ?? null, ...others.map(normalisedOf)];
    for (const value of new Set(values))
      if (value !== null)
        wishes.push({
          kind: 'address',
          value,
          reason: kind === 'complaint' ? 'complaint' : 'hard_bounce',
          source: source === 'vendor' ? 'vendor' : 'send',
          source_ref: source === 'vendor' ? key.slice(0, 200) : letter.id,
          campaign_id: letter.campaign_id ?? undefined,
        });
  }
  if (dead.size > 0) await markUndeliverable(tx, [...dead], now);
  return wishes;
}

function normalisedOf(address: string): string | null {
  const read = parseAddress(address);
  return read.ok ? read.address.normalised : null;
}

const isFullAgain = async (tx: Transaction, hash: string | undefined): Promise<boolean> =>
  hash !== undefined && (await fullSince(tx, hash)) >= FULL_MAILBOXES;

function placedOf({ to_address, to_hash, cc }: LetterRow) {
  const to = parseAddress(to_address);
  return {
    to_hash,
    to_normalised: to.ok ? to.address.normalised : null,
    cc: cc.flatMap((each) => {
      const read = parseAddress(each);
      return read.ok
        ? [{ hash: addressHash(read.address.normalised), normalised: read.address.normalised }]
        : [];
    }),
  };
}

/** In the order of their ids, as everyone locks domains. */
async function judge(
  tx: Transaction,
  found: readonly Found[],
  { emit, now }: Pick<Recording, 'emit' | 'now'>,
): Promise<void> {
  const domains = found.flatMap(({ delivery, letter, placed_by }) =>
    isBadChange(delivery.kind) && countsForWarden(placed_by) ? (letter?.domain_id ?? []) : [],
  );
  for (const domain of [...new Set(domains)].toSorted()) await judgeDomain(tx, emit, domain, now);
}

/** Notifies that a report came which no letter was found for. */
export const DELIVERIES = 'deliveries';

function changesOf(found: readonly Found[], suppressed: boolean): ChangeNotification[] {
  const changes = new Map<string, ChangeNotification>();
  const add = (topic: string, id: string): void => void changes.set(`${topic} ${id}`, { topic, id });
  for (const { delivery, letter } of found) {
    if (!letter) {
      add(DELIVERIES, '');
      continue;
    }
    add('sends', letter.id);
    if (!isBadChange(delivery.kind)) continue;
    if (letter.prospect_id !== null) add('prospects', letter.prospect_id);
    if (letter.domain_id !== null) add('domains', letter.domain_id);
  }
  if (suppressed) {
    add('suppressions', '');
    add('people', '');
  }
  return [...changes.values()];
}
