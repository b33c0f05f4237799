// The verdict over rungs: the table of the specification, and what must hold for whatever the rungs say.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  keepsForMs,
  RUNGS,
  verdictOf,
  type Rung,
  type RungName,
  type RungOutcome,
} from '../../../src/mail/probe/verdict.rules.ts';

const GOOD: Record<RungName, string> = {
  syntax: 'pass ok',
  suppression: 'pass not_suppressed',
  domain: 'pass exists',
  mx: 'pass mx',
  role_or_disposable: 'pass neither',
  connect: 'pass greeting',
  rcpt: 'pass accepted',
  catch_all: 'pass random_refused',
  history: 'skipped no_history',
};

const ladder = (changed: Partial<Record<RungName, string>>): Rung[] =>
  RUNGS.map((rung) => {
    const [outcome = '', ...evidence] = (changed[rung] ?? GOOD[rung]).split(' ');
    return { rung, outcome: outcome as RungOutcome, evidence: evidence.join(' '), ms: 0 };
  });

describe('the table', () => {
  test.each<[string, string, Partial<Record<RungName, string>>]>([
    ['DELIVERABLE', 'accepted', {}],
    ['DELIVERABLE', 'accepted', { suppression: 'fail suppressed' }],
    ['DELIVERABLE', 'history', { history: 'pass replied', connect: 'skipped x', rcpt: 'skipped x' }],
    ['DELIVERABLE', 'history', { history: 'pass replied', connect: 'unknown network_unreachable' }],
    ['DELIVERABLE', 'history', { history: 'pass delivered', catch_all: 'fail catch_all' }],
    ['UNDELIVERABLE', 'syntax', { syntax: 'fail no_at' }],
    ['UNDELIVERABLE', 'domain_absent', { domain: 'fail nxdomain' }],
    ['UNDELIVERABLE', 'no_mail_host', { mx: 'fail null_mx' }],
    ['UNDELIVERABLE', 'mailbox_absent', { rcpt: 'fail mailbox_absent 550_5.1.1' }],
    ['UNDELIVERABLE', 'hard_bounced', { history: 'fail hard_bounced' }],
    ['UNDELIVERABLE', 'mailbox_absent', { rcpt: 'fail mailbox_absent 550', role_or_disposable: 'fail role' }],
    ['RISKY', 'role', { role_or_disposable: 'fail role' }],
    ['RISKY', 'disposable', { role_or_disposable: 'fail disposable' }],
    ['RISKY', 'role', { role_or_disposable: 'fail role', history: 'pass replied' }],
    ['RISKY', 'role', { role_or_disposable: 'fail role', rcpt: 'unknown policy_refused 550' }],
    ['RISKY', 'catch_all', { catch_all: 'fail catch_all 250' }],
    ['RISKY', 'mailbox_full', { rcpt: 'unknown mailbox_full 452_4.2.2', catch_all: 'skipped x' }],
    ['UNKNOWN', 'dns_unavailable', { domain: 'unknown dns_unavailable timeout' }],
    ['UNKNOWN', 'dns_unavailable', { mx: 'unknown dns_unavailable servfail', history: 'pass replied' }],
    ['UNKNOWN', 'network_unreachable', { connect: 'unknown network_unreachable refused' }],
    [
      'UNKNOWN',
      'network_unreachable',
      { connect: 'unknown network_unreachable', role_or_disposable: 'fail role' },
    ],
    ['UNKNOWN', 'not_asked', { connect: 'skipped not_asked' }],
    ['UNKNOWN', 'greylisted', { rcpt: 'unknown greylisted 451' }],
    ['UNKNOWN', 'policy_refused', { rcpt: 'unknown policy_refused 550_5.7.1' }],
    ['UNKNOWN', 'tls_broken', { rcpt: 'unknown tls_broken' }],
    ['UNKNOWN', 'unclear', { rcpt: 'unknown unclear 550' }],
    ['UNKNOWN', 'greylisted', { catch_all: 'unknown greylisted 450' }],
    ['UNKNOWN', 'policy_refused', { catch_all: 'unknown policy_refused 550_5.7.1' }],
    ['UNKNOWN', 'unclear', { catch_all: 'skipped not_reached' }],
  ])('%s: %s %j', (verdict, reason, changed) =>
    expect(verdictOf(ladder(changed))).toEqual({ verdict, reason }),
  );
});

const anyLadder = fc
  .tuple(
    ...RUNGS.map((rung) =>
      fc.record({
        rung: fc.constant(rung),
        outcome: fc.constantFrom<RungOutcome>('pass', 'fail', 'unknown', 'skipped'),
        evidence: fc.constantFrom(
          'greylisted 451',
          'role',
          'disposable',
          'mailbox_full',
          'policy_refused',
          'x',
        ),
        ms: fc.nat(),
      }),
    ),
  )
  .chain((rungs) => fc.subarray(rungs as Rung[]));

const outcomeOf = (rungs: Rung[], name: RungName): RungOutcome | undefined =>
  rungs.find(({ rung }) => rung === name)?.outcome;

describe('whatever the rungs say', () => {
  const holds = (says: string, law: (rungs: Rung[], verdict: string) => boolean): void =>
    test(says, () =>
      fc.assert(
        fc.property(anyLadder, (rungs) => law(rungs, verdictOf(rungs).verdict)),
        { numRuns: 3_000 },
      ),
    );

  const NOES = ['syntax', 'domain', 'mx', 'rcpt', 'history'] as const;
  holds('it is UNDELIVERABLE exactly when rung 1, 3, 4, 7 or 9 fails', (rungs, verdict) => {
    const failed = NOES.some((name) => outcomeOf(rungs, name) === 'fail');
    return failed === (verdict === 'UNDELIVERABLE');
  });

  holds(
    'DELIVERABLE needs rungs 1, 3 and 4, and history or both of 7 and 8, and neither role nor disposable',
    (rungs, verdict) => {
      if (verdict !== 'DELIVERABLE') return true;
      const passed = (name: RungName): boolean => outcomeOf(rungs, name) === 'pass';
      return (
        passed('syntax') &&
        passed('domain') &&
        passed('mx') &&
        outcomeOf(rungs, 'role_or_disposable') !== 'fail' &&
        (passed('history') || (passed('connect') && passed('rcpt') && passed('catch_all')))
      );
    },
  );

  test('an unknown in place of any outcome never makes a no', () => {
    fc.assert(
      fc.property(anyLadder, fc.constantFrom(...RUNGS), (rungs, name) => {
        const blurred = rungs.map((each) =>
          each.rung === name ? { ...each, outcome: 'unknown' as const } : each,
        );
        if (verdictOf(blurred).verdict === 'UNDELIVERABLE')
          expect(verdictOf(rungs).verdict).toBe('UNDELIVERABLE');
      }),
      { numRuns: 3_000 },
    );
  });

  holds('rung 2 decides nothing', (rungs, verdict) => {
    const without = rungs.filter(({ rung }) => rung !== 'suppression');
    return verdictOf(without).verdict === verdict;
  });
});

test('an unknown is kept for six hours, what is known for thirty days', () => {
  expect(keepsForMs('UNKNOWN')).toBe(6 * 3_600_000);
  for (const verdict of ['DELIVERABLE', 'UNDELIVERABLE', 'RISKY'] as const)
    expect(keepsForMs(verdict)).toBe(30 * 86_400_000);
});
