// How long the process answers no one while something is done: the longest wait of its loop, as every other caller feels it.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { TestApp } from './app.ts';

/** What no one may be made to wait for one text, on a machine that does other things as well. */
export const HELD_AT_MOST_MS = 1_000;

/** Does it, asking for `/healthz` all the while; gives what came of it and the longest that nothing else was done. */
export async function held<Made>(
  app: TestApp,
  act: () => Promise<Made>,
): Promise<{ made: Made; held_ms: number }> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  const over = new AbortController();
  delay.enable();
  const asking = (async () => {
    let longest_ms = 0;
    while (!over.signal.aborted) {
      const from = performance.now();
      await (await fetch(`${app.url}/healthz`)).arrayBuffer();
      longest_ms = Math.max(longest_ms, performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return longest_ms;
  })();
  const made = await act().finally(() => over.abort());
  const longest_ms = await asking;
  delay.disable();
  return { made, held_ms: Math.max(longest_ms, delay.max / 1e6) };
}
