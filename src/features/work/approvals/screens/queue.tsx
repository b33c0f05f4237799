// What waits, as a list: oldest first, and under who asked once someone asked for many.
import { Button, Checkbox } from '@mantine/core';
import { Count, Pill, type Tone } from '../../../../ui/kit/pills.tsx';
import { Mark, Principal } from '../../../../ui/kit/principal.tsx';
import pane from '../../../../ui/kit/pane-rows.module.css';
import { Time } from '../../../../ui/kit/time.tsx';
import type { QueueSelection } from '../../../../ui/kit/queue-selection.ts';
import type { Approval } from '../contract.ts';
import { YOU_WROTE_THIS } from '../rules.ts';
import { titleOf } from '../words.rules.ts';
import { TitleText } from '../../../../ui/kit/title-text.tsx';
import { named } from '../../../../ui/kit/who.ts';
import classes from '../../../../ui/kit/queue.module.css';

/** One decision can be about many of these. */
export const isSelectable = ({ kind, state, can_decide }: Approval): boolean =>
  kind === 'work_review' && state === 'pending' && can_decide;

export type ApprovalGroup = { who: Approval['requested_by'] | null; rows: Approval[] };

/** From this many of one requester on, the queue is by who asked, unless told otherwise. */
const MANY = 4;

/** `sort` is `oldest`, `who`, or anything else for whichever suits. Groups are by their oldest, rows as they come. */
export function grouped(rows: Approval[], sort: string | undefined): ApprovalGroup[] {
  const by = new Map<string, ApprovalGroup>();
  for (const row of rows) {
    const key = `${row.requested_by.kind} ${row.requested_by.id}`;
    const group = by.get(key) ?? { who: row.requested_by, rows: [] };
    group.rows.push(row);
    by.set(key, group);
  }
  const groups = [...by.values()];
  const apart =
    sort === 'who' ||
    (sort !== 'oldest' && groups.length > 1 && groups.some((group) => group.rows.length >= MANY));
  return apart ? groups : [{ who: null, rows }];
}

export const STATES: Record<Approval['state'], { word: string; tone: Tone }> = {
  pending: { word: 'Waiting', tone: 'warn' },
  approved: { word: 'Approved', tone: 'good' },
  returned: { word: 'Returned', tone: 'info' },
  rejected: { word: 'Rejected', tone: 'bad' },
  withdrawn: { word: 'Withdrawn', tone: 'mute' },
  superseded: { word: 'Superseded', tone: 'mute' },
};

type QueueProps = {
  groups: ApprovalGroup[];
  open: string | undefined;
  select: (approval: Approval) => void;
  more: (() => void) | null;
  openItem: () => void;
  /** Null where nothing listed can be decided. */
  selection: QueueSelection<Approval> | null;
};

export function Queue({ groups, open, select, more, openItem, selection }: QueueProps) {
  const reached = groups.some((group) => group.rows.some((row) => row.id === open))
    ? open
    : groups[0]?.rows[0]?.id;
  return (
    <>
      {groups.map((group) => (
        <section
          key={group.who?.id ?? 'all'}
          aria-label={group.who ? `Requested by ${group.who.name}` : 'Approvals'}
        >
          {group.who && (
            <h2 className={classes.group}>
              <Principal of={group.who} behalf={group.who.on_behalf_of ?? null} size={18} />
              <Count>{group.rows.length}</Count>
            </h2>
          )}
          <ul className={pane.rows}>
            {group.rows.map((row) => (
              <li key={row.id} className={selection ? classes.line : undefined}>
                {selection && isSelectable(row) && (
                  <Checkbox
                    className={classes.box ?? ''}
                    aria-label={`Select ${row.subject.key}`}
                    checked={selection.has(row.id)}
                    onClick={({ shiftKey }) => {
                      if (shiftKey) selection.extend(row);
                      else selection.toggle(row);
                    }}
                    readOnly
                    tabIndex={-1}
                  />
                )}
                <Row
                  row={row}
                  here={row.id === open}
                  reached={row.id === reached}
                  grouped={group.who !== null}
                  select={select}
                  openItem={openItem}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {more && (
        <Button variant="subtle" color="gray" fullWidth onClick={more}>
          Load more
        </Button>
      )}
    </>
  );
}

type RowProps = {
  row: Approval;
  here: boolean;
  reached: boolean;
  grouped: boolean;
  select: (approval: Approval) => void;
  openItem: () => void;
};

function Row({ row, here, reached, grouped: apart, select, openItem }: RowProps) {
  const state = STATES[row.state];
  return (
    <a
      href={`?open=${row.id}`}
      className={`${pane.row} ${classes.row}`}
      data-id={row.id}
      data-here={here || undefined}
      aria-current={here || undefined}
      tabIndex={reached ? 0 : -1}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        select(row);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !here) return;
        event.preventDefault();
        openItem();
      }}
    >
      <span className={classes.rowTop}>
        <span>{row.act ? 'Proposed action' : row.subject.key}</span>
        {row.state !== 'pending' && <Pill tone={state.tone}>{state.word}</Pill>}
        <span className={classes.rowAt}>
          <Time at={row.created_at} />
        </span>
      </span>
      <span className={classes.rowTitle}>
        <TitleText>{titleOf(row)}</TitleText>
      </span>
      {row.act?.effect && <span className={classes.rowWho}>{row.act.effect}</span>}
      {!apart && (
        <span className={classes.rowWho}>
          <Mark of={row.requested_by} size={15} /> {named(row.requested_by)}
        </span>
      )}
      {row.why_not === YOU_WROTE_THIS && (
        <span className={classes.rowWho}>You wrote it. Finish it yourself</span>
      )}
    </a>
  );
}
