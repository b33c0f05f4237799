// Actions on many conversations: the selected ones, or all that match the filter.
import { Button } from '@mantine/core';
import { Archive } from 'lucide-react';
import { useState } from 'react';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { ChosenCount, howMany, sureOfAll, type Chosen } from '../../../../../ui/shell/runs-chosen.tsx';
import type { Thread } from '../../contract.ts';
import { AssignMenu, LabelMenu, SnoozeMenu } from '../conversation/act-menus.tsx';
import { UNDONE_MOST, type ThreadActs } from '../conversation/use-acts.ts';
import classes from './bulk.module.css';

type BulkBarProps = {
  chosen: Chosen<Thread>;
  known: number | null;
  acts: ThreadActs;
  pickShown: () => void;
};

/** The same acts, on whatever is chosen; on more than can be seen after a question. */
const onChosen = (chosen: Chosen<Thread>, acts: ThreadActs): ThreadActs => {
  const sure = (act: string): Promise<boolean> =>
    sureOfAll(chosen, {
      title: `${act}: ${howMany(chosen, ['conversation', 'conversations'])}?`,
      ...(chosen.picked.length > UNDONE_MOST && {
        says: 'You can’t undo an action on this many conversations.',
      }),
      act,
    });
  return {
    ...acts,
    settle: async (_, to) => {
      if (!(await sure('snoozed_until' in to ? 'Snooze' : 'Close'))) return;
      chosen.clear();
      await acts.settle(chosen.picked, to);
    },
    change: async (_, change, says, title) => {
      if (await sure(title)) await acts.change(chosen.picked, change, says, title);
    },
  };
};

export function BulkBar({ chosen, known, acts, pickShown }: BulkBarProps) {
  const [menu, setMenu] = useState<'assign' | 'snooze' | 'label' | null>(null);
  const { picked, clear } = chosen;
  const here = onChosen(chosen, acts);
  const shows = (which: typeof menu) => ({
    threads: picked,
    acts: here,
    size: 'compact-xs' as const,
    opened: menu === which,
    onChange: (opened: boolean) => setMenu(opened ? which : null),
  });
  const close = (): void => void here.settle(picked, { state: 'closed' });
  const group = 'Selected conversations';
  useKeys([
    { keys: 'e', does: 'Close', group, run: close },
    { keys: 's', does: 'Snooze', group, run: () => setMenu('snooze') },
    { keys: 'a', does: 'Assign', group, run: () => setMenu('assign') },
    { keys: 't', does: 'Add or remove labels', group, run: () => setMenu('label') },
    { keys: 'Escape', does: 'Clear selection', group, run: clear },
  ]);
  return (
    <div className={classes.bulk} role="region" aria-label="Selected conversations">
      <div className={classes.count}>
        <ChosenCount chosen={chosen} known={known} />
        {!chosen.all && !chosen.chooseAll && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={pickShown}>
            Select all shown
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
          Clear
        </Button>
      </div>
      <div className={classes.acts}>
        <Button size="compact-xs" variant="default" leftSection={<Archive size={14} />} onClick={close}>
          Close
        </Button>
        <AssignMenu {...shows('assign')} />
        <SnoozeMenu {...shows('snooze')} />
        <LabelMenu {...shows('label')} />
      </div>
    </div>
  );
}
