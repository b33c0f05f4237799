// A run of the fuzzer: all inputs are tried side by side for a given time, and the result is one account.
import { setTimeout as sleep } from 'node:timers/promises';
import { chance } from './chance.ts';
import { openDesk } from './desk.ts';
import { inputs } from './inputs.ts';
import { healthOf, watch, type Watched } from './watcher.ts';

/** No one waits longer for anything but their own request. */
export const MOST_BUSY_MS = 250;
/** How long what is still unread may take when no more comes. */
const SETTLES_MS = 60_000;

const SHOWN_FAULTS = 8;

/** Only one kind of input, to find out what it did. */
const only = process.env['FUZZ_ONLY'];
const tries = Object.entries(inputs).filter(([name]) => only === undefined || name === only);

export type Account = Watched & {
  /** How long the main thread was busy without a pause, in processor time. */
  busiest_ms: number;
  seed: number;
  /** How often each input was tried. */
  tried: Record<string, number>;
  statuses: Record<string, number>;
  /** Inputs that were answered with a fault, or not at all. */
  faults: string[];
  /** Acts that ended in a fault, as the audit log has them. */
  audited: { act: string; count: number }[];
  /** The process ended. */
  ended: boolean;
  /** Mails that are neither read nor put aside. */
  unread: number;
};

/** `pauseMs`: how long each input rests between its inputs; 0 is as fast as they are answered. */
export async function fuzz(forMs: number, seed: number, pauseMs = 0): Promise<Account> {
  await using desk = await openDesk();
  // What is loaded at its first use is loaded.
  for (const [, input] of tries) await input(desk, chance(seed));
  await desk.busiestMs();
  const watcher = watch(healthOf(desk.url));
  const until = performance.now() + forMs;
  const tried: Record<string, number> = {};
  const root = chance(seed);
  const gone = (): boolean => desk.child.exitCode !== null || desk.child.signalCode !== null;
  await Promise.all(
    tries.map(async ([name, input]) => {
      const own = root.fork();
      tried[name] = 0;
      while (performance.now() < until && !gone()) {
        await input(desk, own);
        tried[name] += 1;
        if (pauseMs > 0) await sleep(pauseMs);
      }
    }),
  );
  const waiting = async (): Promise<number> => {
    const [row] = await desk.sql<{ count: number }[]>`
      select count(*)::int as count from inbound_mails where state = 'new'`;
    return row?.count ?? 0;
  };
  const settled = performance.now() + SETTLES_MS;
  while (!gone() && performance.now() < settled && (await waiting()) > 0) await sleep(500);
  const watched = await watcher.stop();
  const busiest_ms = gone() ? Infinity : await desk.busiestMs();
  const audited = await desk.sql<{ act: string; count: number }[]>`
    select act, count(*)::int as count from audit where outcome = 'fault' group by act order by act`;
  return {
    ...watched,
    busiest_ms,
    seed,
    tried,
    statuses: Object.fromEntries(desk.statuses),
    faults: desk.faults.slice(0, SHOWN_FAULTS),
    audited: [...audited],
    ended: gone(),
    unread: await waiting(),
  };
}
