// Unsaved edits of a workflow, kept when the saved version changes meanwhile.
import { useState } from 'react';
import type { ApiError } from '../../../../../ui/client/call.ts';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { useLeaveGuard } from '../../../../../ui/kit/leave.ts';
import type { Workflow } from '../../contract.ts';
import {
  asDraft,
  type WorkflowDraft,
  type Faults,
  faultsIn,
  isSame,
  NO_FAULTS,
  stillFaulty,
} from './draft.rules.ts';

export type Editing = {
  draft: WorkflowDraft;
  change: (next: WorkflowDraft) => void;
  dirty: boolean;
  faults: Faults;
  refused: ApiError | null;
  open: ReadonlySet<string>;
  setOpen: (next: Set<string>) => void;
  /** What someone else saved meanwhile; null where no one did. */
  theirs: Workflow | null;
  takeTheirs: () => void;
  keepMine: () => void;
  discard: () => void;
  save: () => void;
  saving: boolean;
};

/** `now`: as the product has it; null: it is new, and begins as `start` says. */
export function useEditing(
  now: Workflow | null,
  start: WorkflowDraft,
  saved: (workflow: Workflow) => void,
): Editing {
  const [read, setRead] = useState(now);
  const [draft, setDraft] = useState(now ? asDraft(now) : start);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const dirty = read === null || !isSame(asDraft(read), draft);

  const clear = (): void => {
    setRefused(null);
    setFaults(NO_FAULTS);
  };
  const take = (workflow: Workflow): void => {
    setRead(workflow);
    setDraft(asDraft(workflow));
    clear();
  };
  const newer = now !== null && read !== null && now.revision > read.revision;
  const differs = newer && !isSame(asDraft(now), asDraft(read));
  // Nothing typed is at stake, or only its state changed: what is there now is simply taken.
  if (newer && !dirty) take(now);
  else if (newer && !differs) setRead(now);

  const refuse = (error: ApiError): void => {
    if (error.code === 'given_up') return;
    const found = faultsIn(error.fields, draft.steps);
    setRefused(error);
    setFaults(found);
    setOpen(new Set([...open, ...found.steps.keys()]));
  };
  const settled = ({ workflow }: { workflow: Workflow }): void => {
    setRead(workflow);
    clear();
    saved(workflow);
  };
  const create = useAct('workflow_create', {
    quiet: true,
    says: 'Draft saved. Activate it to run it.',
    onSuccess: settled,
    onError: refuse,
  });
  const update = useAct('workflow_update', {
    quiet: true,
    says: ({ workflow }) =>
      workflow.state === 'active' && workflow.active_version !== workflow.version
        ? 'Saved. The active version runs until you activate this one.'
        : 'Workflow saved.',
    onSuccess: settled,
    onError: refuse,
  });
  const saving = create.isPending || update.isPending;

  useLeaveGuard(dirty && !(read === null && isSame(draft, start)));

  return {
    draft,
    change: (next) => {
      setFaults(stillFaulty(faults, draft, next));
      setDraft(next);
    },
    dirty,
    faults,
    refused,
    open,
    setOpen,
    theirs: differs ? now : null,
    takeTheirs: () => now && take(now),
    keepMine: () => setRead(now),
    discard: () => {
      if (read) take(read);
      else {
        setDraft(start);
        clear();
      }
    },
    save: () => {
      if (saving) return;
      setRefused(null);
      if (read) update.mutate({ workflow: read.id, revision: read.revision, ...draft });
      else create.mutate(draft);
    },
    saving,
  };
}
