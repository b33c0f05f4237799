// What one process learned about a pass since it last reported: saved periodically, and at once after a failure, so
// that the Health page shows the passes of every process. Nothing is saved when passes run through `run` alone.
import { SECOND_MS, after } from '../kernel/clock.ts';
import type { App } from '../kernel/app.ts';

/** Twenty passes of a quiet instance cost little more than a statement a second. */
const TELL_EVERY_MS = 15 * SECOND_MS;

export type Ledger = { note(claimed: number, fault: { error: unknown } | null): Promise<void> };

export function openLedger(
  { database, clock, log }: App,
  { name, every_ms }: { name: string; every_ms: number },
  wakes: 'by_themselves' | 'when_told',
): Ledger {
  let claimed = 0;
  let tellAt = clock.now();
  return {
    async note(more, fault) {
      if (wakes === 'when_told') return;
      claimed += more;
      const at = clock.now();
      if (fault === null && at < tellAt) return;
      tellAt = after(at, TELL_EVERY_MS);
      const told = claimed;
      claimed = 0;
      await database
        .heard({ name, every_ms, at, claimed: told, fault: fault && classOf(fault.error) })
        .catch((err: unknown) => log.warn({ err, pass: name }, 'how a pass went could not be kept'));
    },
  };
}

/** Never its text, in which there may be someone's address. */
function classOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return (
    typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? `${error.name} ${code}` : error.name
  ).slice(0, 100);
}
