// Workflows that paused themselves, and runs that are held until a person does something, one row for each workflow and reason.
import type { ReadContext } from '../../../kernel/context.ts';
import { short } from '../digests/section.ts';
import { PAUSED } from '../../automation/workflows/budget/budget.rules.ts';
import type { Hold } from '../../automation/workflows/run/machine.rules.ts';
import { many, row } from './section.ts';
import { runsHeld, workflowsPaused } from './store.ts';

const FIX: Record<Hold, string> = {
  wire_required:
    'The wire scope is missing. Someone with wire activates the workflow again and retries them.',
  scripts_required:
    'The scripts scope is missing. Someone with scripts activates the workflow again and retries them.',
  changed:
    'What the workflow names was changed after it was activated. Someone with wire reads it, activates the workflow again and retries them.',
  budget:
    'The workflow used up its budget. Someone raises it in Settings → Workflows or waits, activates the workflow again and retries them.',
};

export async function heldRuns({ db, caller }: ReadContext) {
  const found = await runsHeld(db, caller);
  const rows = found.map(({ workflow_id, name, held, count, since }) =>
    row({
      key: `runs:${workflow_id}:${held}`,
      id: workflow_id,
      title: short(name),
      says: `${many(count, 'run is', 'runs are')} held. ${FIX[held]}`,
      since: since.toISOString(),
      place: `/workflows/${workflow_id}?view=runs`,
    }),
  );
  const paused = await workflowsPaused(db, caller);
  const stopped = paused.map(({ id, name, paused_why, paused_at }) =>
    row({
      key: `workflow:${id}`,
      id,
      title: short(name),
      says: `Paused automatically: ${PAUSED[paused_why]}.`,
      since: paused_at.toISOString(),
      place: `/workflows/${id}`,
    }),
  );
  return { rows: [...stopped, ...rows] };
}
