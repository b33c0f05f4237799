// Undo after approving work items: for ten seconds, and only by whoever approved them.
import { useAct } from '../../../../ui/client/hooks.ts';
import { tellRefused } from '../../../../ui/client/toast.ts';
import { staleAfter } from '../../../../ui/client/topics.ts';
import { tellUndo } from '../../../../ui/kit/undo-toast.tsx';

/** `undone` is given the approval that waits now, once the queue has it. */
export function useUndoApproval(
  undone?: (approval: string) => void,
): (says: string, approvals: string[]) => void {
  const act = useAct('approvals_undo', {
    onSuccess: ({ undone: [first], refused: [no] }) => {
      if (no) tellRefused(no.sentence);
      if (first) void staleAfter('approvals_undo').then(() => undone?.(first.approval));
    },
  });
  return (says, approvals) => tellUndo(says, () => act.mutate({ approvals }));
}
