// Owns the state machine of a letter as a rule: over any acts in any order nothing leaves an end, an approval never outlives
// the letter it was given for, and no row comes about that the database would refuse.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Principal } from '../../../../kernel/caller.ts';
import { Refusal } from '../../../../kernel/refusal.ts';
import { HOLD_REASONS, WAIT_REASONS } from './reasons.rules.ts';
import { type Act, isNewHold, type LetterState, REVIEW_REASONS, ruleSend } from './send.rules.ts';
import { UNMOVED } from './columns.rules.ts';

const NOW = new Date('2026-03-02T10:00:00.000Z');
const ADA: Principal = { kind: 'person', id: 'ada', name: 'Ada' };
const fresh: LetterState = { ...UNMOVED, fingerprint: 'f0', scheduled_for: NOW };

const print = fc.constantFrom('f0', 'f1', 'f2');
const when = fc.integer({ min: 1, max: 1_000_000 }).map((s) => new Date(NOW.getTime() + s * 1000));
const review = fc.option(fc.constantFrom(...REVIEW_REASONS), { nil: null });
const anAct: fc.Arbitrary<Act> = fc.oneof(
  review.map((review_reason) => ({ kind: 'queue' as const, review_reason })),
  print.map((fingerprint) => ({ kind: 'approve' as const, by: ADA, token: null, fingerprint })),
  fc.constant({ kind: 'return' as const, note: 'again' }),
  fc.constant({ kind: 'reject' as const }),
  fc.record({ kind: fc.constant('change' as const), fingerprint: print, review_reason: review }),
  fc.record({ kind: fc.constant('wait' as const), why: fc.constantFrom(...WAIT_REASONS), until: when }),
  fc.record({
    kind: fc.constant('put_off' as const),
    why: fc.constantFrom(...WAIT_REASONS),
    until: when,
    tries: fc.constantFrom(0 as const, 1 as const),
  }),
  fc.record({
    kind: fc.constantFrom('hold' as const, 'kept_back' as const),
    reason: fc.constantFrom(...HOLD_REASONS),
    evidence: fc.constant({}),
    recheck_at: fc.option(when, { nil: null }),
  }),
  fc.record({
    kind: fc.constant('release' as const),
    wait: fc.option(fc.record({ why: fc.constantFrom(...WAIT_REASONS), until: when }), { nil: null }),
  }),
  fc.record({
    kind: fc.constantFrom('cancel' as const, 'called_off' as const),
    reason: fc.constant('replied'),
  }),
  fc.constant({ kind: 'start' as const, via: 'smtp', until: NOW }),
  fc.constant({ kind: 'give_back' as const }),
  fc.constant({ kind: 'accepted' as const }),
  fc.constant({ kind: 'failed' as const, reason: 'mailbox', delivery: 'hard' as const }),
  fc.constant({ kind: 'lost' as const }),
  fc.constant({ kind: 'again' as const }),
  fc.constant({ kind: 'unapprove' as const }),
  fc.constantFrom({ kind: 'went' as const }, { kind: 'did_not_go' as const }),
);

/** What migrations/0001_baseline.sql asks of every row, in its words. */
function faults(it: LetterState): string[] {
  const faulty: [string, boolean][] = [
    [
      'an approval is for the fingerprint that stands',
      it.approved_fingerprint !== null && it.approved_fingerprint !== it.fingerprint,
    ],
    ['held has a reason', (it.state === 'held') !== (it.hold_reason !== null && it.held_at !== null)],
    ['cancelled has a reason', (it.state === 'cancelled') !== (it.cancel_reason !== null)],
    ['failed has a reason', (it.state === 'failed') !== (it.failed_reason !== null)],
    ['what went began', ['sending', 'sent', 'uncertain'].includes(it.state) && it.sending_at === null],
    ['sent has a time', (it.state === 'sent') !== (it.sent_at !== null)],
    [
      'only what went has a delivery',
      it.delivery !== null && !['sent', 'failed', 'uncertain'].includes(it.state),
    ],
    ['scheduled is due', it.state === 'scheduled' && it.scheduled_for === null],
    ['only what waits waits', it.waiting_for !== null && it.state !== 'scheduled' && it.state !== 'sending'],
    [
      'nothing is held that was told of nothing',
      it.hold_reason !== null && !it.hold_told.includes(it.hold_reason),
    ],
    [
      'what is to be read was read',
      it.state === 'scheduled' && it.review_reason !== null && it.approved_at === null,
    ],
  ];
  return faulty.flatMap(([says, wrong]) => (wrong ? [says] : []));
}

