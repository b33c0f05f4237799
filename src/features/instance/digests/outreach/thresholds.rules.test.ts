// That a digest names the thresholds the warden really goes by.
import { expect, test } from 'vitest';
import { type Counted, ruleWarden } from '../../../outreach/warden/warden.rules.ts';
import { COMPLAINTS, HARD, limitsOf, POLICY } from './thresholds.rules.ts';

const none = { count: 0, samples: [] };
const levelOf = (counted: Partial<Counted>): string | undefined =>
  ruleWarden(
    {
      accepted: 0,
      attempts: 0,
      complaints: none,
      hard: none,
      policy: none,
      recent: { attempts: 0, deferred: none },
      auth: { failing_since: null, confirmed_at: null, what: [] },
      ...counted,
    },
    new Date('2026-03-02T10:00:00Z'),
  )[0]?.level;
const tally = (count: number) => ({ count, samples: [] });

test('the warden warns and pauses at what a digest names, and not before', () => {
  const hard = (count: number, attempts: number) => levelOf({ attempts, hard: tally(count) });
  expect([hard(29, 1000), hard(1000 * HARD.warn, 1000)]).toEqual([undefined, 'warn']);
  expect([hard(49, 1000), hard(1000 * HARD.pause, 1000)]).toEqual(['warn', 'pause']);
  expect([hard(HARD.floor - 1, HARD.floor - 1), hard(HARD.at_least, HARD.floor)]).toEqual([
    undefined,
    'pause',
  ]);
  const policy = (count: number, attempts: number) => levelOf({ attempts, policy: tally(count) });
  expect([policy(1, 1000), policy(POLICY.warn, 1000)]).toEqual([undefined, 'warn']);
  expect([policy(4, 1000), policy(POLICY.pause, 1000)]).toEqual(['warn', 'pause']);
  expect([policy(4, POLICY.floor - 1), policy(POLICY.floor * POLICY.share, POLICY.floor)]).toEqual([
    undefined,
    'pause',
  ]);
  const complaints = (count: number, accepted: number) => levelOf({ accepted, complaints: tally(count) });
  expect([complaints(COMPLAINTS.warn, 999), complaints(COMPLAINTS.pause, 999)]).toEqual(['warn', 'pause']);
  expect([complaints(9, 10_000), complaints(10_000 * COMPLAINTS.share, 10_000)]).toEqual(['warn', 'pause']);
});

test('a rate is of all letters of the window, and of none where there are none', () => {
  const window = { start: '2026-03-01T00:00:00Z', end: '2026-03-08T00:00:00Z' };
  const rates = { sent: 200, hard: 6, soft: 0, policy: 0, complaints: 1, window };
  expect(limitsOf({ rates }).map(({ reason, rate }) => [reason, rate])).toEqual([
    ['hard_bounces', 0.03],
    ['complaints', 0.005],
    ['policy_rejections', 0],
  ]);
  expect(limitsOf({ rates: { ...rates, sent: 0, hard: 0, complaints: 0 } })[0]?.rate).toBeNull();
});
