// Settings › Forms: web forms, with their submissions.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ClipboardList, Plus } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Form } from '../contract.ts';
import classes from './forms.module.css';

const FormDrawer = later(
  () => import('./form-drawer.tsx').then((m) => m.FormDrawer),
  ({ opened }) => opened,
);

const COLUMNS: Column<Form>[] = [
  {
    key: 'name',
    title: 'Form',
    cell: (row) => (
      <span className={classes.name}>
        <strong dir="auto">{row.name}</strong>
        {row.origins.length > 0 && <span>{row.origins.join(', ')}</span>}
      </span>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '120px',
    cell: (row) => <Pill tone={row.active ? 'good' : 'mute'}>{row.active ? 'Accepting' : 'Off'}</Pill>,
  },
  {
    key: 'posts',
    title: 'Submissions',
    width: '80px',
    align: 'end',
    hide: 'narrow',
    cell: (row) => row.posts,
  },
  {
    key: 'last',
    title: 'Last submission',
    width: '112px',
    hide: 'narrow',
    cell: (row) => <Time at={row.last_post_at} />,
  },
];

export function FormsScreen() {
  const search = useSearch({ from: '/desk/settings/forms' });
  const navigate = useNavigate({ from: '/settings/forms' });
  const pages = usePages('form_list', { limit: 100 });
  const show = (change: { open?: string | undefined; new?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const make = (): void => show({ new: 'form', open: undefined });
  useKeys([{ keys: 'n', does: 'Create form', group: 'Forms', run: make }]);
  const open = pages.rows.find(({ id }) => id === search.open) ?? null;
  const button = (
    <Button leftSection={<Plus size={15} />} onClick={make}>
      Create form
    </Button>
  );
  return (
    <Page crumbs={[{ title: 'Settings' }, { title: 'Forms' }]} actions={button}>
      <DataList
        label="Web forms"
        columns={COLUMNS}
        pages={pages}
        rowKey={(row) => row.id}
        open={(row) => show({ open: row.id, new: undefined })}
        empty={
          <Empty icon={ClipboardList} title="No forms yet" action={button}>
            Add a contact form to your website. Each submission starts a conversation in your inbox.
          </Empty>
        }
      />
      <FormDrawer
        form={open}
        opened={open !== null || search.new === 'form'}
        onClose={() => show({ open: undefined, new: undefined })}
        made={(id) => show({ open: id, new: undefined })}
      />
    </Page>
  );
}
