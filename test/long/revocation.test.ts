// A deleted token does nothing more: the whole form, with so many deletions that one missed in a thousand would be seen.
import { expect, test } from 'vitest';
import { revocations } from '../redteam/revocation.ts';

test(
  'C13: 500 tokens are deleted while they work on three processes, and none does anything after',
  {
    timeout: 3_600_000,
  },
  async () => {
    const { before, across, refused, accepted } = await revocations(500);
    expect(accepted).toEqual([]);
    expect(before).toBeGreaterThan(500 * 9);
    expect(across, 'calls were on their way when it was answered').toBeGreaterThan(0);
    expect(refused).toBe(500 * 9 * 4);
  },
);
