// Which identities have their hands full, by slot.
import { expect, test } from 'vitest';
import { fullSlots, slotOf } from './slot.rules.ts';

const A = '0190a000-0000-7000-8000-000000000001';
const B = '0190a000-0000-7000-8000-000000000002';

test('names identities alone, also while letters of no one are in hand', () => {
  const hands = new Map([
    [slotOf(A, 'sequence'), 1],
    [slotOf(A, 'answer'), 1],
    [slotOf(B, 'one_off'), 2],
    [slotOf(null, 'sequence'), 8],
    [slotOf(null, 'answer'), 1],
  ]);
  expect(fullSlots(hands)).toEqual({ answering: [A], full: [B], begun: [A, B] });
});
