// How fast mail hosts are asked, on a clock that the test moves.
import { expect, test } from 'vitest';
import { after, SECOND_MS } from '../../../src/kernel/clock.ts';
import { openLimiter, type ProbeLimiter } from '../../../src/mail/probe/limiter.ts';

function limited(): { limiter: ProbeLimiter; elapsedMs: () => number; pass: (ms: number) => void } {
  const start = new Date('2026-03-02T10:00:00Z');
  let now = start;
  const pass = (ms: number): void => void (now = after(now, ms));
  const limiter = openLimiter({ now: () => now }, async (ms) => pass(ms));
  return { limiter, elapsedMs: () => now.getTime() - start.getTime(), pass };
}

test('a host is asked by one at a time, and at most once a second', async () => {
  const { limiter, elapsedMs } = limited();
  const begun: number[] = [];
  let [inside, most] = [0, 0];
  const probe = async (): Promise<void> => {
    begun.push(elapsedMs());
    most = Math.max(most, (inside += 1));
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 4 }, () => limiter.run('mx.example', probe)));
  expect(most).toBe(1);
  expect(begun).toEqual([0, SECOND_MS, 2 * SECOND_MS, 3 * SECOND_MS]);
});

test('a probe that took its second already is followed at once', async () => {
  const { limiter, elapsedMs, pass } = limited();
  await limiter.run('mx.example', async () => pass(3 * SECOND_MS));
  await limiter.run('mx.example', async () => undefined);
  expect(elapsedMs()).toBe(3 * SECOND_MS);
});

test('hosts do not wait for each other', async () => {
  const { limiter } = limited();
  let release = (): void => undefined;
  const held = limiter.run('slow.example', () => new Promise<void>((resolve) => void (release = resolve)));
  expect(await limiter.run('quick.example', async () => 'asked')).toBe('asked');
  release();
  await held;
});

test('a probe that fails hands its failure to who asked, and the turn to the next', async () => {
  const { limiter } = limited();
  const failed = limiter.run('mx.example', async () => {
    throw new Error('broken');
  });
  const next = limiter.run('mx.example', async () => 'asked');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('asked');
});
