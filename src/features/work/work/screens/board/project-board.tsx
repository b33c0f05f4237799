// One project: its board or its list, the filters in the address, and what lies beside it: an item at the side, a new item, the
// project's settings.
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Settings2, SquareKanban } from 'lucide-react';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { useMe } from '../../../../../ui/client/session.ts';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { Offered, Page } from '../../../../../ui/kit/page.tsx';
import { Empty, Trouble } from '../../../../../ui/kit/states.tsx';
import { onPhone } from '../../../../../ui/kit/phone.ts';
import type { ListState } from '../../../../../ui/shell/list-state.ts';
import { mayAdminister } from '../../../../../ui/shell/places.ts';
import type { Card } from '../../contract.ts';
import { BoardBones, BoardOrList, Roomy } from '../../../../../ui/board/frame.tsx';
import { Columns } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtersOf } from './board-filters.ts';
import { Peek } from './peek.tsx';
import { useBoard } from './use-board.ts';
import classes from '../../../../../ui/board/columns.module.css';

const ItemTable = lazy(() => import('./list.tsx').then((m) => ({ default: m.ItemTable })));
const NewItem = lazy(() => import('./new-item.tsx').then((m) => ({ default: m.NewItem })));
const ProjectSettings = lazy(() =>
  import('../project/project-settings.tsx').then((m) => ({ default: m.ProjectSettings })),
);

export function ProjectBoard({ project }: { project: string }) {
  const me = useMe();
  const search = useSearch({ from: '/desk/work/$project' });
  const navigate = useNavigate({ from: '/work/$project' });
  const moves = useBoard(project);
  const { read, board } = moves;
  const { query, assignee, label, priority } = search;
  const filters = useMemo(
    () =>
      filtersOf({
        ...(query && { query }),
        ...(assignee && { assignee }),
        ...(label && { label }),
        ...(priority && { priority }),
      }),
    [query, assignee, label, priority],
  );
  const listed = search.view === 'list';

  const change = useCallback(
    (next: Partial<Record<keyof ListState, string | undefined>>) =>
      void navigate({ search: (before) => ({ ...before, ...next }), replace: true }),
    [navigate],
  );
  const openItem = useCallback(
    (key: string) =>
      void navigate({ to: '/work/$project/$item', params: { project, item: key }, search: {} }),
    [navigate, project],
  );
  const peek = useCallback(
    (card: Card) => (onPhone() ? openItem(card.key) : change({ open: card.key })),
    [change, openItem],
  );
  const peeked = board?.columns.flatMap((column) => column.cards).find((card) => card.key === search.open);

  useKeys([
    { keys: 'n', does: 'New item', group: 'Board', run: () => change({ new: 'item' }) },
    {
      keys: 'v',
      does: 'Board or list',
      group: 'Board',
      run: () => change({ view: listed ? undefined : 'list', status: undefined }),
    },
    {
      keys: 'Escape',
      does: 'Close panel',
      group: 'Board',
      silent: true,
      run: () => change({ open: undefined }),
    },
  ]);

  return (
    <Page
      crumbs={[{ title: 'Work', to: '/work' }, { title: board?.project.name ?? project }]}
      actions={
        board && (
          <>
            {mayAdminister(me) && (
              <Tooltip label="Project settings">
                <ActionIcon
                  size="lg"
                  aria-label="Project settings"
                  onClick={() => change({ new: 'settings' })}
                >
                  <Settings2 size={17} />
                </ActionIcon>
              </Tooltip>
            )}
            <BoardOrList
              listed={listed}
              choose={(list) => change({ view: list ? 'list' : undefined, status: undefined })}
            />
            <Button leftSection={<Plus size={15} />} onClick={() => change({ new: 'item' })}>
              New<Roomy>item</Roomy>
            </Button>
          </>
        )
      }
      bar={
        !read.error && <FilterBar filters={filters} labels={board?.project.labels ?? []} change={change} />
      }
    >
      {read.error?.status === 404 && !board ? (
        <Empty
          icon={SquareKanban}
          title={`${project} isn’t on your board`}
          action={
            <Button variant="default" onClick={() => void navigate({ to: '/work', search: {} })}>
              All projects
            </Button>
          }
        >
          No project has that key, or an administrator hasn’t added it to your board.
        </Empty>
      ) : read.error && !board ? (
        <Trouble subject error={read.error} again={() => void read.refetch()} />
      ) : listed ? (
        <Suspense>
          <ItemTable
            project={project}
            filters={filters}
            search={search}
            change={change}
            go={(to) => void navigate({ search: { ...to, view: 'list' }, replace: true })}
            open={openItem}
          />
        </Suspense>
      ) : board ? (
        <div className={classes.desk}>
          <Columns board={board} moves={moves} filters={filters} peeked={search.open ?? null} peek={peek} />
          {peeked && <Peek id={peeked.id} project={project} close={() => change({ open: undefined })} />}
        </div>
      ) : (
        <BoardBones keyed cards={[3, 4, 3, 2]} />
      )}
      <Suspense>
        {search.new === 'item' && board && (
          <NewItem project={board.project} close={() => change({ new: undefined })} />
        )}
        {search.new === 'settings' && (
          <Offered>
            <ProjectSettings project={project} close={() => change({ new: undefined })} />
          </Offered>
        )}
      </Suspense>
    </Page>
  );
}
