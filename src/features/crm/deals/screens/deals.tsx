// Deals: the board of what is open, or the list of all, the filters in the address, and what lies beside it: a deal at the
// side, a new deal.
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { HandCoins, Plus, Settings2 } from 'lucide-react';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { Offered, Page } from '../../../../ui/kit/page.tsx';
import { Empty, Trouble } from '../../../../ui/kit/states.tsx';
import { onPhone } from '../../../../ui/kit/phone.ts';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import { BoardBones, BoardOrList, Roomy } from '../../../../ui/board/frame.tsx';
import { Board } from './board.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtering, filtersOf } from './filters.ts';
import { DealTable } from './list.tsx';
import { useSettle } from './settle.tsx';
import { type DealCard, useDealBoard } from './use-board.ts';
import { useStages } from './words.ts';

const DealDrawer = lazy(() => import('./deal-drawer.tsx').then((m) => ({ default: m.DealDrawer })));
const NewDeal = lazy(() => import('./new-deal.tsx').then((m) => ({ default: m.NewDeal })));

export function DealsScreen() {
  const search = useSearch({ from: '/desk/deals' });
  const navigate = useNavigate({ from: '/deals' });
  const { query, owner, person, company, campaign } = search;
  const filters = useMemo(
    () =>
      filtersOf({
        ...(query && { query }),
        ...(owner && { owner }),
        ...(person && { person }),
        ...(company && { company }),
        ...(campaign && { campaign }),
      }),
    [query, owner, person, company, campaign],
  );
  const listed = search.view === 'list';
  const { read, board, move, revisionOf } = useDealBoard(filters, !listed);
  const stages = useStages();
  const { settle, question } = useSettle();

  const change = useCallback(
    (next: Partial<Record<keyof ListState, string | undefined>>) =>
      void navigate({ search: (before) => ({ ...before, ...next }), replace: true }),
    [navigate],
  );
  const show = useCallback(
    (id: string) =>
      onPhone()
        ? void navigate({ to: '/deals/$deal', params: { deal: id }, search: {} })
        : change({ open: id }),
    [navigate, change],
  );
  const peek = useCallback((card: DealCard) => show(card.id), [show]);
  const toggle = (): void =>
    change({ view: listed ? undefined : 'list', state: undefined, stage: undefined, sort: undefined });
  const none = board !== undefined && board.columns.every((column) => column.count === 0);

  useKeys([
    { keys: 'n', does: 'New deal', group: 'Deals', run: () => change({ new: 'deal' }) },
    { keys: 'v', does: 'Board or list', group: 'Deals', run: toggle },
  ]);

  return (
    <Page
      crumbs={[{ title: 'Deals' }]}
      actions={
        <>
          <Tooltip label="Pipeline stages">
            <ActionIcon
              size="lg"
              aria-label="Pipeline stages"
              onClick={() => void navigate({ to: '/settings/pipeline', search: {} })}
            >
              <Settings2 size={17} />
            </ActionIcon>
          </Tooltip>
          <BoardOrList listed={listed} choose={toggle} />
          <Button leftSection={<Plus size={15} />} onClick={() => change({ new: 'deal' })}>
            New<Roomy>deal</Roomy>
          </Button>
        </>
      }
      bar={
        !read.error && (
          <FilterBar filters={filters} search={search} stages={listed ? stages : null} change={change} />
        )
      }
    >
      {listed ? (
        <DealTable
          filters={filters}
          search={search}
          stages={stages}
          change={change}
          go={(to) => void navigate({ search: { ...to, view: 'list' }, replace: true })}
          open={show}
        />
      ) : read.error && !board ? (
        <Trouble subject error={read.error} again={() => void read.refetch()} />
      ) : none && !filtering(filters) ? (
        <Empty
          icon={HandCoins}
          title="No open deals"
          action={<Button onClick={() => change({ new: 'deal' })}>Open the first deal</Button>}
        >
          Track what replies could be worth. Positive replies can open deals automatically.
        </Empty>
      ) : board ? (
        <Board
          board={board}
          move={move}
          filters={filters}
          peeked={search.open ?? null}
          peek={peek}
          settle={(card, to) => void revisionOf(card).then((revision) => settle({ ...card, revision }, to))}
        />
      ) : (
        <BoardBones cards={[3, 2, 3, 1]} />
      )}
      {question}
      <Suspense>
        {search.open && (
          <Offered>
            <DealDrawer id={search.open} close={() => change({ open: undefined })} />
          </Offered>
        )}
        {search.new === 'deal' && (
          <Offered>
            <NewDeal
              person={filters.person ?? null}
              company={filters.company ?? null}
              close={() => change({ new: undefined })}
            />
          </Offered>
        )}
      </Suspense>
    </Page>
  );
}
