// The pass that sends letters (domain.md §1.5): two of an identity at once and an answer, each in its slot, so that a server that
// hangs costs its own identity; eight at a time while they are in our own hands or just before their reply. A letter is opened
// with the next hop up to its end, asked all gates again, marked `sending`, and only then ended; what happens to this process in
// between decides what it becomes:
//
//   claimed ── gates, bytes, connection ──▶ opened ── commit `sending` ──▶ ended ── reply ──▶ settled
//   dies here: due again as it was                        dies here: uncertain, never sent by a timer
import { SECOND_MS, after } from '../../../../kernel/clock.ts';
import type { Database } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';
import { pass, type AnyPass, type Crew, type Work } from '../../../../kernel/pass.ts';
import { envelopeFrom } from '../../identities/ways/envelope.ts';
import { factsOf } from '../gates/facts.store.ts';
import { gates } from '../gates/gates.rules.ts';
import { settle } from './settle.ts';
import { bytesOf } from './outgoing.ts';
import { mayAskAgain, settlementOfAsking } from './again.ts';
import { heldFor, ruleOutcome, ruleStop, type Settlement } from './outcome.ts';
import { sendingIdentities, type SendingIdentity } from './identity.store.ts';
import { LEASE_MS, startLetter, withBackoff, type Start } from './start.ts';
import {
  attachmentRows,
  beginAttempt,
  claimLetters,
  keepLeases,
  letterRows,
  releaseLetters,
  type AttachmentRow,
  type DueLetter,
  type LetterRow,
} from './store.ts';
import type { OnSent } from '../letter/on-sent.ts';
import { LETTERS_IN_HAND } from './slot.rules.ts';
import { openBackoffs, type Backoffs } from './backoffs.ts';
import { openWays, type OpenVendor, type OpenWays } from './ways.ts';
import { unsubscribeUrl } from '../../unsubscribes/token.ts';

/** Notifies that letters changed: it wakes this pass, and open screens read again. */
const SENDS = 'sends';
const AT_A_TIME = 8;
/** So long a letter whose end is out keeps its place; then its server is slow, and others go on. */
const LINGERS_MS = SECOND_MS;
const KEEP_EVERY_MS = 15 * SECOND_MS;

export type SettledLetter = {
  database: Database;
  letter: LetterRow;
  lease: string;
  identity: SendingIdentity | null;
  settlement: Settlement;
  /** The next hop was spoken to, and the end of the letter was not allowed: it counts for the gap all the same. */
  spoken: boolean;
  at: Date;
};

export const lettersPass = (openVendor: OpenVendor | null, on_sent: OnSent): AnyPass =>
  pass<DueLetter, SettledLetter>({
    name: 'letters',
    wakes_on: [SENDS],
    interrupted_by: [],
    tells: SENDS,
    every_ms: 2 * SECOND_MS,
    batch: AT_A_TIME,
    at_a_time: AT_A_TIME,
    starts_within_ms: 15 * SECOND_MS,
    slots: { of: ({ backoff }) => backoff, most: LETTERS_IN_HAND },
    claim: claimLetters,
    open: (app) => openCrew(app, openVendor),
    commit: (tx, _lease, results) => settle(tx, results, on_sent),
    release: releaseLetters,
    tidy: async () => undefined,
  });

function openCrew(app: App, openVendor: OpenVendor | null): Crew<DueLetter, SettledLetter> {
  const ways = openWays(app, openVendor);
  const held = new Map<string, string>();
  const slots = openBackoffs();
  const keep = setInterval(() => {
    if (held.size === 0) return;
    const rows = [...held].map(([id, lease]) => ({ id, lease }));
    const until = after(app.clock.now(), LEASE_MS);
    // Missed once it is done again, well before the lease ends.
    void app.database.inOneStatement((tx) => keepLeases(tx, rows, until)).catch(() => undefined);
  }, KEEP_EVERY_MS).unref();
  return {
    begin: (rows) => openBatch(app, rows, ways, held, slots),
    close() {
      clearInterval(keep);
      ways.close();
    },
  };
}

