// The gates of a letter, each shut alone: the reason, its order, and what an answer skips.
import { describe, expect, test } from 'vitest';
import { evidenceOf, type TroubleKind } from '../../identities/trouble/trouble.rules.ts';
import type { LetterFacts } from './facts.rules.ts';
import { allGates, gates } from './gates.rules.ts';
import { HOLDS, HOLD_REASONS, WAITS } from '../letter/reasons.rules.ts';

const NOW = new Date('2026-03-02T10:00:00.000Z');
const soon = new Date('2026-03-02T10:07:00.000Z');

const open: LetterFacts = {
  kind: 'sequence',
  suppression: null,
  copy_suppression: null,
  prospect: { ended: null, hold: null },
  campaign: {
    state: 'active',
    paused_reason: null,
    timezone: 'Europe/Berlin',
    starts_on: null,
    ends_on: null,
    daily_cap: 100,
    started_today: 0,
    new_per_day: 10,
    new_today: 0,
    require_basis: true,
    verification_policy: 'not_undeliverable',
    has_postal_address: true,
    eased: [],
  },
  review: { needed: true, approval: 'standing', confirmation: 'none' },
  letter: {
    subject: 'Your bridge',
    text: 'Dear Ada',
    same_thread: false,
    being_remade: false,
    unresolved: [],
    unsafe_header: false,
    too_large: false,
    has_unsubscribe: true,
    first_touch: true,
    on_hold: null,
  },
  person: { basis: 'legitimate_interest', source: 'fair', duplicate: false, frequency_free_at: null },
  address: { verdict: 'DELIVERABLE', verifying: false, unsupported: false, readdressed: false },
  identity: {
    gone: false,
    active: true,
    trouble: null,
    transport: 'smtp',
    timezone: 'Europe/Berlin',
    allowance: 5,
    allowance_by: 'ramp',
    started_today: 0,
    hourly_cap: 8,
    started_hour: 0,
    hour_free_at: null,
    next_slot_at: null,
  },
  domain: { state: 'active', unauthenticated: false, check_pending: false, allowance: 120, started_today: 0 },
  schedules: [
    {
      timezone: 'Europe/Berlin',
      windows: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }],
      blackout: [],
    },
  ],
  transport: { wait: null },
  backoff: null,
  instance: { sending: true, development: false, reachable: true, is_present: true },
};

const trouble = (kind: TroubleKind) =>
  evidenceOf({ kind, code: 553, enhanced: '5.7.1', words: 'not yours', expired_at: null }, new Date(0));

type Change = { [K in keyof LetterFacts]?: Partial<LetterFacts[K] & object> | LetterFacts[K] };
const facts = (change: Change): LetterFacts => {
  const laid = Object.entries(change).map(([key, value]) => {
    const before = open[key as keyof LetterFacts];
    const both =
      typeof value === 'object' && value !== null && !Array.isArray(value) && typeof before === 'object';
    return [key, both ? { ...before, ...value } : value];
  });
  return { ...open, ...Object.fromEntries(laid) } as LetterFacts;
};
const outcome = (change: Change): string => {
  const found = gates(facts(change), NOW);
  if (!found) return 'pass';
  const { gate, stop } = found;
  const [kind] = Object.keys(stop) as ['hold' | 'defer' | 'cancel'];
  return `${gate}: ${kind} ${(stop as Record<string, string>)[kind]}`;
};

test('a letter with every gate open leaves', () => expect(outcome({})).toBe('pass'));

