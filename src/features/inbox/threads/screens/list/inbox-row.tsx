// One conversation in the list. It re-renders only when it changes.
import { Checkbox } from '@mantine/core';
import { memo } from 'react';
import { Label, Pill } from '../../../../../ui/kit/pills.tsx';
import { Mark } from '../../../../../ui/kit/principal.tsx';
import { Lasting, Time } from '../../../../../ui/kit/time.tsx';
import type { Thread } from '../../contract.ts';
import { RowLink } from './row-link.tsx';
import { CHANNEL, READING, withWhom } from '../conversation/words.ts';
import classes from './list.module.css';

type InboxRowProps = {
  row: Thread;
  /** It is open. */
  here: boolean;
  /** The one that Tab reaches. */
  reached: boolean;
  picked: boolean;
  /** Which of them it is, from 1, and of how many; -1 while no one knows. */
  at: number;
  of: number;
  /** Where it is in a list of which not every row is in the page. */
  top: number | null;
  acts: { select: (id: string) => void; toggle: (row: Thread) => void };
};

export const InboxRow = memo(function InboxRow(props: InboxRowProps) {
  const { row, here, reached, picked, at, of, top, acts } = props;
  return (
    <li
      className={classes.line}
      data-picked={picked || undefined}
      aria-posinset={at}
      aria-setsize={of}
      style={top === null ? undefined : { position: 'absolute', top, right: 0, left: 0 }}
    >
      <Checkbox
        className={classes.box ?? ''}
        size="xs"
        aria-label={`Select conversation with ${withWhom(row)}`}
        checked={picked}
        onChange={() => acts.toggle(row)}
        tabIndex={-1}
      />
      <Row row={row} here={here} reached={reached} select={acts.select} />
    </li>
  );
});

type RowProps = Pick<InboxRowProps, 'row' | 'here' | 'reached'> & { select: (id: string) => void };

function Row({ row, here, reached, select }: RowProps) {
  const reading = row.reading && READING[row.reading];
  return (
    <RowLink thread={row.id} here={here} select={select} unread={row.unread_by_me} reached={reached}>
      <span className={classes.top}>
        <span className={classes.who} dir="auto">
          {withWhom(row)}
        </span>
        {row.unread_by_me && <span className="unseen">, unread</span>}
        <span className={classes.at}>
          {row.state === 'snoozed' && row.snoozed_until ? (
            <>
              back <Time at={row.snoozed_until} />
            </>
          ) : row.waiting === 'us' && row.waiting_since ? (
            <>
              waiting <Lasting at={row.waiting_since} />
            </>
          ) : (
            <Time at={row.last_touch_at} />
          )}
        </span>
      </span>
      <span className={classes.subject} dir="auto">
        {row.subject || 'No subject'}
      </span>
      <span className={classes.snippet} dir="auto">
        {row.snippet === null ? 'You don’t have permission to read this message' : row.snippet || 'No text'}
      </span>
      <span className={classes.marks}>
        {reading && <Pill tone={reading.tone}>{reading.title}</Pill>}
        {row.channel !== 'email' && <Pill>{CHANNEL[row.channel]}</Pill>}
        {row.state === 'closed' && <Pill>Closed</Pill>}
        {row.labels.slice(0, 2).map((label) => (
          <Label key={label}>{label}</Label>
        ))}
        {row.labels.length > 2 && <span>+{row.labels.length - 2}</span>}
        {row.campaign_name && <span className={classes.campaign}>{row.campaign_name}</span>}
        {row.assignee && (
          <span className={classes.assignee}>
            <Mark of={row.assignee} size={18} />
            <span className="unseen">, with {row.assignee.name}</span>
          </span>
        )}
      </span>
    </RowLink>
  );
}
