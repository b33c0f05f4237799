// One line at the top of a column: a title and Enter makes an item there, and the line stays for the next one.
import { useState, type KeyboardEvent } from 'react';
import { useAct } from '../../../../../ui/client/hooks.ts';
import type { Card } from '../../contract.ts';
import { positionAt } from '../../../../../ui/board/place.ts';
import classes from './quick-add.module.css';

type QuickAddProps = {
  project: string;
  status: 'backlog' | 'todo';
  top: Card | undefined;
  close: () => void;
};

export function QuickAdd({ project, status, top, close }: QuickAddProps) {
  const [title, setTitle] = useState('');
  const create = useAct('item_create', { onSuccess: () => setTitle('') });
  /** On top of the column, under the eyes of who writes it. */
  const add = (): void => {
    const position = top && positionAt([top], 0, 0);
    create.mutate({ project, title: title.trim(), status, ...(position !== undefined && { position }) });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    if (event.key === 'Enter' && title.trim() && !create.isPending) add();
  };
  return (
    <div className={classes.add}>
      <input
        autoFocus
        aria-label="Title of the new item"
        placeholder="What needs to be done?"
        maxLength={300}
        value={title}
        aria-busy={create.isPending}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => !title.trim() && close()}
      />
      <p>
        <kbd>↵</kbd> to add, <kbd>Esc</kbd> to close
      </p>
    </div>
  );
}
