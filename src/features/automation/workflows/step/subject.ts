// A run that waits for a person, as approvals see it: a decision is written into the step, and the run continues
// automatically.
import type { Subject } from '../../../work/approvals/subject.ts';
import { decided, holdRunOfStep } from './ask.store.ts';
import { RUNS } from '../run/pass.ts';

export const workflowStep: Subject = {
  kind: 'workflow_step',
  holdStill: holdRunOfStep,
  async settle({ db, caller, now, tell }, { subject }, decision, note) {
    const run_id = await decided(
      db,
      subject.id,
      { decision, note: note ?? null, by: caller.principal.name },
      now,
    );
    tell(RUNS, run_id);
  },
};
