// One project: its board or its list, the filters in the address, and what lies beside it: an item at the side, a new item, the
// project's settings.
import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Rows3, Settings2, SquareKanban } from 'lucide-react';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { useMe } from '../../../../../ui/client/session.ts';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { Offered, Page } from '../../../../../ui/kit/page.tsx';
import { Bone, Empty, Trouble } from '../../../../../ui/kit/states.tsx';
import type { ListState } from '../../../../../ui/shell/list-state.ts';
import { mayAdminister } from '../../../../../ui/shell/places.ts';
import type { Card } from '../../contract.ts';
import { Columns } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtersOf } from './filters.ts';
import { Peek } from './peek.tsx';
import { useBoard } from './use-board.ts';
import classes from '../../../../../ui/board/columns.module.css';

const ItemTable = lazy(() => import('./list.tsx').then((m) => ({ default: m.ItemTable })));
const NewItem = lazy(() => import('./new-item.tsx').then((m) => ({ default: m.NewItem })));
const ProjectSettings = lazy(() =>
  import('../project/project-settings.tsx').then((m) => ({ default: m.ProjectSettings })),
);

const onPhone = (): boolean => matchMedia('(max-width: 768px)').matches;

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
      does: 'Close the panel',
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
            <SegmentedControl
              aria-label="Board or list"
              size="xs"
              value={listed ? 'list' : 'board'}
              onChange={(view) => change({ view: view === 'list' ? 'list' : undefined, status: undefined })}
              data={[
                { value: 'board', label: <ViewName icon={SquareKanban} name="Board" /> },
                { value: 'list', label: <ViewName icon={Rows3} name="List" /> },
              ]}
            />
            <Button leftSection={<Plus size={15} />} onClick={() => change({ new: 'item' })}>
              New<span className={classes.wide}>{'\u00a0'}item</span>
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
          title={`${project} is not on your board`}
          action={
            <Button variant="default" onClick={() => void navigate({ to: '/work', search: {} })}>
              All projects
            </Button>
          }
        >
          There is no project of that key, or an administrator has not put it on your board.
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
        <BoardBones />
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

const ViewName = ({ icon: Icon, name }: { icon: typeof Rows3; name: string }) => (
  <span className={classes.view}>
    <Icon size={14} role="img" aria-label={name} />
    <span className={classes.wide} aria-hidden>
      {name}
    </span>
  </span>
);

const BoardBones = () => (
  <div className={classes.bones}>
    <span className="unseen" role="status">
      Loading
    </span>
    {[3, 4, 3, 2].map((cards, column) => (
      <div key={column} aria-hidden>
        <Bone width="40%" />
        {Array.from({ length: cards }, (_, i) => (
          <div key={i}>
            <Bone width="30%" height={10} />
            <Bone width={i % 2 ? '70%' : '88%'} />
          </div>
        ))}
      </div>
    ))}
  </div>
);
