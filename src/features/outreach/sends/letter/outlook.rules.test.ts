// Owns the answer to "why is this not going": every letter in every state and under any facts has a time or a reason, and a
// time is never one at which its hours are closed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openAt } from '../../../../mail/timing/windows.rules.ts';
import type { LetterFacts } from '../gates/facts.rules.ts';
import { OVERDUE_MS, outlookOf } from './outlook.rules.ts';
import { HOLD_REASONS, WAIT_REASONS } from './reasons.rules.ts';
import type { LetterState } from './send.rules.ts';
import { UNMOVED } from './columns.rules.ts';
import { STATES } from './transitions.rules.ts';

const NOW = new Date('2026-03-02T10:00:00.000Z');
const later = fc.option(
  fc.integer({ min: -5_000, max: 1_000_000 }).map((s) => new Date(NOW.getTime() + s * 1000)),
  { nil: null },
);
const count = fc.integer({ min: 0, max: 3 });

const anyLetter: fc.Arbitrary<LetterState> = fc
  .record({
    state: fc.constantFrom(...STATES),
    scheduled_for: fc.oneof(later, fc.constant(new Date(NOW.getTime() - 60_000))),
    not_before: later,
    reason: fc.constantFrom(...HOLD_REASONS),
  })
  .map(({ state, reason, ...times }) => ({
    ...UNMOVED,
    ...times,
    fingerprint: 'f',
    state,
    ...(state === 'held' && { hold_reason: reason, hold_evidence: {}, held_at: NOW }),
  }));

const windows = fc.array(
  fc.record({
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    from: fc.constantFrom('00:00', '08:30', '10:00'),
    to: fc.constantFrom('10:30', '17:00', '24:00'),
  }),
  { maxLength: 2 },
);

const anyFacts: fc.Arbitrary<LetterFacts> = fc.record({
  kind: fc.constantFrom('sequence', 'answer', 'one_off'),
  suppression: fc.option(
    fc.record({
      reason: fc.constant('manual'),
      since: fc.constant(NOW),
      via: fc.constant('address' as const),
      wrote_since: fc.boolean(),
    }),
    { nil: null, freq: 8 },
  ),
  copy_suppression: fc.constant(null),
  prospect: fc.option(
    fc.record({
      ended: fc.option(fc.constant('replied'), { nil: null, freq: 8 }),
      hold: fc.option(fc.record({ by: fc.constant('away'), reason: fc.constant('away'), until: later }), {
        nil: null,
      }),
    }),
    { nil: null },
  ),
  campaign: fc.option(
    fc.record({
      state: fc.constantFrom('draft', 'active', 'active', 'active', 'paused', 'finished', 'archived'),
      paused_reason: fc.constantFrom(null, 'person', 'guardrail_bounce'),
      timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Auckland'),
      starts_on: fc.constantFrom(null, '2026-03-20'),
      ends_on: fc.constantFrom(null, '2026-03-25'),
      daily_cap: fc.option(count, { nil: null }),
      started_today: count,
      new_per_day: fc.option(count, { nil: null }),
      new_today: count,
      require_basis: fc.boolean(),
      verification_policy: fc.constantFrom('any', 'not_undeliverable', 'deliverable_only'),
      has_postal_address: fc.constantFrom(true, true, true, false),
      eased: fc.constantFrom<string[][]>([], [], ['daily_cap']),
    }),
    { nil: null },
  ),
  review: fc.record({
    needed: fc.boolean(),
    approval: fc.constantFrom('none', 'standing', 'standing', 'stale'),
    confirmation: fc.constantFrom('none', 'standing', 'stale'),
  }),
  letter: fc.record({
    subject: fc.constant('s'),
    text: fc.constantFrom('t', 't', ''),
    same_thread: fc.boolean(),
    being_remade: fc.constant(false),
    unresolved: fc.constant([]),
    unsafe_header: fc.constant(false),
    too_large: fc.constant(false),
    has_unsubscribe: fc.constantFrom(true, true, false),
    first_touch: fc.boolean(),
    on_hold: fc.constant(null),
  }),
  person: fc.option(
    fc.record({
      basis: fc.constant('customer'),
      source: fc.constant('fair'),
      duplicate: fc.constantFrom(false, false, true),
      frequency_free_at: later,
    }),
    { nil: null },
  ),
  address: fc.record({
    verdict: fc.constantFrom('DELIVERABLE', 'RISKY', 'UNKNOWN', null),
    verifying: fc.boolean(),
    unsupported: fc.constant(false),
    readdressed: fc.boolean(),
  }),
  identity: fc.option(
    fc.record({
      gone: fc.constant(false),
      active: fc.constantFrom(true, true, false),
      trouble: fc.constantFrom(null, null, {
        trouble: 'sender_refused' as const,
        since: NOW.toISOString(),
        code: 553,
        enhanced: null,
        server_said: 'no',
        expired_at: null,
      }),
      transport: fc.constantFrom('smtp', 'sandbox'),
      timezone: fc.constantFrom('UTC', 'America/New_York'),
      allowance: count,
      allowance_by: fc.constantFrom('ramp', 'identity_cap'),
      started_today: count,
      hourly_cap: count,
      started_hour: count,
      hour_free_at: later,
      next_slot_at: later,
    }),
    { nil: null, freq: 10 },
  ),
  domain: fc.option(
    fc.record({
      state: fc.constantFrom('active', 'active', 'active', 'paused'),
      unauthenticated: fc.constant(false),
      check_pending: fc.boolean(),
      allowance: count,
      started_today: count,
    }),
    { nil: null },
  ),
  schedules: fc.array(
    fc.record({
      timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
      windows,
      blackout: fc.constantFrom([], ['2026-03-03']),
    }),
    { maxLength: 2 },
  ),
  transport: fc.record({
    wait: fc.option(
      later.filter((at) => at !== null).map((until) => ({ why: 'greylisted' as const, until })),
      { nil: null },
    ),
  }),
  backoff: fc.option(
    fc.record({
      asleep: fc.option(
        fc.record({
          why: fc.constantFrom(...WAIT_REASONS),
          until: later.filter((at) => at !== null),
        }),
        { nil: null },
      ),
      down: fc.option(
        fc.record({
          until: later.filter((at) => at !== null),
          cause: fc.constantFrom(null, 'timeout', 'nonsense'),
          since: fc.constant(null),
        }),
        { nil: null },
      ),
      busy: fc.boolean(),
      in_hand_until: later,
      looked_at: later,
    }),
    { nil: null },
  ),
  instance: fc.record({
    reachable: fc.boolean(),
    is_present: fc.constant(true),
    sending: fc.constantFrom(true, true, true, false),
    development: fc.constantFrom(false, false, true),
  }),
});

