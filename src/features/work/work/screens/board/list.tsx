// The items of a project as a table, newest change first, read on by key as one scrolls.
import { Button } from '@mantine/core';
import { SquareKanban } from 'lucide-react';
import { usePages } from '../../../../../ui/client/hooks.ts';
import type { Answer } from '../../../../../ui/client/call.ts';
import { DataList, type Column } from '../../../../../ui/kit/data-list.tsx';
import { csvAddress, ListTools, TabsAndTools, useColumns } from '../../../../../ui/kit/list-tools.tsx';
import {
  Label,
  PriorityMark,
  STATUS,
  StatusPill,
  type Priority,
  PRIORITIES,
  STATUSES,
} from '../../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../../ui/kit/principal.tsx';
import { Empty } from '../../../../../ui/kit/states.tsx';
import { StateTabs } from '../../../../../ui/kit/tab-strip.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import type { ListState } from '../../../../../ui/shell/list-state.ts';
import { isOver } from '../../rules.ts';
import { filtering, type BoardFilters } from './board-filters.ts';
import { dayWord, today } from '../../../../../ui/kit/days.ts';
import { TitleText } from '../../../../../ui/kit/title-text.tsx';
import classes from '../../../../../ui/board/list.module.css';

type Row = Answer<'item_list'>['items'][number];

const COLUMNS: Column<Row>[] = [
  {
    key: 'key',
    title: 'Key',
    width: '104px',
    cell: (item) => <span className={classes.key}>{item.key}</span>,
  },
  {
    key: 'title',
    title: 'Title',
    cell: (item) => (
      <span className={classes.title}>
        <TitleText>{item.title}</TitleText>
        {item.labels.slice(0, 2).map((label) => (
          <Label key={label}>{label}</Label>
        ))}
      </span>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: '132px',
    hide: 'narrow',
    cell: (item) => <StatusPill status={item.status} />,
  },
  {
    key: 'priority',
    title: 'Priority',
    width: '76px',
    hide: 'medium',
    cell: (item) => item.priority !== 'none' && <PriorityMark priority={item.priority} />,
  },
  { key: 'due', title: 'Due', width: '88px', hide: 'medium', cell: (item) => <Due item={item} /> },
  {
    key: 'assignee',
    title: 'Assignee',
    width: '170px',
    hide: 'medium',
    cell: (item) => item.assignee && <Principal of={item.assignee} />,
  },
  {
    key: 'updated',
    title: 'Changed',
    width: '104px',
    hide: 'narrow',
    cell: (item) => <Time at={item.updated_at} />,
  },
];

function Due({ item }: { item: Row }) {
  if (!item.due_on) return null;
  return (
    <span data-late={(item.due_on < today() && !isOver(item.status)) || undefined} className={classes.due}>
      {dayWord(item.due_on)}
    </span>
  );
}

const NO_FILTER = {
  query: undefined,
  assignee: undefined,
  label: undefined,
  priority: undefined,
  status: undefined,
};

type ItemTableProps = {
  project: string;
  filters: BoardFilters;
  search: ListState;
  change: (next: Partial<Record<keyof ListState, string | undefined>>) => void;
  /** To another view of this list. */
  go: (search: ListState) => void;
  open: (key: string) => void;
};

export function ItemTable({ project, filters, search, change, go, open }: ItemTableProps) {
  const status = STATUSES.find((one) => one === search.status);
  const { query, assignee, label, priority } = filters;
  const asked = {
    project,
    ...(status && { status }),
    ...(assignee && { assignee }),
    ...(label && { label }),
    ...(PRIORITIES.includes(priority as Priority) && { priority: priority as Priority }),
    ...(query && { query }),
  };
  const pages = usePages('item_list', asked);
  const { shown, tools } = useColumns({ list: 'work', columns: COLUMNS, search, go });
  return (
    <DataList
      label="Items"
      columns={shown}
      pages={pages}
      rowKey={(item) => item.id}
      open={(item) => open(item.key)}
      above={
        <TabsAndTools
          tabs={
            <StateTabs
              label="Status"
              titles={STATUS}
              chosen={status}
              choose={(next) => change({ status: next })}
            />
          }
          tools={<ListTools tools={tools} file={csvAddress('item_list', asked)} />}
        />
      }
      empty={
        filtering(filters) || status ? (
          <Empty
            icon={SquareKanban}
            title="Nothing matches"
            action={
              <Button variant="default" onClick={() => change(NO_FILTER)}>
                Show all items
              </Button>
            }
          />
        ) : (
          <Empty
            icon={SquareKanban}
            title="No items yet"
            action={<Button onClick={() => change({ new: 'item' })}>New item</Button>}
          >
            A work item is one piece of work for a person or an agent. Create the first one.
          </Empty>
        )
      }
    />
  );
}
