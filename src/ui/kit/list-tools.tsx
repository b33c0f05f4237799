// The controls above a list: saved views, visible columns, and the download of its rows. A list is identified by its name and
// columns; its state is in the address.
import { ActionIcon, Button, Checkbox, Popover, Tooltip } from '@mantine/core';
import { Columns3, Download } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { request, type Takes } from '../client/call.ts';
import type { ListName as ListRead } from '../client/hooks.ts';
import { useMe } from '../client/session.ts';
import { useKept } from '../shell/kept.ts';
import type { ListState } from '../shell/list-state.ts';
import type { Column } from './data-list.tsx';
import { type SavedList, SavedViews } from './saved-views.tsx';
import classes from './list-tools.module.css';

type Declared<Row> = {
  list: SavedList;
  columns: Column<Row>[];
  /** What the list's address holds. */
  search: ListState;
  go: (search: ListState) => void;
};

/** The first column and those of buttons always are there. */
const mayGo = <Row,>(column: Column<Row>, at: number): boolean => at > 0 && !column.bare;

export type Chosen<Row> = Declared<Row> & { chosen: string; choose: (next: string) => void };

/** Nothing but what always is there: an address drops what is empty. */
const NO_COLUMN = '-';

/** Which columns are shown: as the address says, else as this person last chose in this browser, else `otherwise`. */
export function useColumns<Row>(
  declared: Declared<Row>,
  otherwise?: string,
): { shown: Column<Row>[]; tools: Chosen<Row> } {
  const { list, columns, search, go } = declared;
  const me = useMe();
  const all = columns.filter(mayGo).map(({ key }) => key);
  const [kept, keep] = useKept(`dunnock-${list}-columns-${me.principal.id}`, otherwise ?? all.join(','));
  const chosen = search.columns ?? kept;
  const shown = useMemo(() => {
    const keys = new Set(chosen.split(','));
    return columns.filter((column, at) => !mayGo(column, at) || keys.has(column.key));
  }, [columns, chosen]);
  const choose = (next: string): void => {
    keep(next);
    go({ ...search, columns: next });
  };
  return { shown, tools: { ...declared, chosen, choose } };
}

/** The address of the CSV of exactly what a list read with these arguments shows: it is below the list's own. */
export function csvAddress<N extends ListRead>(list: N, filters: Omit<Takes<N>, 'limit' | 'cursor'>): string {
  const [path, query] = request(list, filters)[0].split('?');
  return `${path}/export${query ? `?${query}` : ''}`;
}

/** `file`: the address of the list's CSV. */
export function ListTools<Row>({ tools, file }: { tools: Chosen<Row>; file: string }) {
  const { list, columns, search, go, chosen, choose } = tools;
  return (
    <>
      <SavedViews list={list} search={{ ...search, columns: chosen }} go={go} file={file} />
      <span className={classes.wide}>
        <ColumnChoice columns={columns.filter(mayGo)} chosen={chosen} choose={choose} />
        <Tooltip label={FILE}>
          <ActionIcon component="a" href={file} download="" variant="default" size="lg" aria-label="Export">
            <Download size={15} />
          </ActionIcon>
        </Tooltip>
      </span>
    </>
  );
}

/** Tabs above a list, with its tools at their end. */
export function TabsAndTools({ tabs, tools }: { tabs: ReactNode; tools: ReactNode }) {
  return (
    <div className={classes.above}>
      <div className={classes.tabs}>{tabs}</div>
      <div className={classes.tools}>{tools}</div>
    </div>
  );
}

const FILE = 'Export all matching rows as CSV';

/** Of a list that has its file alone. */
export function CsvButton({ file }: { file: string }) {
  return (
    <Button
      component="a"
      href={file}
      download=""
      variant="default"
      leftSection={<Download size={14} />}
      title={FILE}
    >
      Export
    </Button>
  );
}

type ColumnChoiceProps<Row> = { columns: Column<Row>[]; chosen: string; choose: (next: string) => void };

function ColumnChoice<Row>({ columns, chosen, choose }: ColumnChoiceProps<Row>) {
  const keys = new Set(chosen.split(','));
  const toggle = (key: string): void => {
    const next = columns.filter((column) => keys.has(column.key) !== (column.key === key));
    choose(next.map((column) => column.key).join(',') || NO_COLUMN);
  };
  return (
    <Popover position="bottom-end" width={220} trapFocus>
      <Popover.Target>
        <Tooltip label="Choose columns">
          <ActionIcon variant="default" size="lg" aria-label="Columns">
            <Columns3 size={15} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <div className={classes.choices}>
          {columns.map(({ key, title }) => (
            <Checkbox key={key} label={title} checked={keys.has(key)} onChange={() => toggle(key)} />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
