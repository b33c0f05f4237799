// Settings › Templates: reusable letters, which steps are begun from. One is written, renamed and deleted here; steps that were
// made of it stay as they are.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FileText, Plus } from 'lucide-react';
import { useAct, usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { DeleteButton } from '../../../../ui/kit/delete-button.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Template } from '../templates.contract.ts';
import classes from './templates.module.css';

const TemplateDialog = later(
  () => import('./template-dialog.tsx').then((m) => m.TemplateDialog),
  ({ opened }) => opened,
);

const COLUMNS: Column<Template>[] = [
  {
    key: 'name',
    title: 'Template',
    cell: ({ name, subject, text }) => (
      <div className={classes.name}>
        <strong>{name}</strong>
        <span dir="auto">{subject ?? text.split('\n')[0]}</span>
      </div>
    ),
  },
  {
    key: 'changed',
    title: 'Changed',
    width: '112px',
    hide: 'narrow',
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
  { key: 'remove', title: 'Delete', width: '132px', bare: true, cell: (row) => <Remove row={row} /> },
];

function Remove({ row: { id, name } }: { row: Template }) {
  const remove = useAct('template_delete', { says: `${name} deleted` });
  return (
    <DeleteButton
      title={`Delete ${name}?`}
      says="New steps can’t use a deleted template. Existing steps don’t change."
      act="Delete template"
      busy={remove.isPending}
      onDelete={() => remove.mutate({ template: id })}
    />
  );
}

export function TemplatesScreen() {
  const search = useSearch({ from: '/desk/settings/templates' });
  const navigate = useNavigate({ from: '/settings/templates' });
  const pages = usePages('template_list', { limit: 100 });
  const show = (change: { new?: string | undefined; open?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const begin = (): void => show({ new: 'template', open: undefined });
  useKeys([{ keys: 'n', does: 'New template', group: 'Templates', run: begin }]);
  const opened = pages.rows.find(({ id }) => id === search.open);
  const add = (
    <Button leftSection={<Plus size={15} />} onClick={begin}>
      New template
    </Button>
  );
  return (
    <Page crumbs={[{ title: 'Settings' }, { title: 'Templates' }]} actions={add}>
      <DataList
        label="Templates"
        columns={COLUMNS}
        pages={pages}
        rowKey={({ id }) => id}
        open={({ id }) => show({ open: id, new: undefined })}
        empty={
          <Empty icon={FileText} title="No templates yet" action={add}>
            A template is a letter that you can copy into a step and edit.
          </Empty>
        }
      />
      <TemplateDialog
        opened={search.new === 'template' || opened !== undefined}
        template={opened}
        close={() => show({ open: undefined, new: undefined })}
      />
    </Page>
  );
}
