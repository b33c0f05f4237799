// One line at the top of a column: a title and Enter makes an item there, and the line stays for the next one.
import { useState, type KeyboardEvent } from 'react';
import { call } from '../../../ui/client/call.ts';
import { useAct } from '../../../ui/client/hooks.ts';
import type { Card } from '../contract.ts';
import { positionAt } from './place.ts';
import classes from './quick-add.module.css';

type QuickAddProps = { project: string; status: 'backlog' | 'todo'; top: Card | undefined; close: () => void };

export function QuickAdd({ project, status, top, close }: QuickAddProps) {
  const [title, setTitle] = useState('');
  const create = useAct('item_create', {
    onSuccess: async ({ item }) => {
      setTitle('');
      const position = top && positionAt([top], 0, 0);
      if (position !== undefined) await call('item_move', { item_id: item.id, status, position }).catch(() => null);
    },
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    if (event.key === 'Enter' && title.trim() && !create.isPending) create.mutate({ project, title: title.trim(), status });
  };
  return (
    <div className={classes.add}>
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it appears because somebody asked to type here
        autoFocus
        aria-label="Title of the new item"
        placeholder="What is to be done?"
        maxLength={300}
        value={title}
        aria-busy={create.isPending}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => !title.trim() && close()}
      />
      <p>
        <kbd>↵</kbd> adds it, <kbd>Esc</kbd> closes
      </p>
    </div>
  );
}
