// Inbox › Quarantine: email that matched no conversation, with the reason.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ListFilter, MailQuestion } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { later } from '../../../../ui/kit/later.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { useChosen } from '../../../../ui/shell/runs-chosen.tsx';
import type { Quarantined } from '../contract.ts';
import { BulkDismiss } from './bulk-dismiss.tsx';
import classes from './quarantine.module.css';

const MailDrawer = later(
  () => import('./mail-drawer.tsx').then((m) => m.MailDrawer),
  ({ mail }) => mail !== null,
);

const RulesDrawer = later(
  () => import('./rules-drawer.tsx').then((m) => m.RulesDrawer),
  ({ opened }) => opened,
);

const COLUMNS: Column<Quarantined>[] = [
  {
    key: 'mail',
    title: 'Email',
    cell: (row) => (
      <span className={classes.mail}>
        <strong dir="auto">{row.from.name ?? row.from.address ?? 'Unknown sender'}</strong>
        <span dir="auto">{row.subject || 'No subject'}</span>
      </span>
    ),
  },
  {
    key: 'why',
    title: 'Reason',
    width: '40%',
    hide: 'narrow',
    cell: (row) => <span className={classes.why}>{row.note}</span>,
  },
  {
    key: 'state',
    title: 'Flag',
    width: '92px',
    hide: 'medium',
    cell: (row) =>
      row.state === 'broken' ? (
        <Pill tone="bad">Unreadable</Pill>
      ) : row.folder === 'junk' ? (
        <Pill tone="warn">Junk</Pill>
      ) : null,
  },
  { key: 'at', title: 'Received', width: '92px', cell: (row) => <Time at={row.received_at} /> },
];

export function QuarantineScreen() {
  const search = useSearch({ from: '/desk/inbox/quarantine' });
  const navigate = useNavigate({ from: '/inbox/quarantine' });
  const { from, domain, list } = search;
  const filter = { ...(from && { from }), ...(domain && { domain }), ...(list && { list }) };
  const narrowed = from ?? domain ?? list;
  const pages = usePages('quarantine_list', { ...filter, limit: 50 });
  const chosen = useChosen('quarantine_list', filter, pages);
  const go = (to: typeof search): void => void navigate({ search: to, replace: true });
  const show = (id: string | undefined): void => go({ ...filter, open: id });
  return (
    <Page
      crumbs={[{ title: 'Inbox', to: '/inbox' }, { title: 'Quarantine' }]}
      actions={
        <Button
          variant="default"
          leftSection={<ListFilter size={15} />}
          onClick={() => go({ ...filter, view: 'rules' })}
        >
          Rules
        </Button>
      }
    >
      <div className={classes.frame}>
        {narrowed !== undefined && (
          <p className={classes.narrowed}>
            <span>
              {list === undefined ? 'From' : 'Mailing list'} <bdi>{narrowed}</bdi>
            </span>
            <Button size="compact-sm" variant="subtle" onClick={() => go({})}>
              Clear filters
            </Button>
          </p>
        )}
        <DataList
          label="Unmatched email"
          columns={COLUMNS}
          pages={pages}
          rowKey={(row) => row.id}
          open={(row) => show(row.id)}
          selection={chosen.selection}
          empty={
            narrowed === undefined ? (
              <Empty icon={MailQuestion} title="Quarantine is empty">
                Email that matches no letter and no person you know waits here until you choose its
                conversation.
              </Empty>
            ) : (
              <Empty
                icon={MailQuestion}
                title="No matching email"
                action={
                  <Button variant="default" onClick={() => go({})}>
                    Clear filters
                  </Button>
                }
              >
                Try another filter.
              </Empty>
            )
          }
        />
        <BulkDismiss chosen={chosen} filter={filter} />
      </div>
      <MailDrawer
        mail={pages.rows.find(({ id }) => id === search.open) ?? null}
        only={(to) => go(to)}
        onClose={() => show(undefined)}
      />
      <RulesDrawer opened={search.view === 'rules'} onClose={() => go(filter)} />
    </Page>
  );
}
