// Checks that the table of a letter's states is what the database does: every act, tried on a letter in every state and of
// every kind, moves those and only those that it leads from, and leaves each row as the rule in memory leaves it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlans, type Plans } from '../../../../../test/support/plans.ts';
import { json, type Transaction } from '../../../../kernel/database.ts';
import { after, allows } from '../../../../kernel/machine.ts';
import { type Act, givenOf, type LetterState } from './send.rules.ts';
import { UNMOVED } from './columns.rules.ts';
import { type ActName, LETTERS, type SendState, STATES } from './transitions.rules.ts';
import { moveLetters } from './transitions.store.ts';

const BEFORE = new Date('2026-03-02T09:00:00.000Z');
const NOW = new Date('2026-03-02T10:00:00.000Z');
const UNTIL = new Date('2026-03-02T11:00:00.000Z');

/** Of each act, where it leads from each state, as domain.md §1.5 says it; of a letter that was approved and is to be read by no one. */
const LEADS: Record<ActName, Partial<Record<SendState, SendState>>> = {
  queue: { drafted: 'scheduled' },
  approve: { review: 'scheduled', held: 'scheduled' },
  unapprove: { scheduled: 'review' },
  return: { review: 'drafted' },
  reject: { review: 'cancelled' },
  change: { drafted: 'review', review: 'review', scheduled: 'review', held: 'review' },
  wait: { scheduled: 'scheduled' },
  hold: { review: 'held', scheduled: 'held', held: 'held' },
  release: { held: 'scheduled' },
  cancel: { drafted: 'cancelled', review: 'cancelled', scheduled: 'cancelled', held: 'cancelled' },
  start: { scheduled: 'sending' },
  accepted: { sending: 'sent', uncertain: 'sent' },
  put_off: { scheduled: 'scheduled', sending: 'scheduled', uncertain: 'scheduled' },
  give_back: { scheduled: 'scheduled', sending: 'scheduled', uncertain: 'scheduled' },
  failed: { scheduled: 'failed', sending: 'failed', uncertain: 'failed' },
  kept_back: { scheduled: 'held', sending: 'held', uncertain: 'held' },
  called_off: { scheduled: 'cancelled', sending: 'cancelled', uncertain: 'cancelled' },
  lost: { sending: 'uncertain' },
  again: { failed: 'scheduled' },
  went: { uncertain: 'sent', held: 'sent' },
  did_not_go: { uncertain: 'scheduled' },
};

const ACTS: readonly Act[] = [
  { kind: 'queue', review_reason: null },
  { kind: 'queue', review_reason: 'sample' },
  {
    kind: 'approve',
    by: { kind: 'agent', id: 'a', name: 'Bee', on_behalf_of: { kind: 'person', id: 'p', name: 'Ada' } },
    token: randomUUID(),
    fingerprint: 'f',
    starts_at: UNTIL,
  },
  {
    kind: 'approve',
    by: { kind: 'person', id: 'p', name: 'Ada' },
    token: null,
    fingerprint: 'another',
    starts_at: null,
  },
  { kind: 'unapprove' },
  { kind: 'return', note: 'say it shorter' },
  { kind: 'reject' },
  { kind: 'reject', note: 'no' },
  { kind: 'change', fingerprint: 'g', review_reason: 'edited' },
  { kind: 'change', fingerprint: 'g', review_reason: null },
  { kind: 'wait', why: 'ramp', until: UNTIL },
  { kind: 'hold', reason: 'suppressed', evidence: { by: 'address' }, recheck_at: UNTIL },
  { kind: 'hold', reason: 'letter_on_hold', evidence: { note: null }, recheck_at: null },
  { kind: 'release', wait: null },
  { kind: 'release', wait: { why: 'ramp', until: UNTIL } },
  { kind: 'cancel', reason: 'replied' },
  { kind: 'cancel', reason: 'cancelled_by_hand', note: 'not now' },
  { kind: 'start', via: 'smtp', until: UNTIL },
  { kind: 'accepted' },
  { kind: 'put_off', why: 'greylisted', until: UNTIL, tries: 1 },
  { kind: 'put_off', why: 'transport_down', until: UNTIL, tries: 0 },
  { kind: 'give_back' },
  { kind: 'failed', reason: 'hard', delivery: 'hard' },
  { kind: 'failed', reason: 'deferred_too_long', delivery: null },
  { kind: 'kept_back', reason: 'identity_credentials', evidence: { code: 535 }, recheck_at: UNTIL },
  { kind: 'called_off', reason: 'campaign_archived' },
  { kind: 'lost' },
  { kind: 'again' },
  { kind: 'went' },
  { kind: 'did_not_go' },
];

