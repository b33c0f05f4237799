// The rows of a batch, read on by key: what each came to and why, and what happened to it when the batch was undone.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ApiError, call, type Takes } from '../../../../ui/client/call.ts';
import { keyOf, type Pages } from '../../../../ui/client/hooks.ts';
import type { Column } from '../../../../ui/kit/data-list.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import type { BatchRow } from '../contract.ts';
import { count, OUTCOME, sentence, TAKEN_BACK } from './words.ts';
import classes from './imports.module.css';

export function useBatchRows(args: Takes<'import_get'>, enabled: boolean): Pages<BatchRow> {
  const query = useInfiniteQuery({
    queryKey: [...keyOf('import_get', args), 'rows'],
    queryFn: async ({ pageParam, signal }) =>
      (await call('import_get', { ...args, ...(pageParam ? { cursor: pageParam } : {}) }, signal)).rows,
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    enabled,
  });
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  return {
    rows,
    pending: query.isPending,
    fetching: query.isFetching,
    error: query.error instanceof ApiError ? query.error : null,
    again: () => void refetch(),
    more: hasNextPage ? () => void (isFetchingNextPage || fetchNextPage()) : null,
  };
}

const why = ({ column, reason, differs, kept_why }: BatchRow): string =>
  [reason && (column ? `${column}: ${reason}` : reason), differs, kept_why]
    .flatMap((each) => (each ? [sentence(each)] : []))
    .join(' ');

export const ROW_COLUMNS: Column<BatchRow>[] = [
  { key: 'row', title: 'Row', width: '84px', cell: ({ row }) => count(row) },
  {
    key: 'outcome',
    title: 'Outcome',
    width: '104px',
    cell: ({ outcome, rolled_back }) => {
      const { title, tone } = rolled_back ? TAKEN_BACK[rolled_back] : OUTCOME[outcome];
      return <Pill tone={tone}>{title}</Pill>;
    },
  },
  {
    key: 'person',
    title: 'Person',
    width: '26%',
    hide: 'narrow',
    cell: (row) => <Who row={row} />,
  },
  {
    key: 'why',
    title: 'Why',
    cell: (row) => (
      <span className={classes.wrap}>
        <span className={classes.onPhone}>
          <Who row={row} />
        </span>
        {why(row)}
      </span>
    ),
  },
];

function Who({ row: { person, rolled_back } }: { row: BatchRow }) {
  if (person === null || rolled_back === 'removed') return <span className={classes.none}>No one</span>;
  return (
    <Link
      to="/people/$person"
      params={{ person: person.id }}
      search={{}}
      className={classes.personLink ?? ''}
    >
      <bdi>{person.name ?? 'No name'}</bdi>
    </Link>
  );
}
