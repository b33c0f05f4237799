// Moves chosen messages into a conversation of their own.
import { Button } from '@mantine/core';
import { useAct } from '../../../../../ui/client/hooks.ts';
import type { Thread } from '../../contract.ts';
import classes from '../compose/composer.module.css';

type SplitBarProps = {
  thread: Thread;
  picked: ReadonlySet<string>;
  close: () => void;
  select: (id: string) => void;
};

export function SplitBar({ thread, picked, close, select }: SplitBarProps) {
  const split = useAct('thread_split', {
    says: 'Messages moved to a new conversation',
    onSuccess: ({ split: made }) => {
      close();
      select(made.id);
    },
  });
  return (
    <footer className={classes.composer}>
      <div className={classes.end}>
        <span>
          {picked.size === 0
            ? 'Choose messages to move to a new conversation.'
            : `${picked.size} ${picked.size === 1 ? 'message' : 'messages'} selected`}
        </span>
        <span className={classes.spring} />
        <Button variant="subtle" color="gray" onClick={close}>
          Cancel
        </Button>
        <Button
          disabled={picked.size === 0}
          loading={split.isPending}
          onClick={() =>
            split.mutate({ thread: thread.id, revision: thread.revision, touches: [...picked].slice(0, 200) })
          }
        >
          Split off
        </Button>
      </div>
    </footer>
  );
}
