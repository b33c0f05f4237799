// Many conversations at once: closed, given to somebody, put off, labelled; each by itself, and what is refused is said.
import { Button } from '@mantine/core';
import { Archive } from 'lucide-react';
import { useState } from 'react';
import { useKeys } from '../../../ui/kit/keys.ts';
import type { Thread } from '../contract.ts';
import { AssignMenu, LabelMenu, SnoozeMenu } from './act-menus.tsx';
import type { ThreadActs } from './use-acts.ts';
import classes from './bulk.module.css';

type BulkBarProps = { chosen: Thread[]; acts: ThreadActs; all: () => void; clear: () => void };

export function BulkBar({ chosen, acts, all, clear }: BulkBarProps) {
  const [menu, setMenu] = useState<'assign' | 'snooze' | 'label' | null>(null);
  const shows = (which: typeof menu) => ({
    threads: chosen,
    acts,
    size: 'compact-xs' as const,
    opened: menu === which,
    onChange: (opened: boolean) => setMenu(opened ? which : null),
  });
  const close = (): void => {
    clear();
    void acts.settle(chosen, { state: 'closed' });
  };
  const group = 'Selected conversations';
  useKeys([
    { keys: 'e', does: 'Close them', group, run: close },
    { keys: 's', does: 'Snooze them', group, run: () => setMenu('snooze') },
    { keys: 'a', does: 'Assign them', group, run: () => setMenu('assign') },
    { keys: 't', does: 'Label them', group, run: () => setMenu('label') },
    { keys: 'Escape', does: 'Select none', group, run: clear },
  ]);
  return (
    <div className={classes.bulk} role="region" aria-label="Selected conversations">
      <div className={classes.count}>
        <span>{chosen.length} selected</span>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={all}>
          All shown
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
          None
        </Button>
      </div>
      <div className={classes.acts}>
        <Button size="compact-xs" variant="default" leftSection={<Archive size={14} />} onClick={close}>
          Close
        </Button>
        <AssignMenu {...shows('assign')} />
        <SnoozeMenu {...shows('snooze')} left={clear} />
        <LabelMenu {...shows('label')} />
      </div>
    </div>
  );
}
