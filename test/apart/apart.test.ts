// What is done beside the process: under a deadline, in two threads, one hostile job beside everyone else's.
import { expect, test } from 'vitest';
import { apart, Crowded, Overran } from '../../src/apart/apart.ts';
import type { Spin } from './spin.job.ts';

const spin = apart<Spin, string>(new URL('./spin.job.ts', import.meta.url));
const FOREVER_MS = 3_600_000;

test('a job that does not end is ended at its deadline, and the thread after it does the next', async () => {
  const from = performance.now();
  await expect(spin({ for_ms: FOREVER_MS }, 200)).rejects.toBeInstanceOf(Overran);
  expect(performance.now() - from).toBeLessThan(30_000);
  expect(await spin({ for_ms: 1 }, 2_000)).toBe('done');
});

test('beside a job that does not end everyone else’s are done', async () => {
  const hostile = spin({ for_ms: FOREVER_MS }, 1_500).catch((error: unknown) => error);
  const others = Array.from({ length: 10 }, (_, at) => spin({ for_ms: 1, gives: `${at}` }, 2_000));
  const first = await Promise.race([hostile, Promise.all(others)]);
  expect(first).toEqual(Array.from({ length: 10 }, (_, at) => `${at}`));
  expect(await hostile).toBeInstanceOf(Overran);
});

test('a job that outgrows the memory of its thread ends nothing but its thread', async () => {
  await expect(spin({ for_ms: FOREVER_MS, fills: true }, 60_000)).rejects.toBeInstanceOf(Overran);
  expect(await spin({ for_ms: 1 }, 2_000)).toBe('done');
});

test('a fault of a job is a fault of whoever asked, and the thread goes on', async () => {
  await expect(spin({ for_ms: 1, gives: 'fault' }, 2_000)).rejects.toThrow('a fault of the job');
  expect(await spin({ for_ms: 1 }, 2_000)).toBe('done');
});

test('more than may wait is turned away at once', async () => {
  const asked = Array.from({ length: 60 }, () => spin({ for_ms: 1 }, 2_000).catch((error: unknown) => error));
  const answers = await Promise.all(asked);
  expect(answers.filter((each) => each instanceof Crowded).length).toBe(26);
});
