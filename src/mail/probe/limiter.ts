// At most one probe per mail host at a time, and at most one started per second: a host that is asked faster takes us
// for an address harvester, and would be right.
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS, type Clock } from '../../kernel/clock.ts';

/** Runs what it is given in the order of asking, host by host. Whatever `probe` does, the next in line has its turn. */
export type ProbeLimiter = { run<Found>(host: string, probe: () => Promise<Found>): Promise<Found> };

type Line = { last: Promise<unknown>; waiting: number; begun: number };

export function openLimiter(
  clock: Clock,
  wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms),
): ProbeLimiter {
  const lines = new Map<string, Line>();

  /** Hosts that no one waits for and whose second is over are forgotten, so that the map does not grow for ever. */
  function forget(): void {
    const now = clock.now().getTime();
    for (const [host, line] of lines)
      if (line.waiting === 0 && now - line.begun >= SECOND_MS) lines.delete(host);
  }

  return {
    run(host, probe) {
      forget();
      const line = lines.get(host) ?? { last: Promise.resolve(), waiting: 0, begun: -Infinity };
      lines.set(host, line);
      line.waiting += 1;
      const turn = line.last.then(async () => {
        try {
          const pauseMs = line.begun + SECOND_MS - clock.now().getTime();
          if (pauseMs > 0) await wait(pauseMs);
          line.begun = clock.now().getTime();
          return await probe();
        } finally {
          line.waiting -= 1;
        }
      });
      line.last = turn.catch(() => undefined);
      return turn;
    },
  };
}