async function openBatch(
  app: App,
  rows: readonly DueLetter[],
  ways: OpenWays,
  held: Map<string, string>,
  slots: Backoffs,
): Promise<Work<DueLetter, SettledLetter>> {
  const { database, clock, sealer } = app;
  const ids = rows.map(({ id }) => id);
  const [letters, facts, attachments] = await Promise.all([
    letterRows(database.reader, ids),
    factsOf(database.reader, ids, clock.now(), app),
    attachmentRows(database.reader, ids),
  ]);
  const identities = await sendingIdentities(
    database.reader,
    sealer,
    [...letters.values()].flatMap(({ identity_id }) => identity_id ?? []),
  );
  return async ({ id, state, lease }, cut, place) => {
    const [letter, asked] = [letters.get(id), facts.get(id)];
    if (!letter || !asked) return null;
    const loaded = identities.get(letter.identity_id ?? '');
    const identity = loaded ? slots.withLearned(loaded) : null;
    const become = (settlement: Settlement, spoken = false): SettledLetter => {
      const at = clock.now();
      if (identity && settlement.backoff) slots.learn(identity, settlement.backoff);
      return { database, letter, lease, identity, settlement, spoken, at };
    };
    const known = identity ? withBackoff(asked, identity) : asked;
    const again = state === 'sending';
    if (again && (identity?.transport.kind !== 'vendor' || !mayAskAgain(asked, clock.now())))
      return become({ to: 'uncertain', backoff: null });
    const stop = state === 'sending' ? null : gates(known, clock.now());
    if (stop) return become(ruleStop(stop));
    if (!identity) return become({ to: 'held', reason: 'no_identity', evidence: {}, backoff: null });
    const { transport } = identity;
    const trouble = slots.troubleOf(identity);
    if (trouble) {
      const held: Settlement = { ...heldFor(trouble, clock.now()), backoff: null };
      return become(again ? settlementOfAsking(held, clock.now()) : held);
    }
    // Its secrets were sealed by another key: nothing goes out, and nothing goes out unsigned.
    if (transport.kind === 'unusable' || !identity.dkim) {
      const unsigned: Settlement = {
        to: 'held',
        reason: 'identity_credentials',
        evidence: {},
        backoff: null,
      };
      return become(again ? settlementOfAsking(unsigned, clock.now()) : unsigned);
    }

    // A vendor knows the key together with the bytes that went with it: others under it would be another letter.
    if (again && !letter.kept) return become({ to: 'uncertain', backoff: null });
    // Everyone else had nothing of it: each attempt is a letter of its day, signed again, under the same Message-ID.
    const kept = transport.kind === 'vendor' ? letter.kept : null;
    const made = kept ?? (await makeBytes(app, letter, identity, attachments));
    if ('hold' in made)
      return become({ to: 'held', reason: made.hold, evidence: made.evidence, backoff: null });
    const now = clock.now();
    const until = after(now, LEASE_MS);
    const begun = await database.inOneStatement((tx) =>
      beginAttempt(tx, letter, lease, until, kept ? null : made, now),
    );
    if (!begun) return null;

    // Bytes outlive a change of the envelope sender; a vendor knows both by one key.
    const from =
      transport.kind === 'smtp' ? envelopeFrom(identity, id, sealer.key('verp')) : made.envelope_from;
    const asking: { start: Start | null } = { start: state === 'sending' ? 'started' : null };
    held.set(id, lease);
    let lingers: NodeJS.Timeout | undefined;
    try {
      // It waits for its server now, however long that takes.
      place.leave();
      const outcome = await ways.of(identity, transport, letter.kind === 'answer').send({
        envelope: { from, to: [letter.to_address, ...letter.cc] },
        bytes: made.bytes,
        idempotency_key: letter.resent === 0 ? id : `${id}.${letter.resent}`,
        signal: cut,
        async beforeFinalDot() {
          await place.take();
          // A vendor that is asked again may have the letter already, whatever the gates say by now.
          asking.start ??= await startLetter(app, letter, lease, identity, asked).catch((err: unknown) => {
            app.log.error({ err, send: id }, 'a letter could not start');
            throw err;
          });
          if (asking.start !== 'started') throw new Error('the letter may not end');
          lingers = setTimeout(place.leave, LINGERS_MS);
        },
      });
      const { start } = asking;
      const started = start === 'started';
      if (outcome.outcome === 'not_sent') {
        if (start === 'lost' || (outcome.why === 'cut' && !started)) return null;
        if (start !== null && start !== 'started') return become(ruleStop(start));
        // The database failed in between: no one has it, and it is not tried again in circles.
        const back: Settlement =
          outcome.why === 'hook' ? inAMinute(clock.now()) : { to: 'due', backoff: null };
        return become(again ? settlementOfAsking(back, clock.now()) : back);
      }
      const tried = {
        attempts: letter.attempts,
        first_attempt_at: letter.first_attempt_at,
        failures: identity.backoff.failures,
        breaks: slots.withLearned(identity).backoff.breaks,
        knows_keys: transport.kind === 'vendor',
        started,
        refused: letter.refused,
      };
      const spoken = !started && (outcome.outcome === 'refused' || outcome.outcome === 'deferred');
      const ruled = ruleOutcome(outcome, tried, clock.now());
      return become(again ? settlementOfAsking(ruled, clock.now()) : ruled, spoken);
    } finally {
      clearTimeout(lingers);
      held.delete(id);
    }
  };
}

function makeBytes(
  app: App,
  letter: LetterRow,
  identity: SendingIdentity,
  attachments: readonly AttachmentRow[],
) {
  const its = attachments.filter(({ send_id }) => send_id === letter.id);
  const unsubscribe = letter.kind === 'answer' ? null : unsubscribeUrl(app, letter.id);
  return bytesOf(app, letter, identity, its, unsubscribe, app.clock.now());
}

const inAMinute = (now: Date): Settlement => ({
  to: 'waiting',
  why: 'retry',
  until: after(now, LEASE_MS),
  evidence: {},
  counts: false,
  backoff: null,
});
