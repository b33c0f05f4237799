// The queue of decisions: what waits at the left, oldest first, and at the right everything one needs to decide it. After a
// decision the next one is there. What is being read never changes under the reader: it stays until one moves on.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Stamp } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { usePages, useRead } from '../../../../ui/client/hooks.ts';
import { useReadAhead } from '../../../../ui/kit/ahead.ts';
import { focusOn, useOpened } from '../../../../ui/kit/focus.ts';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { many } from '../../../../ui/kit/numbers.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Count } from '../../../../ui/kit/pills.tsx';
import { useQueueSelection } from '../../../../ui/kit/queue-selection.ts';
import { Bones, Empty, Trouble } from '../../../../ui/kit/states.tsx';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import type { Approval } from '../contract.ts';
import { DECIDED_AT_ONCE_MAX } from '../rules.ts';
import { ApprovalsBulk } from './approvals-bulk.tsx';
import { Detail } from './detail.tsx';
import { grouped, isSelectable, Queue } from './queue.tsx';
import { QueueFilters, wishesOf } from './queue-filters.tsx';
import { useUndoApproval } from './use-undo-approval.ts';
import classes from '../../../../ui/kit/panes.module.css';
import { onPhone } from '../../../../ui/kit/phone.ts';

export function ApprovalsScreen() {
  const search = useSearch({ from: '/desk/approvals' });
  const navigate = useNavigate({ from: '/approvals' });
  const wishes = wishesOf(search);
  const pages = usePages('approval_list', { ...wishes, limit: 100 });
  // Decided here just now: gone from what waits before the list is read again.
  const [over, setOver] = useState<ReadonlySet<string>>(new Set());
  // An act that was approved here just now stays, with what it answered, until one moves on.
  const [done, setDone] = useState<{ approval: Approval; answer: Record<string, unknown> } | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => {
    const waiting = wishes.state ? pages.rows : pages.rows.filter((row) => !over.has(row.id));
    return grouped(waiting, search.sort);
  }, [pages.rows, over, wishes.state, search.sort]);
  const rows = useMemo(() => groups.flatMap((group) => group.rows), [groups]);

  const change = (next: Partial<Record<keyof ListState, string | undefined>>): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const [opened, opening] = useOpened(search.open);
  const focusRow = (id: string | undefined): void =>
    focusOn(() => list.current?.querySelector<HTMLElement>(`[data-id="${id ?? ''}"]`) ?? null);
  const select = (approval: Pick<Approval, 'id'> | undefined): void => {
    setDone(null);
    opening(approval?.id);
    change({ open: approval?.id });
    focusRow(approval?.id);
  };
  const offerUndo = useUndoApproval((id) => select({ id }));
  const selectable = useMemo(() => rows.filter(isSelectable), [rows]);
  const selection = useQueueSelection(selectable, {
    mark: ({ subject }) => subject.revision,
    most: DECIDED_AT_ONCE_MAX,
    tooMany: `You can select up to ${DECIDED_AT_ONCE_MAX} items. Approve these first.`,
  });

  const at = rows.findIndex((row) => row.id === opened);
  useReadAhead(pages.more, at, rows.length);
  const away = useRead(
    'approval_get',
    { approval: opened ?? '' },
    { enabled: opened !== undefined && at < 0 && !pages.pending },
  );
  const kept = done?.approval.id === opened ? done : null;
  const shown = kept?.approval ?? rows[at] ?? (opened ? away.data?.approval : undefined);
  const first = rows[0]?.id;
  useEffect(() => {
    if (opened === undefined && first !== undefined && !onPhone())
      void navigate({ search: (before) => ({ ...before, open: first }), replace: true });
  }, [opened, first, navigate]);

  const here = useRef(opened);
  useEffect(() => void (here.current = shown?.id));
  /** Where one goes from the shown one: the next in line, the one before at the end. */
  const after = (): Approval | undefined => (at < 0 ? rows[0] : (rows[at + 1] ?? rows[at - 1]));
  const goOn = (from: Approval): void => {
    setOver((before) => new Set([...before, from.id]));
    // Whoever went on to another one meanwhile stays there.
    if (from.id === here.current) select(after());
  };
  const step = (by: number): void =>
    select(at < 0 ? rows[0] : rows[Math.min(Math.max(at + by, 0), rows.length - 1)]);
  const openItem = (): void => {
    if (shown?.subject.kind !== 'item') return;
    const { key } = shown.subject;
    void navigate({
      to: '/work/$project/$item',
      params: { project: key.slice(0, key.lastIndexOf('-')), item: key },
      search: {},
    });
  };
  useKeys([
    { keys: 'j', does: 'Next', group: 'Approvals', run: () => step(1) },
    { keys: 'k', does: 'Previous', group: 'Approvals', run: () => step(-1) },
    { keys: 'ArrowDown', does: 'Next', group: 'Approvals', silent: true, run: () => step(1) },
    { keys: 'ArrowUp', does: 'Previous', group: 'Approvals', silent: true, run: () => step(-1) },
    { keys: 'Enter', does: 'Open item', group: 'Approvals', run: openItem },
    {
      keys: 'x',
      does: 'Select',
      group: 'Approvals',
      run: () => shown && isSelectable(shown) && selection.toggle(shown),
    },
    {
      keys: 'X',
      does: 'Select up to here (Shift)',
      group: 'Approvals',
      run: () => shown && isSelectable(shown) && selection.extend(shown),
    },
  ]);

  const yours = wishes.state ? rows.length : rows.filter(({ can_decide }) => can_decide).length;
  const filtered = Object.keys(wishes).length > 0;
  const none = !pages.pending && !pages.error && rows.length === 0;
  return (
    <Page
      crumbs={[{ title: 'Approvals' }]}
      beside={
        yours > 0 && <Count tone={wishes.state ? 'mute' : 'warn'}>{pages.more ? `${yours}+` : yours}</Count>
      }
      bar={<QueueFilters search={search} change={change} />}
    >
      {none && !shown ? (
        filtered ? (
          <Empty
            icon={Stamp}
            title="Nothing matches"
            action={
              <Button
                variant="default"
                onClick={() => change({ state: undefined, kind: undefined, project: undefined })}
              >
                Clear filters
              </Button>
            }
          />
        ) : (
          <Empty icon={Stamp} title="You’re all caught up">
            Finished agent work and items submitted for review appear here.
          </Empty>
        )
      ) : pages.error && rows.length === 0 ? (
        <Trouble error={pages.error} again={pages.again} />
      ) : (
        <div className={classes.panes} data-open={shown !== undefined || undefined}>
          <div className={classes.list} ref={list}>
            {pages.pending ? (
              <div className={classes.bones}>
                <Bones lines={6} height={30} />
              </div>
            ) : (
              <>
                {selectable.length > 0 && (
                  <ApprovalsBulk
                    selection={selection}
                    approved={(ids) => {
                      const next = rows.find(({ id }) => !ids.includes(id));
                      setOver((before) => new Set([...before, ...ids]));
                      if (shown && ids.includes(shown.id)) select(next);
                      offerUndo(`${many(ids.length, 'item')} approved.`, ids);
                    }}
                  />
                )}
                <Queue
                  groups={groups}
                  open={shown?.id}
                  select={select}
                  more={pages.more}
                  openItem={openItem}
                  selection={selectable.length > 0 ? selection : null}
                />
              </>
            )}
          </div>
          <div className={classes.pane}>
            {shown ? (
              <Detail
                key={shown.id}
                approval={shown}
                answer={kept?.answer ?? null}
                decided={(approval, answer) => (answer ? setDone({ approval, answer }) : goOn(shown))}
                next={() => goOn(shown)}
                back={() => change({ open: undefined })}
                openItem={openItem}
                offerUndo={offerUndo}
                leave={() => focusRow(shown.id)}
              />
            ) : (
              <div className={classes.bones}>{pages.pending && <Bones lines={5} height={18} />}</div>
            )}
          </div>
        </div>
      )}
    </Page>
  );
}