const ENDS = ['sent', 'cancelled'];

/** What the next hop said late of a letter that was given up as lost. */
const REPLIES = ['accepted', 'put_off', 'give_back', 'failed', 'kept_back', 'called_off'];

/** Runs acts; `seen` is called with every step that was allowed. */
function run(acts: Act[], seen: (before: LetterState, act: Act, after: LetterState) => void): void {
  let letter = fresh;
  for (const act of acts) {
    const after = ruleSend(letter, act, NOW);
    if (after instanceof Refusal) {
      expect(after.sentence.length).toBeLessThan(300);
      continue;
    }
    seen(letter, act, after);
    letter = after;
  }
}

const acts = fc.array(anAct, { maxLength: 40 });

describe('whatever is done to a letter, in whatever order', () => {
  test('no path leaves sent or cancelled, and a failed letter goes again where someone says so', () => {
    fc.assert(
      fc.property(acts, (all) =>
        run(all, (before, act) => {
          expect(ENDS).not.toContain(before.state);
          if (before.state === 'failed') expect(act.kind).toBe('again');
        }),
      ),
      { numRuns: 2_000 },
    );
  });

  test('no row comes about that the database refuses, and none is on its way unread', () => {
    fc.assert(
      fc.property(acts, (all) => run(all, (_before, _act, after) => expect(faults(after)).toEqual([]))),
      { numRuns: 2_000 },
    );
  });

  test('an edit voids the approval, and only an approval makes one', () => {
    fc.assert(
      fc.property(acts, (all) =>
        run(all, (before, act, after) => {
          if (act.kind === 'change') expect(after.approved_at).toBeNull();
          if (after.approved_at !== null && after.approved_at !== before.approved_at)
            expect(act.kind).toBe('approve');
        }),
      ),
      { numRuns: 2_000 },
    );
  });

  test('being held and let go keeps the approval of a letter that is unchanged', () => {
    fc.assert(
      fc.property(acts, (all) =>
        run(all, (before, act, after) => {
          if (act.kind !== 'hold' && act.kind !== 'release') return;
          expect(after.approved_fingerprint).toEqual(before.approved_fingerprint);
          if (act.kind === 'release' && before.approved_at) expect(after.state).toBe('scheduled');
        }),
      ),
      { numRuns: 2_000 },
    );
  });

  test('what was sent or may have been is started by nothing but its own putting off or a person', () => {
    fc.assert(
      fc.property(acts, (all) =>
        run(all, (before, act, after) => {
          if (before.state === 'sending' && after.state === 'scheduled')
            expect(['put_off', 'give_back']).toContain(act.kind);
          if (before.state === 'uncertain') expect([...REPLIES, 'went', 'did_not_go']).toContain(act.kind);
          if (after.state === 'sending') expect(before.state).toBe('scheduled');
        }),
      ),
      { numRuns: 2_000 },
    );
  });

  test('the world is told of a reason to hold once until the letter is not held any more', () => {
    fc.assert(
      fc.property(acts, (all) => {
        let told: string[] = [];
        run(all, (before, _act, after) => {
          if (after.state !== 'held') told = [];
          if (!isNewHold(before, after) || after.hold_reason === null) return;
          expect(told).not.toContain(after.hold_reason);
          told.push(after.hold_reason);
        });
      }),
      { numRuns: 2_000 },
    );
  });
});

test('an approval with another fingerprint than the letter has is refused, and says which it has', () => {
  const read = { ...fresh, state: 'review' as const, review_reason: 'every_letter' as const };
  const refused = ruleSend(read, { kind: 'approve', by: ADA, token: null, fingerprint: 'old' }, NOW);
  expect(refused).toMatchObject({ status: 409, details: { fingerprint: 'f0' } });
});