type Stands = Record<string, unknown> & { id: string; state: SendState };

const APPROVED = {
  approved_by_kind: 'person',
  approved_by_id: 'p',
  approved_by_name: 'Ada',
  approved_at: BEFORE,
  approved_fingerprint: 'f',
};
const HOLDS = [
  'suppressed',
  'letter_on_hold',
  'address_changed',
  'approval_stale',
  'transport_down',
] as const;

/** What a row in this state has filled, for the constraints of the schema and for what an act might leave behind. */
function filled(state: SendState): Record<string, unknown>[] {
  const tried = { attempts: 1, first_attempt_at: BEFORE, sending_at: BEFORE, sending_via: 'smtp' };
  const held = { lease: randomUUID(), lease_until: BEFORE };
  switch (state) {
    case 'held':
      return HOLDS.flatMap((reason) =>
        [null, BEFORE].map((resent_at) => ({
          hold_reason: reason,
          hold_evidence: { seen: reason },
          held_at: BEFORE,
          hold_told: [reason],
          recheck_at: BEFORE,
          resent_at,
          ...held,
        })),
      );
    case 'scheduled':
      return [{ ...held }, { ...tried, not_before: BEFORE, waiting_for: 'retry', resent: 1 }];
    case 'cancelled':
      return [{ cancel_reason: 'replied' }];
    case 'failed':
      return [{ ...tried, failed_reason: 'hard', delivery: 'hard', delivery_at: BEFORE }];
    case 'sending':
      return [{ ...tried, ...held }];
    case 'uncertain':
      return [
        { ...tried, lease: held.lease },
        { ...tried, delivery: 'soft', delivery_at: BEFORE },
      ];
    case 'sent':
      return [{ ...tried, sent_at: BEFORE, delivery: 'delivered', delivery_at: BEFORE }];
    case 'drafted':
    case 'review':
      return [{ note: 'as it was' }, { scheduled_for: null }];
  }
}

const letters: Stands[] = STATES.flatMap((state) =>
  filled(state).flatMap((own) =>
    [{}, APPROVED].flatMap((approved) =>
      [null, 'every_letter'].map((review_reason) => ({
        id: randomUUID(),
        ...UNMOVED,
        revision: 3,
        fingerprint: 'f',
        scheduled_for: BEFORE,
        ...own,
        ...approved,
        review_reason,
        state,
      })),
    ),
  ),
);

let plans: Plans;
beforeAll(async () => {
  plans = await openPlans();
  const { sql } = plans;
  for (const { id, hold_evidence, ...letter } of letters)
    await sql`insert into sends ${sql({
      id,
      kind: 'one_off',
      subject: 's',
      text: 't',
      to_address: 'dana@acme.example',
      to_hash: 'h',
      message_id: `<${id}@desk.example>`,
      hold_evidence: hold_evidence ? json(sql, hold_evidence) : null,
      created_by_kind: 'person',
      created_by_id: 'p',
      created_by_name: 'Ada',
      created_at: BEFORE,
      updated_at: BEFORE,
      ...letter,
    } as never)}`;
});
afterAll(() => plans?.close());

class Undone extends Error {}

