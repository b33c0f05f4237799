// The queue of letters that someone reads before they go: what waits at the left, oldest first, the letter at the right, the
// decision below it. After a decision the next one is there at once; what is refused comes back with its reason.
import { Button, NativeSelect } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { MailCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { usePages, useRead } from '../../../../../ui/client/hooks.ts';
import { useReadAhead } from '../../../../../ui/kit/ahead.ts';
import { focusOn, useOpened } from '../../../../../ui/kit/focus.ts';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { Page } from '../../../../../ui/kit/page.tsx';
import { Count } from '../../../../../ui/kit/pills.tsx';
import { Bones, Empty, Trouble } from '../../../../../ui/kit/states.tsx';
import type { Send } from '../../contract.ts';
import { ReviewBulk } from './review-bulk.tsx';
import { ReviewLetter } from './review-letter.tsx';
import { ReviewList } from './review-list.tsx';
import { useDecisions } from './use-decisions.ts';
import { useSelection } from './use-selection.ts';
import panes from '../../../../../ui/kit/panes.module.css';
import { onPhone } from '../../../../../ui/kit/phone.ts';

export function ReviewScreen() {
  const search = useSearch({ from: '/desk/review' });
  const navigate = useNavigate({ from: '/review' });
  const pages = usePages('send_list', {
    state: 'review',
    order: 'oldest',
    limit: 100,
    ...(search.campaign ? { campaign: search.campaign } : {}),
  });
  const campaigns = useRead('campaign_list', { limit: 200 }, { stale_ms: 60_000 }).data?.items ?? [];
  const list = useRef<HTMLDivElement>(null);

  const change = (next: { open?: string | undefined; campaign?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const [opened, opening] = useOpened(search.open);
  /** The letter that is being edited: leaving it may be asked about, and then the address has the last word. */
  const [editing, setEditing] = useState<string | null>(null);
  const focusRow = (id: string | undefined): void =>
    focusOn(() => list.current?.querySelector<HTMLElement>(`[data-id="${id ?? ''}"]`) ?? null);
  const select = (send: Pick<Send, 'id'> | undefined): void => {
    if (editing === null) opening(send?.id);
    change({ open: send?.id });
    focusRow(send?.id);
  };
  const decisions = useDecisions({ undone: (id) => select({ id }) });
  const rows = pages.rows.filter((row) => !decisions.isOver(row));
  const selection = useSelection(rows);
  const at = rows.findIndex((row) => row.id === opened);
  const shown = rows[at];
  useReadAhead(pages.more, at, rows.length);
  const first = rows[0]?.id;
  // Where the shown one went away, and before anything is chosen, the first is there.
  const lead = !pages.pending && at < 0 && first !== undefined && (opened !== undefined || !onPhone());
  useEffect(() => {
    if (lead) void navigate({ search: (before) => ({ ...before, open: first }), replace: true });
  }, [lead, first, navigate]);

  const step = (by: number): void =>
    select(at < 0 ? rows[0] : rows[Math.min(Math.max(at + by, 0), rows.length - 1)]);
  useKeys([
    { keys: 'j', does: 'Next', group: 'Review', run: () => step(1) },
    { keys: 'k', does: 'Previous', group: 'Review', run: () => step(-1) },
    { keys: 'ArrowDown', does: 'Next', group: 'Review', silent: true, run: () => step(1) },
    { keys: 'ArrowUp', does: 'Previous', group: 'Review', silent: true, run: () => step(-1) },
    { keys: 'x', does: 'Select', group: 'Review', run: () => shown && selection.toggle(shown) },
    {
      keys: 'X',
      does: 'Select up to here (Shift)',
      group: 'Review',
      run: () => shown && selection.extend(shown),
    },
  ]);

  const none = !pages.pending && !pages.error && rows.length === 0 && pages.more === null;
  return (
    <Page
      crumbs={[{ title: 'Review' }]}
      beside={rows.length > 0 && <Count tone="warn">{pages.more ? `${rows.length}+` : rows.length}</Count>}
      bar={
        <NativeSelect
          aria-label="Campaign"
          value={search.campaign ?? ''}
          onChange={(event) => change({ campaign: event.currentTarget.value || undefined, open: undefined })}
          data={[
            { value: '', label: 'All campaigns' },
            ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      }
    >
      {none ? (
        <Empty
          icon={MailCheck}
          title={search.campaign ? 'No letters to review in this campaign' : 'No letters to review'}
          action={
            search.campaign && (
              <Button variant="default" onClick={() => change({ campaign: undefined })}>
                Show all campaigns
              </Button>
            )
          }
        >
          Letters that need approval under their campaign’s review policy appear here.
        </Empty>
      ) : pages.error && rows.length === 0 ? (
        <Trouble error={pages.error} again={pages.again} />
      ) : (
        <div className={panes.panes} data-open={shown !== undefined || undefined}>
          <div className={panes.list} ref={list}>
            {pages.pending ? (
              <div className={panes.bones}>
                <Bones lines={6} height={30} />
              </div>
            ) : (
              <>
                <ReviewBulk selection={selection} seen={decisions.seen} approved={decisions.approved} />
                <ReviewList
                  rows={rows}
                  open={shown?.id}
                  select={select}
                  selection={selection}
                  more={pages.more}
                />
              </>
            )}
          </div>
          <div className={panes.pane}>
            {shown ? (
              <ReviewLetter
                key={shown.id}
                row={shown}
                refused={decisions.refusals.get(shown.id) ?? null}
                read={() => decisions.read(shown.id)}
                decide={(send, decision) => {
                  decisions.decide(send, decision);
                  select(rows[at + 1] ?? rows[at - 1]);
                }}
                next={() => step(1)}
                leave={() => focusRow(shown.id)}
                editing={editing === shown.id}
                edit={(on) => setEditing(on ? shown.id : null)}
                back={() => change({ open: undefined })}
              />
            ) : (
              <div className={panes.bones}>{pages.pending && <Bones lines={5} height={18} />}</div>
            )}
          </div>
        </div>
      )}
    </Page>
  );
}
