// A list of the kit in its states: full, coming, empty and failed.
import { useState } from 'react';
import { ApiError } from '../client/call.ts';
import type { Pages } from '../client/hooks.ts';
import { DataList, type Column } from '../kit/data-list.tsx';
import { Section } from '../kit/page.tsx';
import { Pill } from '../kit/pills.tsx';
import { Empty } from '../kit/states.tsx';
import classes from './kit-screen.module.css';

type Row = { id: string; name: string; tone?: 'bad' | 'warn' };

const ROWS: Row[] = [
  { id: '1', name: 'Dana Roe' },
  { id: '2', name: 'Quill Zephyr', tone: 'warn' },
  { id: '3', name: 'A name that’s too long to fit into any column of a list', tone: 'bad' },
];
const COLUMNS: Column<Row>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  {
    key: 'state',
    title: 'State',
    width: '120px',
    cell: ({ tone }) => <Pill tone={tone ?? 'good'}>{tone ?? 'good'}</Pill>,
  },
];

const pages = (given: Partial<Pages<Row>>): Pages<Row> => ({
  rows: [],
  pending: false,
  fetching: false,
  error: null,
  again: () => undefined,
  more: null,
  ...given,
});

const SHOWN: [label: string, pages: Pages<Row>][] = [
  ['Rows', pages({ rows: ROWS })],
  ['Loading rows', pages({ pending: true, fetching: true })],
  ['No rows', pages({})],
  [
    'Rows that failed to load',
    pages({ error: new ApiError(500, 'fault', 'Something went wrong on our side.') }),
  ],
];

export function KitLists() {
  const [selected, onSelect] = useState<ReadonlySet<string>>(new Set(['2']));
  return (
    <Section title="Lists">
      {SHOWN.map(([label, given]) => (
        <div key={label} className={classes.list}>
          <DataList
            label={label}
            columns={COLUMNS}
            pages={given}
            rowKey={({ id }) => id}
            tone={({ tone }) => tone}
            selection={{ selected, onSelect }}
            empty={<Empty title="No rows" />}
          />
        </div>
      ))}
    </Section>
  );
}
