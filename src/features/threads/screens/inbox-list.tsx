// The conversations of the inbox, one under the other: who, about what, what was said last, how it was read, and since when
// they wait.
import { Button, Checkbox } from '@mantine/core';
import { Inbox } from 'lucide-react';
import type { UIEvent } from 'react';
import type { Pages } from '../../../ui/client/hooks.ts';
import { Label, Pill } from '../../../ui/kit/pills.tsx';
import { Mark } from '../../../ui/kit/principal.tsx';
import { Bones, Empty, Trouble } from '../../../ui/kit/states.tsx';
import { Time } from '../../../ui/kit/time.tsx';
import type { ListState } from '../../../ui/shell/list-state.ts';
import type { Thread } from '../contract.ts';
import { narrowed, type InboxFilters } from './filters.ts';
import type { Settled } from './settled.ts';
import { CHANNEL, READING, withWhom } from './words.ts';
import classes from './list.module.css';

type InboxListProps = {
  settled: Settled;
  pages: Pages<Thread>;
  filters: InboxFilters;
  open: string | undefined;
  select: (id: string) => void;
  selected: ReadonlyMap<string, Thread>;
  toggle: (row: Thread) => void;
  narrow: (next: Partial<ListState>) => void;
};

/** Pixels before the end at which the next page is read. */
const NEAR_PX = 600;

export function InboxList({
  settled,
  pages,
  filters,
  open,
  select,
  selected,
  toggle,
  narrow,
}: InboxListProps) {
  const { rows, fresh } = settled;
  if (pages.pending)
    return (
      <div className={classes.bones}>
        <Bones lines={8} height={34} />
      </div>
    );
  if (pages.error && rows.length === 0) return <Trouble error={pages.error} again={pages.again} />;
  const reached = rows.some(({ id }) => id === open) ? open : rows[0]?.id;
  const nearEnd = ({ currentTarget: box }: UIEvent<HTMLElement>): void => {
    if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX) pages.more?.();
  };
  return (
    <div className={classes.rowsBox} onScroll={nearEnd}>
      <div role="status">
        {fresh > 0 && (
          <button type="button" className={classes.fresh} onClick={settled.show}>
            {fresh} new
          </button>
        )}
      </div>
      {rows.length === 0 ? (
        <Nothing filters={filters} narrow={narrow} />
      ) : (
        <ul className={classes.rows} aria-label="Conversations" aria-busy={pages.fetching}>
          {rows.map((row) => (
            <li key={row.id} className={classes.line} data-picked={selected.has(row.id) || undefined}>
              <Checkbox
                className={classes.box ?? ''}
                size="xs"
                aria-label={`Select the conversation with ${withWhom(row)}`}
                checked={selected.has(row.id)}
                onChange={() => toggle(row)}
                tabIndex={-1}
              />
              <Row row={row} here={row.id === open} reached={row.id === reached} select={select} />
            </li>
          ))}
        </ul>
      )}
      {pages.more && (
        <Button variant="subtle" color="gray" fullWidth onClick={pages.more} loading={pages.fetching}>
          Load more
        </Button>
      )}
    </div>
  );
}

type RowProps = { row: Thread; here: boolean; reached: boolean; select: (id: string) => void };

function Row({ row, here, reached, select }: RowProps) {
  const reading = row.reading && READING[row.reading];
  return (
    <a
      href={`?open=${row.id}`}
      className={classes.row}
      data-id={row.id}
      data-here={here || undefined}
      data-unread={row.unread_by_me || undefined}
      aria-current={here || undefined}
      tabIndex={reached ? 0 : -1}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        select(row.id);
      }}
    >
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
              waits <Time at={row.waiting_since} />
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
        {row.snippet === null ? 'A message that you may not read' : row.snippet || 'No text'}
      </span>
      <span className={classes.marks}>
        {reading && <Pill tone={reading.tone}>{reading.title}</Pill>}
        {row.channel !== 'email' && <Pill>{CHANNEL[row.channel]}</Pill>}
        {row.state === 'closed' && <Pill>Closed</Pill>}
        {row.labels.slice(0, 2).map((label) => (
          <Label key={label}>{label}</Label>
        ))}
        {row.labels.length > 2 && <span className={classes.more}>+{row.labels.length - 2}</span>}
        {row.campaign_name && <span className={classes.campaign}>{row.campaign_name}</span>}
        {row.assignee && (
          <span className={classes.assignee}>
            <Mark of={row.assignee} size={18} />
            <span className="unseen">, with {row.assignee.name}</span>
          </span>
        )}
      </span>
    </a>
  );
}

function Nothing({ filters, narrow }: Pick<InboxListProps, 'filters' | 'narrow'>) {
  if (narrowed(filters) > 0)
    return (
      <Empty
        icon={Inbox}
        title="Nothing matches these filters"
        action={
          <Button
            variant="default"
            onClick={() =>
              narrow({
                channel: undefined,
                reading: undefined,
                campaign: undefined,
                assignee: undefined,
                label: undefined,
              })
            }
          >
            Take the filters away
          </Button>
        }
      />
    );
  const says = {
    unanswered: {
      title: 'Nobody waits for you',
      text: 'Whoever writes back, by mail, in a form or on the phone, stands here until they are answered.',
    },
    open: { title: 'Nothing is open', text: 'Conversations in which somebody wrote to you stand here.' },
    snoozed: {
      title: 'Nothing is snoozed',
      text: 'What you put off comes back by itself when its time has come.',
    },
    closed: {
      title: 'Nothing is closed',
      text: 'What is settled goes here, and opens again when they write.',
    },
    all: {
      title: 'Nobody has written yet',
      text: 'Answers to your letters come here from every mailbox you connect.',
    },
  }[filters.state];
  return (
    <Empty icon={Inbox} title={says.title}>
      {says.text}
    </Empty>
  );
}
