// When a pass counts as late or failing, and what a person is shown about it.

export const PASS_STATES = ['well', 'failing', 'late', 'never_ran'] as const;
export type PassState = (typeof PASS_STATES)[number];

/** It may be busy with one batch for as long as a lease lasts, and reports how it went every fifteen seconds at most. */
const PATIENCE_MS = 90_000;
const ROUNDS_MISSED = 3;

type Run = { every_ms: number; ran_at: Date; well_at: Date | null; fault_at: Date | null };

export function passState(run: Run | null, now: Date): PassState {
  if (run === null) return 'never_ran';
  if (now.getTime() - run.ran_at.getTime() > ROUNDS_MISSED * run.every_ms + PATIENCE_MS) return 'late';
  if (run.fault_at && (!run.well_at || run.well_at < run.fault_at)) return 'failing';
  return 'well';
}

export const STATE_WORDS: Record<PassState, string> = {
  well: 'Healthy',
  failing: 'Failing',
  late: 'Late',
  never_ran: 'Not yet run',
};

/** What is to be done where passes are not well; null where they are. */
export function advice(passes: readonly { name: string; state: PassState }[]): string | null {
  const by = (state: PassState): string[] =>
    passes.filter((pass) => pass.state === state).map(({ name }) => name);
  const [late, failing, never] = [by('late'), by('failing'), by('never_ran')];
  if (passes.length > 0 && late.length + never.length === passes.length)
    return 'No process is running background jobs, so letters, events and email are waiting. Start a worker, or start Dunnock without --role web.';
  if (failing.length > 0)
    return `Failing: ${failing.join(', ')}. For the cause, check the log of the process that runs them.`;
  if (late.length > 0) return `Late: ${late.join(', ')}. A worker may be stuck, or the database may be slow.`;
  return null;
}
