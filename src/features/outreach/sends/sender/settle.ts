// One commit of the sender: what happened to up to ten letters, with everything that follows from it.
import type { Transaction } from '../../../../kernel/database.ts';
import { MINUTE_MS, after } from '../../../../kernel/clock.ts';
import type { Database } from '../../../../kernel/database.ts';
import { holdIdentity } from '../../identities/trouble/trouble.store.ts';
import { hashesIn } from '../../../../mail/address.ts';
import { letterOver } from '../../prospects/stepping/over.store.ts';
import { letterWent } from '../../prospects/stepping/steps.store.ts';
import type { OnSent } from '../letter/on-sent.ts';
import { act, type Fact, type LetterHand, writeFacts } from '../letter/save.store.ts';
import type { Act } from '../letter/send.rules.ts';
import { sendRows } from '../letter/send.store.ts';
import { moveLetters } from '../letter/transitions.store.ts';
import { recordDeliveries } from '../../deliveries/record.ts';
import { keepNames } from '../../vendors/store.ts';
import type { Delivery } from '../../deliveries/rules.ts';
import { SENDER, type Settlement } from './outcome.ts';
import type { SettledLetter } from './pass.ts';
import { asksAgainAt, keepDistance, lockSettled, saveBackoff } from './settle.store.ts';

/** Held letters are looked at again this often, beside the moments at which something changed. */
const LOOK_AGAIN_MS = 10 * MINUTE_MS;

export async function settle(
  tx: Transaction,
  results: readonly SettledLetter[],
  on_sent: OnSent,
): Promise<void> {
  // Threads come before prospects.
  await on_sent.lock(
    tx,
    results.flatMap(({ letter, settlement }) => (settlement.to === 'sent' ? [letter.id] : [])),
  );
  const standing = await lockSettled(
    tx,
    results.map(({ letter, lease }) => ({ id: letter.id, prospect_id: letter.prospect_id, lease })),
  );
  // In the order of their ids, as every commit takes them.
  const ours = results
    .filter(({ letter }) => standing.has(letter.id))
    .toSorted((a, b) => (a.letter.id < b.letter.id ? -1 : 1));
  const sent = ours.filter(({ settlement }) => settlement.to === 'sent');
  const [first] = sent;
  if (first) {
    const ids = sent.map(({ letter }) => letter.id);
    const taken = await moveLetters(tx, ids, { kind: 'accepted' }, first.at);
    if (taken.length < ids.length) throw new Error('a letter that was taken had not been let out');
    await on_sent.record(tx, ids, first.at);
  }
  for (const result of ours) await settleOne(tx, result);
  await settleBackoffs(tx, results);
  const [{ database, at }] = results as [SettledLetter];
  // Last, since it goes on to domains and suppressions.
  await recordDeliveries(
    tx,
    ours.flatMap((result) => replyOf(result) ?? []),
    { emit: (event, data) => database.emit(tx, event, data, at), now: at, on_sent },
  );
}

async function settleOne(
  tx: Transaction,
  { database, letter, settlement, at }: SettledLetter,
): Promise<void> {
  const { id, prospect_id, step_id } = letter;
  const tell = (kind: string, details: Fact['details']) =>
    writeFacts(tx, [id], { kind, details }, { by: SENDER, now: at });
  if (settlement.to === 'sent') {
    const { reference, server_message_id } = settlement;
    await tell('sent', { reference, server_message_id });
    // A next hop that gave the letter a Message-ID of its own: answers and reports name it by that.
    if (server_message_id !== null)
      await keepNames(tx, { provider: 'smtp', external_id: id, send_id: id, message_id: server_message_id });
    if (prospect_id !== null) await letterWent(tx, { prospect_id, step_id, at }, at);
    return;
  }
  if (settlement.to === 'held') {
    const { reason, evidence } = settlement;
    const details = { reason, ...(settlement.refused && { refused: letter.fingerprint }) };
    const hold = { kind: 'kept_back', reason, evidence, recheck_at: after(at, LOOK_AGAIN_MS) } as const;
    await stopLetter(tx, id, hold, { kind: 'held', details }, { database, at });
    return;
  }
  if (settlement.to === 'cancelled') {
    const { reason } = settlement;
    await stopLetter(
      tx,
      id,
      { kind: 'called_off', reason },
      { kind: 'cancelled', details: { reason } },
      { database, at },
    );
    return;
  }
  if (settlement.to === 'asked_again') return asksAgainAt(tx, id, settlement.at);
  const moved = await moveLetters(tx, [id], actOf(settlement), at);
  // It was given up as lost in between, and nothing new is known of it.
  if (moved.length === 0) return;
  // Whoever was not reached waits for someone to look; a bounce is marked where it is recorded.
  if (settlement.to === 'failed' && prospect_id !== null) {
    const why = OVER[settlement.delivery ?? 'soft'];
    await letterOver(tx, { prospect_id, step_id, why }, SENDER, at);
  }
  const told = toldOf(settlement);
  if (told) await tell(told.kind, told.details);
}

