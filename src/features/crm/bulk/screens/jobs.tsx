// Bulk actions on people, newest first: what was asked, by whom, and what came of it.
import { useNavigate } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { counted } from '../../../../ui/kit/numbers.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Job } from '../contract.ts';
import { STATE, titleOf } from './words.ts';

const figure = (key: 'total' | 'done' | 'unchanged' | 'refused', title: string): Column<Job> => ({
  key,
  title,
  width: '96px',
  align: 'end',
  hide: 'medium',
  cell: (job) => <span data-none={job[key] === 0 || undefined}>{counted(job[key])}</span>,
});

const COLUMNS: Column<Job>[] = [
  { key: 'act', title: 'Action', cell: (job) => <bdi>{titleOf(job)}</bdi> },
  {
    key: 'state',
    title: 'State',
    width: '112px',
    cell: ({ state }) => <Pill tone={STATE[state].tone}>{STATE[state].title}</Pill>,
  },
  figure('total', 'People'),
  figure('done', 'Done'),
  figure('unchanged', 'Unchanged'),
  figure('refused', 'Failed'),
  {
    key: 'by',
    title: 'By',
    width: '18%',
    hide: 'medium',
    cell: (job) => <Principal of={job.created_by} behalf={job.created_by.on_behalf_of ?? null} />,
  },
  { key: 'when', title: 'When', width: '112px', hide: 'narrow', cell: (job) => <Time at={job.created_at} /> },
];

export function BulkJobsScreen() {
  const navigate = useNavigate();
  const pages = usePages('bulk_list', { limit: 100 });
  return (
    <Page crumbs={[{ title: 'People', to: '/people' }, { title: 'Bulk actions' }]}>
      <DataList
        label="Bulk actions"
        columns={COLUMNS}
        pages={pages}
        rowKey={(job) => job.id}
        open={({ id }) => void navigate({ to: '/people/bulk/$job', params: { job: id }, search: {} })}
        empty={
          <Empty icon={ListChecks} title="No bulk actions yet">
            Select people in the list to tag, enrol, verify or change them together. Results stay here for 30
            days.
          </Empty>
        }
      />
    </Page>
  );
}
