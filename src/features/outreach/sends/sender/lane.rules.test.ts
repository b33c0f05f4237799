// Which identities have their hands full, by lane.
import { expect, test } from 'vitest';
import { fullLanes, laneOf } from './lane.rules.ts';

const A = '0190a000-0000-7000-8000-000000000001';
const B = '0190a000-0000-7000-8000-000000000002';

test('names identities alone, also while letters of nobody are in hand', () => {
  const hands = new Map([
    [laneOf(A, 'sequence'), 1],
    [laneOf(A, 'answer'), 1],
    [laneOf(B, 'one_off'), 2],
    [laneOf(null, 'sequence'), 8],
    [laneOf(null, 'answer'), 1],
  ]);
  expect(fullLanes(hands)).toEqual({ answering: [A], full: [B], begun: [A, B] });
});
