// What the owner of a domain is told to publish.
import { expect, test } from 'vitest';
import type { DomainChecks } from '../../../src/mail/authentication/check.ts';
import { recordsToPublish, type RecordsWanted } from '../../../src/mail/authentication/records.ts';

const WANTED: RecordsWanted = {
  domain: 'example.com',
  dkim: [{ selector: 'd1', key_type: 'rsa', public_key: 'MIIB' }],
  spf: {
    includes: ['spf.vendor.example'],
    hosts: ['mail.example.com'],
    addresses: ['192.0.2.1', '2001:db8::1'],
  },
  dmarc_rua: 'reports@example.com',
  mx_host: 'mx.example.com',
  return_path: { domain: 'bounce.example.com', mx_host: 'mx.example.com' },
  checks: null,
};

test('every record has its name, its value and what it is good for', () => {
  const records = recordsToPublish(WANTED);
  expect(records.map(({ type, name, value }) => [type, name, value])).toEqual([
    [
      'TXT',
      'example.com',
      'v=spf1 include:spf.vendor.example a:mail.example.com ip4:192.0.2.1 ip6:2001:db8::1 ~all',
    ],
    ['TXT', 'd1._domainkey.example.com', 'v=DKIM1; k=rsa; p=MIIB'],
    ['TXT', '_dmarc.example.com', 'v=DMARC1; p=none; rua=mailto:reports@example.com'],
    ['MX', 'example.com', '10 mx.example.com'],
    [
      'TXT',
      'bounce.example.com',
      'v=spf1 include:spf.vendor.example a:mail.example.com ip4:192.0.2.1 ip6:2001:db8::1 ~all',
    ],
    ['MX', 'bounce.example.com', '10 mx.example.com'],
  ]);
  for (const { why } of records) expect(why.length).toBeLessThan(300);
});

test('what the checks found says which already exists', () => {
  const check = {
    outcome: 'passing',
    why: 'ok',
    found: null,
    checked_at: '2026-03-02T10:00:00.000Z',
  } as const;
  const checks: DomainChecks = {
    spf: check,
    dkim: { ...check, outcome: 'failing' },
    dmarc: check,
    mx: check,
    ptr: check,
  };
  const present = (given: RecordsWanted): string[] => recordsToPublish(given).map((each) => each.present);
  expect(present(WANTED)).toEqual(Array<string>(6).fill('unknown'));
  expect(present({ ...WANTED, checks, return_path: null })).toEqual([
    'passing',
    'failing',
    'passing',
    'passing',
  ]);
});

test('what is not wanted is not asked for', () => {
  const records = recordsToPublish({
    ...WANTED,
    dkim: [],
    dmarc_rua: null,
    mx_host: null,
    return_path: null,
  });
  expect(records.map(({ name }) => name)).toEqual(['example.com', '_dmarc.example.com']);
  expect(records[1]?.value).toBe('v=DMARC1; p=none');
});
