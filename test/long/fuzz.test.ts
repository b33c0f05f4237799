// An hour of what test/security/fuzz.test.ts does in half a minute, by the watch on the wall: asked every 50 ms, the slowest answer
// of /healthz takes at most 250 ms longer than that of a server that does nothing.
import { expect, test } from 'vitest';
import { fuzz, MOST_BUSY_MS } from '../fuzz/run.ts';

/** On a machine that is shared, what comes in leaves others room. */
const PAUSE_MS = Number(process.env['FUZZ_PAUSE_MS'] ?? 0);
const FOR_MS = Number(process.env['FUZZ_LONG_MS'] ?? 3_600_000);

test(
  'an hour of random and mutated input ends no process, causes no fault and holds no one up for 250 ms',
  { timeout: FOR_MS + 600_000 },
  async () => {
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 32);
    const account = await fuzz(FOR_MS, seed, PAUSE_MS);
    process.stdout.write(`${JSON.stringify(account, null, 2)}\n`);
    expect(account).toMatchObject({ ended: false, faults: [], audited: [], refused: 0, unread: 0 });
    expect(account.busiest_ms).toBeLessThan(MOST_BUSY_MS);
    expect(account.slowest_ms).toBeLessThan(MOST_BUSY_MS);
  },
);
