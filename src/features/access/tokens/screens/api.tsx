// Settings › Access & Security › API: the tokens of this instance, whose they are, what they reach, and when they were used.
import { Button } from '@mantine/core';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { KeyRound, Plug, Plus } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { CsvButton, csvAddress } from '../../../../ui/kit/list-tools.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Mark } from '../../../../ui/kit/principal.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { TokenRow } from '../contract.ts';
import { ActsAs, Expiry, Scopes } from './token-parts.tsx';
import classes from './tokens.module.css';

const MintDialog = later(
  () => import('./mint-dialog.tsx').then((m) => m.MintDialog),
  ({ opened }) => opened,
);
const TokenDrawer = later(
  () => import('./token-drawer.tsx').then((m) => m.TokenDrawer),
  ({ token }) => token !== null,
);

const COLUMNS: Column<TokenRow>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: (token) => (
      <span className={classes.name}>
        <Mark
          of={{ kind: token.mode === 'service' ? 'service' : 'agent', id: token.id, name: token.name }}
          size={22}
        />
        <strong>{token.name}</strong>
        <code title="Ends with">…{token.hint}</code>
      </span>
    ),
  },
  { key: 'acts', title: 'Acts as', width: '22%', hide: 'narrow', cell: (token) => <ActsAs token={token} /> },
  { key: 'scopes', title: 'Scopes', width: '140px', cell: (token) => <Scopes token={token} /> },
  {
    key: 'expires',
    title: 'Expires',
    width: '104px',
    hide: 'narrow',
    cell: (token) => <Expiry at={token.expires_at} />,
  },
  {
    key: 'used',
    title: 'Last used',
    width: '104px',
    hide: 'medium',
    cell: (token) => <Time at={token.last_used_at} />,
  },
  {
    key: 'agent',
    title: 'First agent turn',
    width: '132px',
    hide: 'medium',
    cell: (token) =>
      token.mode === 'service' ? (
        <Pill tone="service">service</Pill>
      ) : (
        <Time at={token.first_agent_turn_at} none="None yet" />
      ),
  },
];

export function ApiScreen() {
  const search = useSearch({ from: '/desk/settings/api' });
  const navigate = useNavigate({ from: '/settings/api' });
  const router = useRouter();
  const pages = usePages('token_list', {});
  const show = (change: { open?: string | undefined; new?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const connect = (): void => void router.navigate({ to: '/settings/api/connect' });

  useKeys([{ keys: 'n', does: 'Mint a token', group: 'Tokens', run: () => show({ new: 'token' }) }]);

  return (
    <Page
      crumbs={[{ title: 'Settings' }, { title: 'API' }]}
      actions={
        <>
          <CsvButton file={csvAddress('token_list', {})} />
          <Button variant="default" leftSection={<Plug size={15} />} onClick={connect} visibleFrom="xs">
            Connect an agent
          </Button>
          <Button leftSection={<Plus size={15} />} onClick={() => show({ new: 'token' })}>
            Mint a token
          </Button>
        </>
      }
    >
      <DataList
        label="Tokens"
        columns={COLUMNS}
        pages={pages}
        rowKey={(token) => token.id}
        open={(token) => show({ open: token.id })}
        empty={
          <Empty
            icon={KeyRound}
            title="No tokens yet"
            action={<Button onClick={connect}>Connect an agent</Button>}
          >
            Agents and programs use a token to call this instance. Mint a token to connect your agent.
          </Empty>
        }
      />
      <TokenDrawer
        token={pages.rows.find((token) => token.id === search.open) ?? null}
        onClose={() => show({ open: undefined })}
      />
      <MintDialog opened={search.new === 'token'} onClose={() => show({ new: undefined })} />
    </Page>
  );
}