/** Every end of an attempt but that the letter went, or was stopped. */
function actOf(settlement: Exclude<Settlement, { to: 'sent' | 'held' | 'cancelled' | 'asked_again' }>): Act {
  switch (settlement.to) {
    case 'waiting': {
      const { why, until, counts } = settlement;
      return { kind: 'put_off', why, until, tries: counts ? 1 : 0 };
    }
    case 'failed':
      return { kind: 'failed', reason: settlement.reason, delivery: settlement.delivery };
    case 'uncertain':
      return { kind: 'lost' };
    case 'due':
      return { kind: 'give_back' };
  }
}

const OVER = { hard: 'bounced', policy: 'refused', soft: 'not_taken' } as const;

/** By the act of the state machine that people's acts go through too. */
async function stopLetter(
  tx: Transaction,
  id: string,
  done: Act,
  fact: Fact,
  { database, at }: { database: Database; at: Date },
): Promise<void> {
  const [row] = await sendRows(tx, [id]);
  if (!row) throw new Error('a letter that was locked is gone');
  const emit: LetterHand['emit'] = async (event, data) => void (await database.emit(tx, event, data, at));
  await act(tx, row, done, fact, { by: SENDER, now: at, emit });
}

/** What history says of it, without the server's words, which are with what was reported; a letter that only waits for its hour says so in its row. */
function toldOf(settlement: Settlement): { kind: string; details: Record<string, unknown> } | null {
  switch (settlement.to) {
    case 'failed':
      return {
        kind: 'failed',
        details: { reason: settlement.reason, ...settlement.evidence, server_said: undefined },
      };
    case 'uncertain':
      return { kind: 'uncertain', details: {} };
    case 'waiting':
      return settlement.counts
        ? {
            kind: 'deferred',
            details: { until: settlement.until, ...settlement.evidence, server_said: undefined },
          }
        : null;
    case 'sent':
    case 'held':
    case 'cancelled':
    case 'due':
    case 'asked_again':
      return null;
  }
}

/** What the next hop said of the letter, as a report by mail or a vendor would say it. */
function replyOf({ letter, settlement, at }: SettledLetter): Delivery | null {
  const of = (
    kind: Delivery['kind'],
    { enhanced, cause, server_said: said }: Record<string, unknown>,
    recipient: string | null = null,
  ): Delivery => ({
    key: `session:${letter.id}:${letter.attempts}`,
    kind,
    source: 'session',
    send: { id: letter.id, by: 'id' },
    status: typeof enhanced === 'string' ? enhanced : null,
    cause: (cause ?? null) as Delivery['cause'],
    said: typeof said === 'string' ? said : null,
    // One of several may be refused: the others are not struck off for it.
    recipient_hash: hashesIn(recipient === null ? [] : [recipient])[0] ?? letter.to_hash,
    at,
  });
  if (settlement.to === 'sent') return of('accepted', {});
  if (settlement.to === 'failed' && settlement.delivery)
    return of(settlement.delivery, settlement.evidence, settlement.recipient);
  // A connection that breaks off says nothing of the recipient.
  return settlement.to === 'waiting' && settlement.counts && settlement.why !== 'broke_off'
    ? of('soft', settlement.evidence)
    : null;
}

/** One word an identity: that its server is down or refuses it outweighs that it may rest. */
async function settleBackoffs(tx: Transaction, results: readonly SettledLetter[]): Promise<void> {
  const weight = { refused: 4, down: 3, asleep: 2, broke: 1, open: 0 };
  const ordered = results
    .filter(({ identity }) => identity !== null)
    .toSorted((a, b) => (a.identity!.id < b.identity!.id ? -1 : 1));
  for (const { identity, spoken, at } of ordered)
    if (spoken && identity) await keepDistance(tx, identity.id, Math.random(), at);
  const last = new Map<string, SettledLetter>();
  for (const each of ordered) {
    const changes = each.settlement.backoff;
    const before = last.get(each.identity!.id)?.settlement.backoff;
    if (changes && (!before || weight[changes.kind] >= weight[before.kind]))
      last.set(each.identity!.id, each);
  }
  for (const { identity, settlement, at } of last.values())
    if (identity && settlement.backoff)
      await (settlement.backoff.kind === 'refused'
        ? holdIdentity(tx, identity, settlement.backoff.trouble, at)
        : saveBackoff(tx, identity, settlement.backoff, at));
}
