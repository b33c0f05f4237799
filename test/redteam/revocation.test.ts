// A deleted token does nothing more, in a few deletions; the whole form runs at night.
import { expect, test } from 'vitest';
import { revocations } from './revocation.ts';

test('C13: no call that began after a deletion was answered is let in, on any of three processes under load', async () => {
  const { before, refused, accepted } = await revocations(6);
  expect(accepted).toEqual([]);
  expect(before, 'it was under load').toBeGreaterThan(6 * 9);
  expect(refused).toBe(6 * 9 * 4);
});
