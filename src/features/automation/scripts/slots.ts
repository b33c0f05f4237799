// Slots for scripts that run at the same time in this process, since each may take a whole core. Waiting scripts get
// the next free slot in the order they came.

/** Scripts at once. */
export const AT_ONCE = 4;

let taken = 0;
const waiting: ((got: boolean) => void)[] = [];

/** False: none became free in that time. */
export async function takeSlot(wait_ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (taken < AT_ONCE) {
    taken += 1;
    return true;
  }
  if (wait_ms === 0 || signal?.aborted) return false;
  return new Promise((resolve) => {
    const settle = (got: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      const at = waiting.indexOf(settle);
      if (at >= 0) waiting.splice(at, 1);
      resolve(got);
    };
    const giveUp = (): void => settle(false);
    const timer = setTimeout(giveUp, wait_ms);
    signal?.addEventListener('abort', giveUp);
    waiting.push(settle);
  });
}

export function freeSlot(): void {
  const next = waiting[0];
  if (next) next(true);
  else taken -= 1;
}
