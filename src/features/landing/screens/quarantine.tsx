// Inbox › Quarantine: mail that nobody could place, why it waits, what it says as plain text, and where it belongs.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { MailQuestion } from 'lucide-react';
import { usePages } from '../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../ui/kit/data-list.tsx';
import { later } from '../../../ui/kit/later.tsx';
import { Page } from '../../../ui/kit/page.tsx';
import { Pill } from '../../../ui/kit/pills.tsx';
import { Empty } from '../../../ui/kit/states.tsx';
import { Time } from '../../../ui/kit/time.tsx';
import type { Quarantined } from '../contract.ts';
import classes from './quarantine.module.css';

const MailDrawer = later(
  () => import('./mail-drawer.tsx').then((m) => m.MailDrawer),
  ({ mail }) => mail !== null,
);

const COLUMNS: Column<Quarantined>[] = [
  {
    key: 'mail',
    title: 'Mail',
    cell: (row) => (
      <span className={classes.mail}>
        <strong dir="auto">{row.from.name ?? row.from.address ?? 'Nobody named'}</strong>
        <span dir="auto">{row.subject || 'No subject'}</span>
      </span>
    ),
  },
  {
    key: 'why',
    title: 'Why it waits',
    width: '40%',
    hide: 'narrow',
    cell: (row) => <span className={classes.why}>{row.note}</span>,
  },
  {
    key: 'state',
    title: 'Mark',
    width: '92px',
    hide: 'medium',
    cell: (row) =>
      row.state === 'broken' ? (
        <Pill tone="bad">Not read</Pill>
      ) : row.folder === 'junk' ? (
        <Pill tone="warn">Junk</Pill>
      ) : null,
  },
  { key: 'at', title: 'Came in', width: '92px', cell: (row) => <Time at={row.received_at} /> },
];

export function QuarantineScreen() {
  const { open } = useSearch({ from: '/desk/inbox/quarantine' });
  const navigate = useNavigate({ from: '/inbox/quarantine' });
  const pages = usePages('quarantine_list', { limit: 50 });
  const show = (id: string | undefined): void => void navigate({ search: { open: id }, replace: true });
  return (
    <Page crumbs={[{ title: 'Inbox', to: '/inbox' }, { title: 'Quarantine' }]}>
      <DataList
        label="Mail that could not be placed"
        columns={COLUMNS}
        pages={pages}
        rowKey={(row) => row.id}
        open={(row) => show(row.id)}
        empty={
          <Empty icon={MailQuestion} title="Nothing waits here">
            Mail that answers no letter of yours, from nobody you know, is kept here until somebody says where
            it belongs. Nothing is dropped.
          </Empty>
        }
      />
      <MailDrawer mail={pages.rows.find(({ id }) => id === open) ?? null} onClose={() => show(undefined)} />
    </Page>
  );
}