describe('each gate, shut alone, says so', () => {
  const suppression = { reason: 'unsubscribe', since: NOW, via: 'address', wrote_since: false } as const;
  test.each<[string, Change]>([
    ['suppressed: hold suppressed', { suppression }],
    ['prospect: cancel replied', { prospect: { ended: 'replied' } }],
    [
      'prospect_hold: hold prospect_on_hold',
      { prospect: { hold: { by: 'person', reason: 'asked', until: null } } },
    ],
    ['prospect_hold: hold letter_on_hold', { letter: { on_hold: { note: 'wait for the fair' } } }],
    [
      'prospect_hold: defer out_of_office',
      { prospect: { hold: { by: 'away', reason: 'away', until: soon } } },
    ],
    ['campaign: defer campaign_paused', { campaign: { state: 'paused', paused_reason: 'person' } }],
    [
      'campaign: hold campaign_not_active',
      { campaign: { state: 'paused', paused_reason: 'guardrail_bounce' } },
    ],
    ['campaign: hold campaign_eased', { campaign: { eased: ['daily_cap'] } }],
    ['campaign: cancel campaign_archived', { campaign: { state: 'archived' } }],
    ['review: hold approval_stale', { review: { approval: 'stale' } }],
    ['review: hold approval_stale', { review: { approval: 'none' } }],
    ['review: hold review_confirmation_stale', { review: { approval: 'none', confirmation: 'stale' } }],
    ['letter: defer other_address', { instance: { is_present: false } }],
    ['letter: defer being_remade', { letter: { being_remade: true } }],
    ['letter: hold unresolved_variable', { letter: { unresolved: ['company'] } }],
    ['letter: hold empty_letter', { letter: { text: ' \n' } }],
    ['letter: hold unsafe_header', { letter: { unsafe_header: true } }],
    ['letter: hold letter_too_large', { letter: { too_large: true } }],
    ['lawful: hold missing_unsubscribe', { letter: { has_unsubscribe: false } }],
    ['lawful: hold missing_postal_address', { campaign: { has_postal_address: false } }],
    ['lawful: hold no_basis', { person: { basis: 'none' } }],
    ['lawful: hold no_basis', { person: { source: null } }],
    ['address: hold address_undeliverable', { address: { verdict: 'UNDELIVERABLE' } }],
    [
      'address: hold address_changed',
      { address: { readdressed: true }, review: { approval: 'none', needed: false } },
    ],
    ['address: hold address_unsupported', { address: { unsupported: true } }],
    [
      'address: hold address_risky',
      { address: { verdict: 'RISKY' }, campaign: { verification_policy: 'deliverable_only' } },
    ],
    [
      'address: hold address_unknown',
      { address: { verdict: null }, campaign: { verification_policy: 'deliverable_only' } },
    ],
    [
      'address: defer verifying',
      { address: { verdict: null, verifying: true }, campaign: { verification_policy: 'deliverable_only' } },
    ],
    ['person_load: hold duplicate_in_campaign', { person: { duplicate: true } }],
    ['person_load: defer frequency_cap', { person: { frequency_free_at: soon } }],
    ['identity: hold no_identity', { identity: null }],
    ['identity: hold identity_gone', { identity: { gone: true } }],
    ['identity: hold identity_credentials', { identity: { trouble: trouble('credentials') } }],
    ['identity: hold identity_inactive', { identity: { active: false } }],
    ['identity: defer ramp', { identity: { started_today: 5 } }],
    ['identity: defer identity_cap', { identity: { started_hour: 8, hour_free_at: soon } }],
    ['identity: defer min_gap', { identity: { next_slot_at: soon } }],
    ['domain: hold domain_paused', { domain: { state: 'paused' } }],
    ['domain: hold domain_unverified', { domain: { state: 'unverified' } }],
    ['domain: hold domain_unauthenticated', { domain: { unauthenticated: true } }],
    ['domain: defer auth_check_pending', { domain: { check_pending: true } }],
    ['domain: defer domain_cap', { domain: { started_today: 120 } }],
    ['campaign_volume: defer campaign_cap', { campaign: { started_today: 100 } }],
    ['campaign_volume: defer new_per_day', { campaign: { new_today: 10 } }],
    ['clock: hold window_never_opens', { schedules: [{ timezone: 'UTC', windows: [], blackout: [] }] }],
    ['clock: hold past_end_date', { campaign: { ends_on: '2026-03-01' } }],
    ['clock: defer outside_window', { campaign: { starts_on: '2026-03-09' } }],
    ['clock: defer blackout', { schedules: [{ ...open.schedules[0]!, blackout: ['2026-03-02'] }] }],
    ['transport: hold transport_refused', { identity: { trouble: trouble('sender_refused') } }],
    ['transport: defer greylisted', { transport: { wait: { why: 'greylisted', until: soon } } }],
    ['instance: hold sending_disabled', { instance: { sending: false } }],
    ['instance: hold base_url_local', { instance: { reachable: false } }],
    ['instance: hold development_mode', { instance: { development: true } }],
  ])('%s', (expected, change) => expect(outcome(change)).toBe(expected));
});

