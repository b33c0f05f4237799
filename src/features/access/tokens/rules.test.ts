// Covers what may be minted by whom, and of what a mint's arguments may be.
import { expect, test } from 'vitest';
import { nobody, type Caller } from '../../../kernel/caller.ts';
import { parseArguments } from '../../../kernel/parse.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { tokenMint } from './contract.ts';
import { expiryOf, ruleMint } from './rules.ts';

const ADA = '0198c0de-0000-7000-8000-000000000001';
const BEN = '0198c0de-0000-7000-8000-000000000002';

const person = (admin: boolean): Caller => ({
  ...nobody('screen'),
  principal: { kind: 'person', id: ADA, name: 'Ada' },
  credential: { kind: 'session', id: BEN, stepped_up_at: null },
  user_id: ADA,
  rights: { admin, policies: [], projects: null },
});
const bootstrap: Caller = {
  ...person(true),
  principal: { kind: 'service', id: BEN, name: 'bootstrap' },
  credential: { kind: 'provisioning_key' },
  user_id: null,
};

function refusal(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

test('a token is bound to its minter, to the user that is named, or to no one', () => {
  expect(ruleMint({ mode: 'user' }, person(true))).toBe(ADA);
  expect(ruleMint({ mode: 'user', user_id: BEN }, person(true))).toBe(BEN);
  expect(ruleMint({ mode: 'service', policies: ['read-all'] }, person(true))).toBeNull();
  expect(ruleMint({ mode: 'user', user_id: BEN }, bootstrap)).toBe(BEN);
});

test('what contradicts the mode is refused and names its field', () => {
  expect(
    refusal(() => ruleMint({ mode: 'service', user_id: BEN }, person(true))).details?.fields,
  ).toHaveProperty('user_id');
  expect(
    refusal(() => ruleMint({ mode: 'user', policies: ['read-all'] }, person(true))).details?.fields,
  ).toHaveProperty('policies');
  expect(refusal(() => ruleMint({ mode: 'user' }, bootstrap)).details?.fields).toHaveProperty('user_id');
});

test('only an administrator mints, and the provisioning key mints without scopes only', () => {
  expect(refusal(() => ruleMint({ mode: 'service' }, person(false))).status).toBe(403);
  expect(refusal(() => ruleMint({ mode: 'service', scopes: { wire: true } }, bootstrap)).status).toBe(403);
  expect(refusal(() => ruleMint({ mode: 'service', scopes: { scripts: true } }, bootstrap)).status).toBe(403);
  expect(ruleMint({ mode: 'service', scopes: { wire: false } }, bootstrap)).toBeNull();
});

test.each([0, undefined])('C8: expires_in %s never expires', (days) => {
  const asked = parseArguments(tokenMint.takes, {
    name: 'scout',
    mode: 'user',
    ...(days !== undefined && { expires_in: days }),
  });
  expect(expiryOf(asked.expires_in, new Date())).toBeNull();
});

test.each([1, 365])('C8: expires_in %s is that many days', (days) => {
  const now = new Date('2026-03-02T10:00:00Z');
  const asked = parseArguments(tokenMint.takes, { name: 'scout', mode: 'user', expires_in: days });
  expect(expiryOf(asked.expires_in, now)?.getTime()).toBe(now.getTime() + days * 86_400_000);
});

test.each([366, 1.5, -1, '30', 1e9, Number.NaN, null, '', [], true])(
  'C8: expires_in %j is refused in one clear sentence',
  (days) => {
    const refused = refusal(() =>
      parseArguments(tokenMint.takes, { name: 'scout', mode: 'user', expires_in: days }),
    );
    expect(refused.sentence).toBe('expires_in must be whole days, 1 to 365, or 0 for never');
  },
);

test.each([
  'bootstrap',
  'api',
  'Bootstrap',
  'API',
  'api ',
  ' api',
  'ａｐｉ',
  '',
  'a'.repeat(300),
  'a b',
  'a_b',
  'ä',
  'a\n',
])('C7: the name %j is refused', (name) => {
  const refused = refusal(() => parseArguments(tokenMint.takes, { name, mode: 'user' }));
  expect(refused.details?.fields).toHaveProperty('name');
});

test('scopes are two booleans and nothing else', () => {
  for (const scopes of [{ wire: 'true' }, { wire: 1 }, { admin: true }, ['wire'], 'wire'])
    expect(
      refusal(() => parseArguments(tokenMint.takes, { name: 'scout', mode: 'user', scopes })).status,
    ).toBe(400);
});
