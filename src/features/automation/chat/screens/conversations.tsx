// A person’s conversations, newest first: how each began, the latest message, and when.
import { Button } from '@mantine/core';
import pane from '../../../../ui/kit/pane-rows.module.css';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Thread } from '../../../inbox/threads/contract.ts';
import { TitleText } from '../../../../ui/kit/title-text.tsx';
import classes from './chat.module.css';

type ConversationsProps = {
  rows: Thread[];
  open: string | undefined;
  select: (id: string) => void;
  more: (() => void) | null;
};

export function Conversations({ rows, open, select, more }: ConversationsProps) {
  if (rows.length === 0)
    return (
      <p className={classes.none}>Your conversations with agents appear here. Only you can read them.</p>
    );
  const reached = rows.some(({ id }) => id === open) ? open : rows[0]?.id;
  return (
    <>
      <ul className={pane.rows}>
        {rows.map((row) => (
          <li key={row.id}>
            <a
              href={`?open=${row.id}`}
              className={pane.row}
              data-id={row.id}
              data-here={row.id === open || undefined}
              aria-current={row.id === open || undefined}
              tabIndex={row.id === reached ? 0 : -1}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                select(row.id);
              }}
            >
              <span className={classes.rowTop}>
                <span className={classes.rowTitle}>
                  <TitleText>{row.subject}</TitleText>
                </span>
                <Time at={row.last_touch_at} />
              </span>
              <span className={classes.snippet}>
                <TitleText>{row.snippet ?? ''}</TitleText>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {more && (
        <Button variant="subtle" color="gray" fullWidth onClick={more}>
          Load more
        </Button>
      )}
    </>
  );
}
