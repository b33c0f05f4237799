// One bulk action: how far it is, what came of each person, and the way to stop or undo it.
import { Button, NativeSelect, Progress } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { CircleStop, ListChecks, Undo2 } from 'lucide-react';
import { useMemo } from 'react';
import { ApiError, call, type Takes } from '../../../../ui/client/call.ts';
import { keyOf, known, type Pages, useAct, useRead } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Bones, Empty, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Job, JobRow } from '../contract.ts';
import { OUTCOME, outcomeOf, STATE, titleOf } from './words.ts';
import classes from './bulk.module.css';

const LOOK_AGAIN_MS = 1_000;
const BULK = { title: 'Bulk actions', to: '/people/bulk' };

const COLUMNS: Column<JobRow>[] = [
  {
    key: 'person',
    title: 'Person',
    cell: ({ person }) => <bdi>{person?.name ?? 'No longer available'}</bdi>,
  },
  {
    key: 'outcome',
    title: 'Result',
    width: '132px',
    cell: ({ outcome }) => {
      const { title, tone } = OUTCOME[outcome ?? 'waiting'];
      return <Pill tone={tone}>{title}</Pill>;
    },
  },
  { key: 'why', title: 'Why', width: '48%', cell: ({ why }) => sentence(why) },
];

const sentence = (why: string | null): string =>
  why === null ? '' : `${why.charAt(0).toUpperCase()}${why.slice(1)}`;

function useRows(args: Takes<'bulk_get'>): Pages<JobRow> {
  const query = useInfiniteQuery({
    queryKey: [...keyOf('bulk_get', args), 'rows'],
    queryFn: async ({ pageParam, signal }) =>
      (await call('bulk_get', { ...args, ...(pageParam && { cursor: pageParam }) }, signal)).rows,
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
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

export function BulkJobScreen() {
  const { job: id } = useParams({ from: '/desk/people/bulk/$job' });
  const args = { job: id, limit: 1 };
  const going = known.get('bulk_get', args)?.job.state === 'going';
  const { data, error, refetch } = useRead('bulk_get', args, {
    stale_ms: 0,
    ...(going ? { every_ms: LOOK_AGAIN_MS } : {}),
  });
  if (data) return <JobPage key={id} job={data.job} />;
  return (
    <Page crumbs={[BULK, { title: 'Bulk action' }]}>
      {error ? <Trouble error={error} again={() => void refetch()} /> : <Bones lines={6} />}
    </Page>
  );
}

function JobPage({ job }: { job: Job }) {
  const search = useSearch({ from: '/desk/people/bulk/$job' });
  const navigate = useNavigate({ from: '/people/bulk/$job' });
  const outcome = (['done', 'unchanged', 'refused'] as const).find((one) => one === search.outcome);
  const pages = useRows({ job: job.id, limit: 100, ...(outcome && { outcome }) });
  const stop = useAct('bulk_stop', { says: 'Bulk action stopped.' });
  const undo = useAct('bulk_undo', {
    says: 'Undo started.',
    onSuccess: ({ job: { id } }) =>
      void navigate({ to: '/people/bulk/$job', params: { job: id }, search: {} }),
  });
  const show = (next: string | undefined): void =>
    void navigate({ search: next ? { outcome: next } : {}, replace: true });
  const { state } = job;
  return (
    <Page
      crumbs={[BULK, { title: titleOf(job) }]}
      beside={<Pill tone={STATE[state].tone}>{STATE[state].title}</Pill>}
      actions={
        state === 'going' ? (
          <Button
            variant="default"
            leftSection={<CircleStop size={15} />}
            loading={stop.isPending}
            onClick={() => stop.mutate({ job: job.id })}
          >
            Stop
          </Button>
        ) : (
          job.undoable && (
            <Button
              variant="default"
              leftSection={<Undo2 size={15} />}
              loading={undo.isPending}
              onClick={() => undo.mutate({ job: job.id })}
            >
              Undo
            </Button>
          )
        )
      }
      bar={
        <NativeSelect
          aria-label="People"
          value={outcome ?? ''}
          onChange={(event) => show(event.currentTarget.value || undefined)}
          data={[
            { value: '', label: 'All people' },
            ...(['done', 'unchanged', 'refused'] as const).map((value) => ({
              value,
              label: OUTCOME[value].title,
            })),
          ]}
        />
      }
    >
      <DataList
        label="People of this action"
        columns={COLUMNS}
        pages={pages}
        rowKey={({ no }) => String(no)}
        open={({ person }) => {
          if (person) void navigate({ to: '/people/$person', params: { person: person.id }, search: {} });
        }}
        tone={({ outcome: came }) => (came === 'refused' ? 'bad' : undefined)}
        above={<Summary job={job} />}
        empty={
          <Empty
            icon={ListChecks}
            title="No people with this result"
            action={
              <Button variant="default" onClick={() => show(undefined)}>
                Show all people
              </Button>
            }
          >
            Choose another result.
          </Empty>
        }
      />
    </Page>
  );
}

function Summary({ job }: { job: Job }) {
  const { state, total, done, unchanged, refused, created_by, created_at, why } = job;
  const passed = done + unchanged + refused;
  return (
    <div className={classes.summary}>
      <p>
        <strong role="status">
          {state === 'going'
            ? `${passed.toLocaleString('en')} of ${total.toLocaleString('en')}`
            : outcomeOf(job)}
        </strong>
        {state === 'going' && ' You can leave this page; the action continues.'}
      </p>
      {state === 'going' && (
        <Progress value={(passed / Math.max(total, 1)) * 100} aria-label="People reached" />
      )}
      {why && <p>{sentence(why)}.</p>}
      <p className={classes.how}>
        <Principal of={created_by} behalf={created_by.on_behalf_of ?? null} size={18} />
        <Time at={created_at} />
      </p>
    </div>
  );
}
