// An item at the side of the board: the board stays in reach, its keys go on working, and the panel follows the focus.
import { ActionIcon, Button, CloseButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Link2, Maximize2 } from 'lucide-react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { tell } from '../../../../../ui/client/toast.ts';
import { Bones, Trouble } from '../../../../../ui/kit/states.tsx';
import { ItemView } from '../item/item-view.tsx';
import classes from './peek.module.css';

export function Peek({ id, project, close }: { id: string; project: string; close: () => void }) {
  const { data, error, refetch } = useRead('item_get', { item_id: id });
  const navigate = useNavigate();
  const item = data?.item;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(new URL(`/work/${project}/${item?.key ?? id}`, location.href).href);
    tell('Link copied.');
  };
  return (
    <aside className={classes.peek} aria-label={item?.key ?? 'Item'}>
      <header className={classes.head}>
        <span className={classes.key}>{item?.key}</span>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<Maximize2 size={14} />}
          onClick={() =>
            item && void navigate({ to: '/work/$project/$item', params: { project, item: item.key } })
          }
        >
          Open
        </Button>
        <ActionIcon aria-label="Copy link" onClick={() => void copy()}>
          <Link2 size={15} />
        </ActionIcon>
        <CloseButton aria-label="Close panel" onClick={close} />
      </header>
      <div className={classes.body}>
        {item ? (
          <ItemView key={item.id} item={item} gone={close} narrow />
        ) : error ? (
          <Trouble error={error} again={() => void refetch()} />
        ) : (
          <Bones lines={6} />
        )}
      </div>
    </aside>
  );
}
