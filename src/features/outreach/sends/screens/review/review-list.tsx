// What waits in review, as a list: who it goes to, what it is about, which campaign, since when; and a box to select it.
import { Button, Checkbox } from '@mantine/core';
import { Time } from '../../../../../ui/kit/time.tsx';
import type { Pages } from '../../../../../ui/client/hooks.ts';
import type { Send } from '../../contract.ts';
import type { LetterSelection } from './use-selection.ts';
import { addressee, KIND } from '../words.ts';
import pane from '../../../../../ui/kit/pane-rows.module.css';
import queue from '../../../../../ui/kit/queue.module.css';
import classes from './review.module.css';

type ReviewListProps = {
  rows: Send[];
  open: string | undefined;
  select: (send: Send) => void;
  selection: LetterSelection;
  more: Pages<Send>['more'];
};

export function ReviewList({ rows, open, select, selection, more }: ReviewListProps) {
  const reached = rows.some(({ id }) => id === open) ? open : rows[0]?.id;
  return (
    <>
      <ul className={pane.rows} aria-label="Letters in review">
        {rows.map((row) => (
          <li key={row.id} className={queue.line}>
            <Checkbox
              className={queue.box ?? ''}
              aria-label={`Select the letter to ${addressee(row)}`}
              checked={selection.has(row.id)}
              onClick={({ shiftKey }) => {
                if (shiftKey) selection.extend(row);
                else selection.toggle(row);
              }}
              readOnly
              tabIndex={-1}
            />
            <Row row={row} here={row.id === open} reached={row.id === reached} select={select} />
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

type RowProps = {
  row: Send;
  here: boolean;
  reached: boolean;
  select: (send: Send) => void;
};

function Row({ row, here, reached, select }: RowProps) {
  return (
    <a
      href={`?open=${row.id}`}
      className={`${pane.row} ${queue.row}`}
      data-id={row.id}
      data-here={here || undefined}
      aria-current={here || undefined}
      tabIndex={reached ? 0 : -1}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        select(row);
      }}
    >
      <span className={queue.rowTop}>
        <span className={classes.to}>{addressee(row)}</span>
        <span className={queue.rowAt}>
          <Time at={row.created_at} />
        </span>
      </span>
      <span className={`${queue.rowTitle} ${classes.subject}`} dir="auto">
        {row.subject || 'No subject'}
      </span>
      <span className={queue.rowWho}>{row.campaign_name ?? KIND[row.kind]}</span>
    </a>
  );
}
