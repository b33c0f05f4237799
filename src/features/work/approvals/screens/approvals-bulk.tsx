// Many work items decided at once: exactly the set that was shown. What changed since it was selected is left out, and that is
// said before and after.
import { Button } from '@mantine/core';
import { Check, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { KeyHint } from '../../../../ui/kit/key-hint.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { many } from '../../../../ui/kit/numbers.ts';
import type { QueueSelection } from '../../../../ui/kit/queue-selection.ts';
import type { Approval } from '../contract.ts';
import classes from '../../../../ui/kit/queue.module.css';

const NAMED = 8;

function named(chosen: Approval[]): string {
  const keys = chosen.slice(0, NAMED).map(({ subject }) => subject.key);
  const more = chosen.length - keys.length;
  return `${keys.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

type ApprovalsBulkProps = {
  selection: QueueSelection<Approval>;
  /** These are decided, and can be undone for a moment. */
  approved: (ids: string[]) => void;
};

export function ApprovalsBulk({ selection, approved }: ApprovalsBulkProps) {
  const { chosen, changed } = selection;
  const [left, setLeft] = useState<string | null>(null);
  const ready = chosen.filter((one) => !changed.includes(one));
  const act = useAct('approvals_decide', {
    onSuccess: ({ decided, refused: [no, ...more] }) => {
      selection.clear();
      setLeft(no ? `${many(more.length + 1, 'item')} not approved: ${no.sentence}` : null);
      if (decided.length > 0) approved(decided.map(({ id }) => id));
    },
  });
  const approve = async (): Promise<void> => {
    if (ready.length === 0 || act.isPending) return;
    const items = many(ready.length, 'item');
    const yes = await confirm({ title: `Approve ${items}?`, says: named(ready), act: `Approve ${items}` });
    if (yes)
      act.mutate({
        decision: 'approve',
        approvals: ready.map(({ id, subject }) => ({ id, revision: subject.revision })),
      });
  };
  useKeys([{ keys: 'A', does: 'Approve selected', group: 'Approvals', run: () => void approve() }]);
  const says =
    changed.length > 0 ? `${named(changed)} changed since you selected it and won’t be approved.` : left;
  return (
    <div
      className={classes.bulk}
      {...(chosen.length > 0 && { 'data-on': true, role: 'region', 'aria-label': 'Selected approvals' })}
    >
      {chosen.length === 0 ? (
        <>
          <span>
            <span className={classes.keys}>Press x to select</span>
          </span>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={selection.all}>
            Select all shown
          </Button>
        </>
      ) : (
        <>
          <span>{chosen.length} selected</span>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={selection.clear}>
            Clear
          </Button>
          <ActButton
            decides
            size="compact-sm"
            leftSection={<Check size={14} />}
            rightSection={<KeyHint keys="A" />}
            loading={act.isPending}
            closed={ready.length === 0 ? 'All selected items changed.' : null}
            onClick={() => void approve()}
          >
            Approve {ready.length}
          </ActButton>
        </>
      )}
      {says !== null && (
        <p className={classes.refused} role="alert">
          <TriangleAlert size={14} aria-hidden />
          <span>{says}</span>
        </p>
      )}
    </div>
  );
}