test('every letter at every moment has a time or a reason, and both only where it is due and waits', () => {
  let overdue = 0;
  fc.assert(
    fc.property(anyLetter, anyFacts, (letter, facts) => {
      const { goes_at, why_not, gates } = outlookOf(letter, facts, NOW);
      expect(goes_at !== null || why_not !== null).toBe(true);
      const { state, scheduled_for } = letter;
      const late = scheduled_for !== null && NOW.getTime() - scheduled_for.getTime() > OVERDUE_MS;
      if (state === 'scheduled' && late) {
        overdue += 1;
        expect(why_not).not.toBeNull();
      } else expect((goes_at === null) !== (why_not === null)).toBe(true);
      expect(gates).toHaveLength(15);
      if (why_not) {
        expect(why_not.reason.length * why_not.sentence.length * why_not.fix.length).toBeGreaterThan(0);
        expect(`${why_not.sentence} ${why_not.fix}`.length).toBeLessThan(300);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(overdue).toBeGreaterThan(20);
});

test('the time is not before it is due, and one at which the hours are open', () => {
  let times = 0;
  fc.assert(
    fc.property(anyLetter, anyFacts, (letter, facts) => {
      const { goes_at } = outlookOf({ ...letter, state: 'scheduled', hold_reason: null }, facts, NOW);
      if (!goes_at) return;
      times += 1;
      for (const due of [NOW, letter.scheduled_for, letter.not_before])
        if (due) expect(goes_at.getTime()).toBeGreaterThanOrEqual(due.getTime());
      if (facts.kind !== 'answer') expect(openAt(goes_at, facts.schedules)).toBe(true);
    }),
    { numRuns: 9_000 },
  );
  expect(times).toBeGreaterThan(5);
});

test('a day that is used up opens again in the hours of the next one, not at its midnight', () => {
  const [facts] = fc.sample(anyFacts, { numRuns: 1, seed: 1 });
  if (!facts) throw new Error('no sample');
  const used: LetterFacts = {
    ...facts,
    kind: 'sequence',
    suppression: null,
    copy_suppression: null,
    prospect: null,
    campaign: null,
    review: { needed: true, approval: 'standing', confirmation: 'none' },
    letter: { ...facts.letter, text: 't', has_unsubscribe: true },
    person: null,
    address: { verdict: 'DELIVERABLE', verifying: false, unsupported: false, readdressed: false },
    domain: null,
    schedules: [
      { timezone: 'UTC', windows: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }], blackout: [] },
    ],
    transport: { wait: null },
    backoff: null,
    instance: { sending: true, development: false, reachable: true, is_present: true },
    identity: {
      gone: false,
      active: true,
      trouble: null,
      transport: 'sandbox',
      timezone: 'UTC',
      allowance: 5,
      allowance_by: 'ramp',
      started_today: 5,
      hourly_cap: 8,
      started_hour: 0,
      hour_free_at: null,
      next_slot_at: null,
    },
  };
  const letter: LetterState = { ...UNMOVED, fingerprint: 'f', state: 'scheduled', scheduled_for: NOW };
  expect(outlookOf(letter, used, NOW)).toMatchObject({
    goes_at: new Date('2026-03-03T09:00:00.000Z'),
    why_not: null,
  });
});
