// Half a minute of random and mutated mail, forms, templates, tables, scripts and calls: the process answers throughout. The
// same for an hour is test/long/fuzz.test.ts; every run draws another seed.
import { expect, test } from 'vitest';
import { fuzz } from '../fuzz/run.ts';

/**
 * Processor time of one turn of the event loop, beside other tests that crowd the caches. What this finds holds a thread up for
 * seconds; the 250 ms of a machine of its own are held by test/long/fuzz.test.ts.
 */
const MOST_BUSY_MS = 1_000;
const FOR_MS = Number(process.env['FUZZ_MS'] ?? (process.env['TEST_LONG'] === '1' ? 60_000 : 12_000));

test('random and mutated input ends no process, causes no fault and holds no one up', async () => {
  const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 32);
  const account = await fuzz(FOR_MS, seed);
  process.stdout.write(`${JSON.stringify(account, null, 2)}\n`);
  expect(account).toMatchObject({ ended: false, faults: [], audited: [], refused: 0, unread: 0 });
  expect(account.busiest_ms).toBeLessThan(MOST_BUSY_MS);
});