/** Does it to all of these letters in one statement, and undoes it. */
async function tryOn(done: Act): Promise<{ moved: string[]; before: Stands[]; later: Stands[] }> {
  const read = (tx: Transaction) => tx<Stands[]>`select * from sends order by id`;
  let found: { moved: string[]; before: Stands[]; later: Stands[] } | null = null;
  const ids = letters.map(({ id }) => id);
  await plans.sql
    .begin(async (tx) => {
      const before = await read(tx);
      const moved = await moveLetters(tx, ids, done, NOW);
      found = { moved, before, later: await read(tx) };
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  if (!found) throw new Error('nothing was tried');
  return found;
}

/** The database makes it of two other columns. */
const own = (row: Record<string, unknown>) => ({ ...row, due_at: null });

test.each(ACTS.map((done) => [JSON.stringify(done), done] as const))(
  'every letter is left as the table says by %s',
  async (_, done) => {
    const { moved, before, later } = await tryOn(done);
    const edge = LETTERS.acts[done.kind];
    const told = givenOf(done);
    const may = before.filter((row) => allows(edge, row, told, NOW)).map(({ id }) => id);
    expect(moved.toSorted()).toEqual(may.toSorted());
    for (const [at, row] of before.entries()) {
      const ruled = may.includes(row.id) ? after(LETTERS, done.kind, row, told, NOW) : row;
      expect(own(later[at] as Stands), `from ${row.state}`).toEqual(own(ruled));
    }
    // The table says it in columns: no act reaches a state that domain.md does not lead to.
    for (const { state, id, approved_at, review_reason, hold_reason } of before) {
      const to = later.find((row) => row.id === id)?.state;
      const leads = LEADS[done.kind][state];
      const plain = approved_at !== null && review_reason === null && hold_reason !== 'letter_on_hold';
      if (leads === undefined) expect(to, `${done.kind} from ${state}`).toBe(state);
      else if (plain && isPlain(done, hold_reason as LetterState['hold_reason']))
        expect(to, `${done.kind} from ${state}`).toBe(leads);
    }
  },
);

/** What an act leads to where neither its own reason nor what holds the letter makes a difference. */
function isPlain(done: Act, held: LetterState['hold_reason']): boolean {
  if (done.kind === 'approve') return done.fingerprint === 'f' && (held === null || APPROVES.includes(held));
  // Of a held one: only where it was to be sent again (the test below).
  if (done.kind === 'went') return held === null;
  // Only where someone had to read it (the test below).
  if (done.kind === 'unapprove') return false;
  if (done.kind === 'queue') return done.review_reason === null;
  if (done.kind === 'change') return done.review_reason !== null && (held === null || !STAYS.includes(held));
  return true;
}
const APPROVES: readonly string[] = ['approval_stale', 'address_changed'];
const STAYS: readonly string[] = ['suppressed', 'address_changed', 'letter_on_hold'];

test('every act of the table is tried, and from every state', () => {
  expect(new Set(ACTS.map(({ kind }) => kind))).toEqual(new Set(Object.keys(LETTERS.acts)));
  expect(new Set(letters.map(({ state }) => state))).toEqual(new Set(STATES));
  const from = Object.entries(LETTERS.acts).map(([act, edge]) => [act, [...edge.from].toSorted()]);
  expect(Object.fromEntries(from)).toEqual(
    Object.fromEntries(Object.entries(LEADS).map(([act, leads]) => [act, Object.keys(leads).toSorted()])),
  );
});

test('a letter that keeps its approval and goes on, and one that no one has read, go to different places', async () => {
  const { later } = await tryOn({ kind: 'did_not_go' });
  const tried = later.filter(({ id }) => letters.find((letter) => letter.id === id)?.state === 'uncertain');
  for (const { state, approved_at, review_reason } of tried)
    expect(state).toBe(review_reason !== null && approved_at === null ? 'review' : 'scheduled');
});

test('an approval is undone only of a letter that someone had to read, and did', async () => {
  const { later } = await tryOn({ kind: 'unapprove' });
  const tried = later.filter(({ id }) => letters.find((letter) => letter.id === id)?.state === 'scheduled');
  expect(new Set(tried.map(({ state }) => state))).toEqual(new Set(['review', 'scheduled']));
  for (const { id, state, review_reason, ...now } of tried) {
    const was = letters.find((letter) => letter.id === id);
    const undone = was?.['approved_at'] !== null && review_reason !== null;
    expect(state).toBe(undone ? 'review' : 'scheduled');
    if (undone) expect(now).toMatchObject({ approved_at: null, approved_fingerprint: null, lease: null });
  }
});

test('a letter on hold has gone only where it was to be sent again', async () => {
  const { before, later } = await tryOn({ kind: 'went' });
  for (const { id, state, hold_reason, resent_at } of before) {
    if (state !== 'held') continue;
    const went = hold_reason === 'letter_on_hold' && resent_at !== null;
    const now = later.find((row) => row.id === id);
    expect(now?.state, String(hold_reason)).toBe(went ? 'sent' : 'held');
    if (went) expect(now).toMatchObject({ hold_reason: null, hold_evidence: null, sent_at: NOW });
  }
});
