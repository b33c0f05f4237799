// Every row of the warden's table at its threshold and just below it, above its floor and just below that.
import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import {
  type CampaignMetrics,
  type Counted,
  ruleGuardrails,
  ruleWarden,
  type Tally,
} from './warden.rules.ts';

const now = new Date('2026-03-02T12:00:00Z');
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const tally = (count: number): Tally => ({
  count,
  samples: Array.from({ length: Math.min(count, 12) }, (_, at) => `s${at}`),
});

const clean: Counted = {
  accepted: 0,
  attempts: 0,
  complaints: tally(0),
  hard: tally(0),
  policy: tally(0),
  recent: { attempts: 0, deferred: tally(0) },
  auth: { failing_since: null, confirmed_at: null, what: [] },
};
const said = (counted: Partial<Counted>): string[] =>
  ruleWarden({ ...clean, ...counted }, now).map(({ reason, level }) => `${level} ${reason}`);

const letters = (count: number) => ({ accepted: count, attempts: count });
const recent = (attempts: number, deferred: number) => ({ recent: { attempts, deferred: tally(deferred) } });

describe('the table', () => {
  const ROWS: [string, Partial<Counted>, string[]][] = [
    ['nothing', letters(5_000), []],
    ['complaints: none', { ...letters(10), complaints: tally(0) }, []],
    ['complaints: one, of however few', { ...letters(1), complaints: tally(1) }, ['warn complaints']],
    ['complaints: one of 999', { ...letters(999), complaints: tally(1) }, ['warn complaints']],
    ['complaints: two of 999', { ...letters(999), complaints: tally(2) }, ['pause complaints']],
    ['complaints: one of 1,000 is 0.10 %', { ...letters(1_000), complaints: tally(1) }, ['pause complaints']],
    [
      'complaints: one of 1,001 is below it',
      { ...letters(1_001), complaints: tally(1) },
      ['warn complaints'],
    ],
    ['complaints: two of 2,001', { ...letters(2_001), complaints: tally(2) }, ['warn complaints']],
    ['hard bounces: all of 49', { ...letters(49), hard: tally(49) }, []],
    ['hard bounces: 1 of 50 is 2 %', { ...letters(50), hard: tally(1) }, []],
    ['hard bounces: 3 of 100 is 3 %', { ...letters(100), hard: tally(3) }, ['warn hard_bounces']],
    ['hard bounces: 29 of 1,000', { ...letters(1_000), hard: tally(29) }, []],
    ['hard bounces: 2 of 50 is 4 %', { ...letters(50), hard: tally(2) }, ['warn hard_bounces']],
    ['hard bounces: 3 of 60 is 5 %', { ...letters(60), hard: tally(3) }, ['pause hard_bounces']],
    ['hard bounces: 3 of 61 is below it', { ...letters(61), hard: tally(3) }, ['warn hard_bounces']],
    ['hard bounces: 5 of 100', { ...letters(100), hard: tally(5) }, ['pause hard_bounces']],
    ['policy: 5 of 19', { ...letters(19), policy: tally(5) }, []],
    ['policy: 1 of 20', { ...letters(20), policy: tally(1) }, []],
    ['policy: 2 of 21', { ...letters(21), policy: tally(2) }, ['warn policy_rejections']],
    ['policy: 2 of 20 is 10 %', { ...letters(20), policy: tally(2) }, ['pause policy_rejections']],
    ['policy: 4 of 1,000', { ...letters(1_000), policy: tally(4) }, ['warn policy_rejections']],
    ['policy: 5 of 1,000', { ...letters(1_000), policy: tally(5) }, ['pause policy_rejections']],
    ['deferrals: all of 19 in two hours', recent(19, 19), []],
    ['deferrals: 3 of 20', recent(20, 3), []],
    ['deferrals: 4 of 20 is 20 %', recent(20, 4), ['warn deferrals']],
    ['deferrals: 9 of 20', recent(20, 9), ['warn deferrals']],
    ['deferrals: 10 of 20 is 50 %', recent(20, 10), ['pause deferrals']],
    [
      'auth: one definite failure',
      { auth: { failing_since: ago(59 * MINUTE_MS), confirmed_at: null, what: ['spf'] } },
      ['warn auth_failing'],
    ],
    [
      'auth: a second one an hour later',
      { auth: { failing_since: ago(HOUR_MS), confirmed_at: now, what: ['spf'] } },
      ['pause auth_failing'],
    ],
    ['auth: nothing but unknown', { auth: { failing_since: null, confirmed_at: null, what: [] } }, []],
    [
      'a pause stands before every warning',
      { ...letters(60), complaints: tally(1), hard: tally(3) },
      ['pause hard_bounces', 'warn complaints'],
    ],
  ];
  test.each(ROWS)('%s', (_, counted, expected) => expect(said(counted)).toEqual(expected));

  test('evidence says how many of how many, what was reached, and at most ten samples', () => {
    const [finding] = ruleWarden({ ...clean, ...letters(60), hard: tally(12) }, now);
    expect(finding).toMatchObject({ sent: 60, count: 12, rate: 0.2, threshold: 0.05 });
    expect(finding?.samples).toHaveLength(10);
  });
});

describe('the limits of a campaign', () => {
  const limits = { bounce_rate: 0.05, complaint_rate: 0.01, reply_rate: 0.02, min_sends: 100 };
  const figures: CampaignMetrics = { letters: 100, bounced: 0, complained: 0, people: 100, replied: 2 };
  const ROWS: [string, Partial<CampaignMetrics>, string | null][] = [
    ['all within them', {}, null],
    ['bounces at the limit', { bounced: 5 }, 'guardrail_bounce'],
    ['bounces below it', { bounced: 4 }, null],
    ['complaints at the limit', { complained: 1 }, 'guardrail_complaint'],
    ['complaints before bounces', { complained: 1, bounced: 50 }, 'guardrail_complaint'],
    ['replies below their floor', { replied: 1 }, 'guardrail_reply'],
    ['too few letters to say anything', { letters: 99, bounced: 99, complained: 99, replied: 0 }, null],
  ];
  test.each(ROWS)('%s', (_, over, reason) =>
    expect(ruleGuardrails({ ...figures, ...over }, limits)).toBe(reason),
  );

  test('what is not limited stops nothing', () => {
    const none = { bounce_rate: null, complaint_rate: null, reply_rate: null, min_sends: 1 };
    expect(ruleGuardrails({ ...figures, bounced: 100, complained: 100, replied: 0 }, none)).toBeNull();
  });
});
