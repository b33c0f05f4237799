// Runs the passes of the app: each has one loop in this process, woken by change notifications or a timer, and
// stopped in order. Any number of processes may share one database; batch leases keep them apart.
import type { App } from '../kernel/app.ts';
import { openLoop } from './loop.ts';
import { openHolder } from './holder.ts';
import { openLedger } from './ledger.ts';

export type Jobs = {
  /** Runs a pass until nothing is due, or a round of a watch, whether or not it wakes on its own; gives how many were claimed. */
  run(name: string): Promise<number>;
  close(): Promise<void>;
};

/** How long rows that are being worked on may still take when the process ends; then they are cut off and given back. */
const GRACE_MS = 2_000;

/** Said on the change notification when the listening connection was lost for a while: anything may have been missed. */
const EVERYTHING = 'everything';

/** `when_told`: passes run by `run` alone; for tests and programs that move the clock. */
export function openJobs(app: App, wakes: 'by_themselves' | 'when_told'): Jobs {
  const stopping = new AbortController();
  const cut = new AbortController();
  const loops = app.passes.map((pass) =>
    openLoop(app, pass, openLedger(app, pass, wakes), stopping.signal, cut.signal),
  );
  const holders = app.watches.map((watch) => openHolder(app, watch, openLedger(app, watch, wakes)));
  const timers =
    wakes === 'by_themselves'
      ? [
          ...loops.map((loop) => setInterval(loop.wake, loop.pass.every_ms)),
          ...holders.map((holder) => setInterval(holder.wake, holder.watch.every_ms)),
        ]
      : [];

  const hear = async (): Promise<void> => {
    for await (const { topic } of app.changeFeed.follow(stopping.signal)) {
      const concerns = (topics: readonly string[]) => topic === EVERYTHING || topics.includes(topic);
      if (wakes === 'by_themselves')
        for (const holder of holders) if (concerns(holder.watch.wakes_on)) holder.wake();
      for (const loop of loops) {
        if (concerns(loop.pass.interrupted_by)) loop.interrupt();
        if (wakes === 'by_themselves' && concerns(loop.pass.wakes_on)) loop.wake();
      }
    }
  };
  void hear();
  if (wakes === 'by_themselves') for (const each of [...loops, ...holders]) each.wake();

  return {
    async run(name) {
      const found =
        loops.find(({ pass }) => pass.name === name) ?? holders.find(({ watch }) => watch.name === name);
      if (!found) throw new Error(`no feature states a pass called ${name}`);
      return found.run();
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      const grace = setTimeout(() => cut.abort(), GRACE_MS);
      await Promise.all([...loops.map((loop) => loop.ended()), ...holders.map((holder) => holder.close())]);
      clearTimeout(grace);
    },
  };
}
