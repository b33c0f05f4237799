// The history of imports: what was brought in, by whom and when, how far it is, and what of it was undone.
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Batch } from '../contract.ts';
import { count, rows, STATE } from './words.ts';
import classes from './imports.module.css';

const figure = (key: 'created' | 'updated' | 'skipped' | 'rejected', title: string): Column<Batch> => ({
  key,
  title,
  width: '88px',
  align: 'end',
  hide: 'medium',
  cell: (batch) => <span data-none={batch[key] === 0 || undefined}>{count(batch[key])}</span>,
});

const COLUMNS: Column<Batch>[] = [
  {
    key: 'file',
    title: 'File',
    cell: (batch) => (
      <span className={classes.file}>
        <bdi>{batch.filename ?? 'Pasted text'}</bdi>
        <span>{rows(batch.rows)}</span>
      </span>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '124px',
    cell: (batch) => (
      <Pill tone={STATE[batch.state].tone}>
        {STATE[batch.state].title}
        {batch.state === 'writing' && ` ${Math.floor((batch.done_rows / Math.max(batch.rows, 1)) * 100)} %`}
      </Pill>
    ),
  },
  figure('created', 'Created'),
  figure('updated', 'Updated'),
  figure('skipped', 'Skipped'),
  figure('rejected', 'Rejected'),
  {
    key: 'by',
    title: 'By',
    width: '18%',
    hide: 'medium',
    cell: (batch) => <Principal of={batch.created_by} behalf={batch.created_by.on_behalf_of ?? null} />,
  },
  {
    key: 'when',
    title: 'When',
    width: '112px',
    hide: 'narrow',
    cell: (batch) => <Time at={batch.created_at} />,
  },
];

export function ImportsScreen() {
  const navigate = useNavigate({ from: '/people/imports' });
  const pages = usePages('import_list', { limit: 100 });
  const add = (): void => void navigate({ to: '/people/import', search: {} });
  useKeys([{ keys: 'n', does: 'Import people', group: 'Imports', run: add }]);
  return (
    <Page
      crumbs={[{ title: 'People', to: '/people' }, { title: 'Imports' }]}
      actions={
        <Button leftSection={<FileUp size={15} />} onClick={add}>
          Import
        </Button>
      }
    >
      <DataList
        label="Imports"
        columns={COLUMNS}
        pages={pages}
        rowKey={(batch) => batch.id}
        open={({ id }) => void navigate({ to: '/people/imports/$batch', params: { batch: id }, search: {} })}
        empty={
          <Empty icon={FileUp} title="No imports yet" action={<Button onClick={add}>Import people</Button>}>
            Every import appears here with the outcome of each row. You can roll back an import until someone
            in it has received a letter.
          </Empty>
        }
      />
    </Page>
  );
}
