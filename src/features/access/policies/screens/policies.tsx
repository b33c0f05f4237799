// Settings › Policies: the documents that say what users, groups and service tokens may do.
import { Button } from '@mantine/core';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { CircleHelp, Plus, ScrollText } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import type { PolicyRow } from '../contract.ts';
import classes from './policies.module.css';

const PolicyDrawer = later(
  () => import('./policy-drawer.tsx').then((m) => m.PolicyDrawer),
  ({ opened }) => opened,
);

const COLUMNS: Column<PolicyRow>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: (policy) => (
      <span className={classes.name}>
        <code>{policy.name}</code>
        {policy.built_in && <Pill>Built in</Pill>}
      </span>
    ),
  },
  {
    key: 'says',
    title: 'Statements',
    width: '52%',
    hide: 'narrow',
    cell: (policy) => <Says policy={policy} />,
  },
  {
    key: 'attached',
    title: 'Attached to',
    width: '104px',
    align: 'end',
    cell: (policy) => (policy.name === 'member' ? 'All' : policy.attached),
  },
];

function Says({ policy }: { policy: PolicyRow }) {
  const count = (effect: PolicyRow['statements'][number]['effect']): string[] =>
    policy.statements.filter((one) => one.effect === effect).flatMap((one) => one.actions);
  const allows = count('allow');
  const proposes = count('propose');
  const denies = count('deny');
  return (
    <span className={classes.says}>
      {allows.length > 0 && <span>allows {allows.join(', ')}</span>}
      {proposes.length > 0 && <span>proposes {proposes.join(', ')}</span>}
      {denies.length > 0 && <span className={classes.denies}>denies {denies.join(', ')}</span>}
      {policy.statements.length === 0 && <span>No statements</span>}
    </span>
  );
}

export function PoliciesScreen() {
  const search = useSearch({ from: '/desk/settings/policies' });
  const navigate = useNavigate({ from: '/settings/policies' });
  const router = useRouter();
  const pages = usePages('policy_list', { limit: 200 });
  const show = (open: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, open }), replace: true });
  const explain = (): void => void router.navigate({ to: '/settings/policies/explain' });

  useKeys([
    { keys: 'n', does: 'New policy', group: 'Policies', run: () => show('new policy') },
    { keys: 'e', does: 'Explain a decision', group: 'Policies', run: explain },
  ]);

  return (
    <Page
      crumbs={[{ title: 'Settings' }, { title: 'Policies' }]}
      actions={
        <>
          <Button variant="default" leftSection={<CircleHelp size={15} />} onClick={explain}>
            Explain
          </Button>
          <Button leftSection={<Plus size={15} />} onClick={() => show('new policy')}>
            New policy
          </Button>
        </>
      }
    >
      <DataList
        label="Policies"
        columns={COLUMNS}
        pages={pages}
        rowKey={(policy) => policy.name}
        open={(policy) => show(policy.name)}
        empty={
          <Empty icon={ScrollText} title="No policies to show">
            Policies you have access to appear here.
          </Empty>
        }
      />
      <PolicyDrawer
        policy={pages.rows.find((policy) => policy.name === search.open) ?? null}
        opened={search.open === 'new policy' || pages.rows.some((policy) => policy.name === search.open)}
        onClose={() => show(undefined)}
      />
    </Page>
  );
}
