// Link of a row: opens beside the list, or in a new tab on request.
import type { ReactNode } from 'react';
import classes from './list.module.css';

type RowLinkProps = {
  thread: string;
  /** It is open. */
  here: boolean;
  select: (id: string) => void;
  unread?: boolean;
  /** Given where Tab reaches one of the list alone: whether it is this one. */
  reached?: boolean;
  /** Nothing is before its words. */
  flush?: boolean;
  children: ReactNode;
};

export function RowLink({ thread, here, select, unread, reached, flush, children }: RowLinkProps) {
  return (
    <a
      href={`?open=${thread}`}
      className={classes.row}
      data-id={thread}
      data-here={here || undefined}
      data-unread={unread || undefined}
      data-flush={flush || undefined}
      aria-current={here || undefined}
      tabIndex={reached === undefined ? undefined : reached ? 0 : -1}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        select(thread);
      }}
    >
      {children}
    </a>
  );
}

/** The conversation in whose row this exists, its box to tick included. */
export const threadOf = (one: Element | null): string | undefined =>
  one?.closest('li')?.querySelector<HTMLElement>('[data-id]')?.dataset['id'];
