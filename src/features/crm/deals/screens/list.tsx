// Deals as a table, in the order that was chosen, read on by key as one scrolls.
import type { Answer } from '../../../../ui/client/call.ts';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { csvAddress, ListTools, TabsAndTools, useColumns } from '../../../../ui/kit/list-tools.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Mark } from '../../../../ui/kit/principal.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { StateTabs } from '../../../../ui/kit/tab-strip.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import table from '../../../../ui/board/list.module.css';
import { dayWord, today } from '../../../../ui/kit/days.ts';
import type { DealState } from '../contract.ts';
import type { Stage } from '../pipeline.contract.ts';
import { type DealFilters, filtering } from './filters.ts';
import { moneyText } from './money.rules.ts';
import { STATE, stageTitle } from './words.ts';
import classes from './deals.module.css';

type Row = Answer<'deal_list'>['items'][number];

const columnsOf = (stages: readonly Stage[]): Column<Row>[] => [
  {
    key: 'name',
    title: 'Name',
    cell: (deal) => (
      <span className={classes.row}>
        <span>{deal.name}</span>
        <span className={classes.whom}>
          {[deal.person_name, deal.company_name].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  {
    key: 'amount',
    title: 'Amount',
    width: '120px',
    align: 'end',
    cell: (deal) => deal.amount !== null && deal.currency && moneyText(deal.amount, deal.currency),
  },
  {
    key: 'state',
    title: 'State',
    width: '84px',
    hide: 'narrow',
    cell: (deal) => <Pill tone={STATE[deal.state].tone}>{STATE[deal.state].title}</Pill>,
  },
  {
    key: 'stage',
    title: 'Stage',
    width: '132px',
    hide: 'medium',
    cell: (deal) => stageTitle(stages, deal.stage),
  },
  {
    key: 'expected',
    title: 'Expected close',
    width: '120px',
    hide: 'medium',
    cell: (deal) =>
      deal.expected_on && (
        <span
          className={table.due}
          data-late={(deal.expected_on < today() && deal.state === 'open') || undefined}
        >
          {dayWord(deal.expected_on)}
        </span>
      ),
  },
  {
    key: 'owner',
    title: 'Owner',
    width: '150px',
    hide: 'medium',
    cell: (deal) =>
      deal.owner &&
      deal.owner_name && (
        <span className={classes.owner}>
          <Mark of={{ kind: 'person', id: deal.owner, name: deal.owner_name }} />
          {deal.owner_name}
        </span>
      ),
  },
  {
    key: 'updated',
    title: 'Changed',
    width: '104px',
    hide: 'narrow',
    cell: (deal) => <Time at={deal.updated_at} />,
  },
];

const SORTS = ['updated', 'expected', 'amount'] as const;

export const sortOf = (sort: string | undefined): (typeof SORTS)[number] =>
  SORTS.find((one) => one === sort) ?? 'updated';

type DealTableProps = {
  filters: DealFilters;
  search: ListState;
  stages: readonly Stage[];
  change: (next: Partial<Record<keyof ListState, string | undefined>>) => void;
  /** To another view of this list. */
  go: (search: ListState) => void;
  open: (id: string) => void;
};

export function DealTable({ filters, search, stages, change, go, open }: DealTableProps) {
  const state = Object.keys(STATE).find((one) => one === search.state) as DealState | undefined;
  const stage = stages.some(({ key }) => key === search.stage) ? search.stage : undefined;
  const asked = {
    ...filters,
    ...(state && { state }),
    ...(stage && { stage }),
    sort: sortOf(search.sort),
  };
  const pages = usePages('deal_list', asked);
  const { shown, tools } = useColumns({ list: 'deals', columns: columnsOf(stages), search, go });
  const narrowed = filtering(filters) || state !== undefined || stage !== undefined;
  return (
    <DataList
      label="Deals"
      columns={shown}
      pages={pages}
      rowKey={(deal) => deal.id}
      open={(deal) => open(deal.id)}
      above={
        <TabsAndTools
          tabs={<StateTabs titles={STATE} chosen={state} choose={(next) => change({ state: next })} />}
          tools={<ListTools tools={tools} file={csvAddress('deal_list', asked)} />}
        />
      }
      empty={
        <Empty title={narrowed ? 'No matching deals' : 'No deals yet'}>
          {narrowed ? 'Clear a filter to see more.' : 'Press n to create the first one.'}
        </Empty>
      }
    />
  );
}
