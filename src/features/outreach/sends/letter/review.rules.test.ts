// Owns which letters someone reads before they go (domain.md §1.2).
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Drafted, pickIdentity, type Policy, reviewReason } from './review.rules.ts';

const policy: Policy = {
  review_policy: 'every_letter',
  review_sample: 10,
  sequence_revision: 4,
  review_bound_revision: 4,
  no_human_review_revision: null,
};
const letter: Drafted = {
  prospect_id: '0198c0de-0000-7000-8000-000000000001',
  step_id: '0198c0de-0000-7000-8000-000000000002',
  first_touch: false,
  changed: false,
  before: 100,
  sender_loosened: false,
  campaign_loosened: false,
};

test('every_letter: each one', () => expect(reviewReason(policy, letter)).toBe('every_letter'));

test('first_touch: the first letter of each prospect', () => {
  const first = { ...policy, review_policy: 'first_touch' } as const;
  expect(reviewReason(first, letter)).toBeNull();
  expect(reviewReason(first, { ...letter, first_touch: true })).toBe('first_touch');
});

test('changed: only letters that say other than the template', () => {
  const changed = { ...policy, review_policy: 'changed' } as const;
  expect(reviewReason(changed, letter)).toBeNull();
  expect(reviewReason(changed, { ...letter, changed: true })).toBe('changed');
});

test('sample: the first twenty, then so many in a hundred, the same for one letter always', () => {
  const sample = { ...policy, review_policy: 'sample', review_sample: 30 } as const;
  expect(reviewReason(sample, { ...letter, before: 19 })).toBe('sample');
  const drawn = Array.from({ length: 4000 }, () => ({ ...letter, prospect_id: randomUUID() }));
  const read = drawn.filter((each) => reviewReason(sample, each) !== null);
  expect(read.length).toBeGreaterThan(1000);
  expect(read.length).toBeLessThan(1400);
  for (const each of read) expect(reviewReason(sample, each)).toBe('sample');
  expect(reviewReason({ ...sample, review_sample: 0 }, letter)).toBeNull();
  expect(reviewReason({ ...sample, review_sample: 100 }, letter)).toBe('sample');
});

test('none: no one reads, where someone has confirmed it; a confirmation of other steps holds the letter when it is due', () => {
  const none = { ...policy, review_policy: 'none' } as const;
  expect(reviewReason(none, letter)).toBe('unconfirmed');
  expect(reviewReason({ ...none, no_human_review_revision: 4 }, letter)).toBeNull();
  expect(reviewReason({ ...none, no_human_review_revision: 3 }, letter)).toBeNull();
});

test('every policy but every_letter is bound to the steps and the sender that was when it was set', () => {
  for (const review_policy of ['first_touch', 'changed', 'sample'] as const) {
    expect(reviewReason({ ...policy, review_policy, review_bound_revision: 3 }, letter)).toBe(
      'sequence_changed',
    );
    expect(reviewReason({ ...policy, review_policy, review_bound_revision: null }, letter)).toBe(
      'sequence_changed',
    );
  }
  const none = { ...policy, review_policy: 'none', no_human_review_revision: 4 } as const;
  expect(reviewReason(none, { ...letter, sender_loosened: true })).toBe('sequence_changed');
});

test('an identity of the pool is drawn by weight, the same for one prospect always; an empty pool has none', () => {
  const pool = [
    { identity_id: 'a', weight: 3 },
    { identity_id: 'b', weight: 1 },
  ];
  const drawn = Array.from({ length: 4000 }, () => randomUUID()).map((id) => {
    expect(pickIdentity(pool, id)).toBe(pickIdentity(pool.toReversed(), id));
    return pickIdentity(pool, id);
  });
  const share = drawn.filter((id) => id === 'a').length / drawn.length;
  expect(share).toBeGreaterThan(0.7);
  expect(share).toBeLessThan(0.8);
  expect(pickIdentity([], randomUUID())).toBeNull();
});