test('a single letter outside any campaign needs a basis as every other', () =>
  expect(outcome({ kind: 'one_off', prospect: null, campaign: null, person: { basis: 'none' } })).toBe(
    'lawful: hold no_basis',
  ));

test('every reason to hold has a sentence, a next step and who can take it', () => {
  for (const { says, fix, who } of [...Object.values(HOLDS), ...Object.values(WAITS)]) {
    expect(says.length + fix.length).toBeLessThan(300);
    expect(['person', 'operator', 'time']).toContain(who);
  }
  expect(HOLD_REASONS).toHaveLength(33);
});

test('the first gate that is shut decides, and all of them can be listed', () => {
  const shut: Change = { identity: null, domain: { state: 'paused' }, instance: { sending: false } };
  expect(outcome(shut)).toBe('identity: hold no_identity');
  const all = allGates(facts(shut), NOW);
  expect(all.map(({ gate }) => gate)).toHaveLength(15);
  expect(all.filter(({ stop }) => stop).map(({ gate }) => gate)).toEqual(['identity', 'domain', 'instance']);
});

test('an answer skips gates 2, 3, 4, 5, 9, 12 and 13', () => {
  const skipped = allGates(facts({ kind: 'answer' }), NOW).filter((verdict) => verdict.skipped);
  expect(skipped.map(({ gate }) => gate)).toEqual([
    'prospect',
    'prospect_hold',
    'campaign',
    'review',
    'person_load',
    'campaign_volume',
    'clock',
  ]);
  expect(outcome({ kind: 'answer', domain: { state: 'paused' } })).toBe('pass');
});

describe('an answer to someone who is suppressed', () => {
  const suppression = { since: NOW, via: 'address' } as const;
  test('goes where they unsubscribed and wrote since', () =>
    expect(
      outcome({ kind: 'answer', suppression: { ...suppression, reason: 'unsubscribe', wrote_since: true } }),
    ).toBe('pass'));
  test('holds where they complained, whatever they wrote since', () =>
    expect(
      outcome({ kind: 'answer', suppression: { ...suppression, reason: 'complaint', wrote_since: true } }),
    ).toBe('suppressed: hold suppressed'));
  test('holds where whoever gets a copy is suppressed, who has written nothing', () => {
    const copy_suppression = { ...suppression, reason: 'unsubscribe' };
    const wrote = { ...suppression, reason: 'unsubscribe', wrote_since: true };
    expect(outcome({ kind: 'answer', copy_suppression })).toBe('suppressed: hold suppressed');
    expect(outcome({ kind: 'answer', suppression: wrote, copy_suppression })).toBe(
      'suppressed: hold suppressed',
    );
  });
});

test('an answer that no one sent, or whose sender lost that right, does not go', () => {
  for (const approval of ['none', 'stale'] as const)
    expect(outcome({ kind: 'answer', review: { needed: true, approval, confirmation: 'none' } })).toBe(
      'letter: hold approval_stale',
    );
});

test('a deferral always has a time, and it is later than now', () => {
  for (const change of [
    { prospect: { hold: { by: 'away', reason: 'away', until: soon } } },
    { campaign: { state: 'paused', paused_reason: 'person' } },
    { identity: { started_today: 5 } },
    { identity: { started_hour: 8 } },
    { domain: { started_today: 120 } },
    { campaign: { started_today: 100 } },
    { campaign: { starts_on: '2026-03-09' } },
  ] as Change[]) {
    const stop = gates(facts(change), NOW)?.stop;
    expect(stop && 'until' in stop && stop.until.getTime()).toBeGreaterThan(NOW.getTime());
  }
});
