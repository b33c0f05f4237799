// A deleted token does nothing more: the whole form, with many deletions.
import { expect, test } from 'vitest';
import { revocations } from '../redteam/revocation.ts';

test(
  'C13: 200 tokens are deleted while they work on three processes, and none does anything after',
  {
    timeout: 3_600_000,
  },
  async () => {
    const { before, across, refused, accepted } = await revocations(200);
    expect(accepted).toEqual([]);
    expect(before).toBeGreaterThan(200 * 9);
    expect(across, 'calls were on their way when it was answered').toBeGreaterThan(0);
    expect(refused).toBe(200 * 9 * 4);
  },
);
