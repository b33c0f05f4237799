// What a code alone says, what words say that name no cause, and which of two codes is believed.
import { describe, expect, test } from 'vitest';
import { judge } from '../../../src/mail/reports/judge.ts';
import type { Evidence } from '../../../src/mail/reports/judge.ts';

const refused = (diagnostic: string, more: Partial<Evidence> = {}): string =>
  judge({ action: 'failed', stated: '5.0.0', diagnostic, prose: '', filed: null, stage: 'rcpt', ...more })
    .kind;

describe('words that name no cause', () => {
  test.each([
    ['hard', '5.1.1', 'rcpt', '550 5.1.1 Nee'],
    ['hard', '5.0.0', null, ''],
    ['hard', '5.0.0', null, '550 <ada@example.org>'],
    ['soft', '5.0.0', 'rcpt', '550 Nee'],
    ['soft', '5.0.0', null, '550 Nee'],
    ['policy', '5.0.0', 'data', '550 Nee'],
    ['policy', '5.0.0', 'mail', '550 Nee'],
    ['policy', '5.0.0', 'connect', '554 Nee'],
    ['policy', '5.0.0', 'rcpt', '550 Nee, 192.0.2.7'],
    ['policy', '5.0.0', 'rcpt', '550 Nee: https://help.example/7'],
    ['soft', null, null, '550 Nee'],
  ] as const)('are %s under %s, refused at %s: %j', (kind, stated, stage, diagnostic) => {
    expect(refused(diagnostic, { stated, stage })).toBe(kind);
  });
});

describe('a code speaks of its subject (RFC 3463), also where no one registered it', () => {
  test.each([
    ['soft', '5.3.9'],
    ['soft', '5.4.318'],
    ['soft', '5.5.2'],
    ['policy', '5.6.19'],
    ['policy', '5.7.999'],
    ['hard', '5.1.351'],
    ['policy', '5.1.7'],
    ['policy', '5.1.8'],
  ])('%s: %s', (kind, stated) => {
    expect(refused('', { stated, stage: null })).toBe(kind);
  });

  test("an address that is bad under a code for senders is the sender's", () => {
    expect(refused('550 5.1.7 Invalid address', { stated: '5.1.7' })).toBe('policy');
    expect(refused('550 5.1.1 Invalid address', { stated: '5.1.1' })).toBe('hard');
  });
});

describe('what the receiver called temporary is soft', () => {
  test.each([
    ['5.0.0', '450 <ada@example.org>: unknown user'],
    ['5.1.1', '450 4.2.1 <ada@example.org>: unknown user'],
    ['4.0.0', '550 <ada@example.org>: unknown user'],
  ])('also when the reporter gave up under %s: %s', (stated, diagnostic) => {
    expect(refused(diagnostic, { stated })).toBe('soft');
  });
});

test('a domain that a receiver does not find is hardly its own', () => {
  expect(refused('550 unknown domain')).toBe('policy');
  expect(refused('550 unknown domain of the recipient')).toBe('hard');
  expect(refused('550 5.1.2 unknown domain', { stated: '5.1.2' })).toBe('hard');
  expect(refused('unknown domain', { stage: null })).toBe('hard');
});
