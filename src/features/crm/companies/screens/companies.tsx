// Companies: whom people work for, by name or newest change, and how many people each has here.
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Building2, Plus, Search } from 'lucide-react';
import { useRef } from 'react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { csvAddress, ListTools, useColumns } from '../../../../ui/kit/list-tools.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Company } from '../contract.ts';
import classes from './companies.module.css';

const NewCompany = later(
  () => import('./new-company.tsx').then((m) => m.NewCompany),
  ({ opened }) => opened,
);

const none = <span className={classes.none}>None</span>;

const COLUMNS: Column<Company>[] = [
  {
    key: 'name',
    title: 'Company',
    cell: (company) => (
      <span className={classes.name}>
        <strong>
          <bdi>{company.name}</bdi>
        </strong>
        <span>{company.domain ?? 'No domain'}</span>
      </span>
    ),
  },
  { key: 'people', title: 'People', width: '84px', align: 'end', cell: (company) => company.people },
  { key: 'size', title: 'Size', width: '16%', hide: 'medium', cell: (company) => company.size ?? none },
  {
    key: 'country',
    title: 'Country',
    width: '96px',
    hide: 'narrow',
    cell: (company) => company.country ?? none,
  },
  {
    key: 'timezone',
    title: 'Time zone',
    width: '18%',
    hide: 'medium',
    cell: (company) => company.timezone ?? none,
  },
  {
    key: 'updated',
    title: 'Changed',
    width: '104px',
    hide: 'narrow',
    cell: (company) => <Time at={company.updated_at} />,
  },
];

type Change = Partial<Record<'query' | 'sort' | 'new', string | undefined>>;

export function CompaniesScreen() {
  const search = useSearch({ from: '/desk/companies' });
  const navigate = useNavigate({ from: '/companies' });
  const field = useRef<HTMLInputElement>(null);
  const sort = search.sort === 'updated' ? 'updated' : 'name';
  const filters = { sort, ...(search.query ? { query: search.query } : {}) } as const;
  const pages = usePages('company_list', { limit: 100, ...filters });
  const { shown, tools } = useColumns({
    list: 'companies',
    columns: COLUMNS,
    search,
    go: (to) => void navigate({ search: to, replace: true }),
  });
  const show = (change: Change): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const add = (): void => show({ new: 'company' });

  useKeys([
    { keys: 'n', does: 'Add a company', group: 'Companies', run: add },
    { keys: '/', does: 'Find a company', group: 'Companies', run: () => field.current?.focus() },
  ]);

  return (
    <Page
      crumbs={[{ title: 'Companies' }]}
      actions={
        <>
          <ListTools tools={tools} file={csvAddress('company_list', filters)} />
          <Button leftSection={<Plus size={15} />} onClick={add}>
            Add
          </Button>
        </>
      }
      bar={
        <>
          <TextInput
            ref={field}
            aria-label="Find by name or domain"
            placeholder="Find companies"
            leftSection={<Search size={14} aria-hidden />}
            value={search.query ?? ''}
            onChange={(event) => show({ query: event.currentTarget.value || undefined })}
            w={220}
          />
          <NativeSelect
            aria-label="Order"
            value={sort}
            onChange={(event) =>
              show({ sort: event.currentTarget.value === 'name' ? undefined : event.currentTarget.value })
            }
            data={[
              { value: 'name', label: 'By name' },
              { value: 'updated', label: 'Recently changed first' },
            ]}
          />
        </>
      }
    >
      <DataList
        label="Companies"
        columns={shown}
        pages={pages}
        rowKey={(company) => company.id}
        open={(company) => void navigate({ to: '/companies/$company', params: { company: company.id } })}
        empty={
          search.query ? (
            <Empty
              icon={Building2}
              title="No matching companies"
              action={
                <Button variant="default" onClick={() => show({ query: undefined })}>
                  Show all companies
                </Button>
              }
            >
              Try another name or domain.
            </Empty>
          ) : (
            <Empty
              icon={Building2}
              title="No companies yet"
              action={<Button onClick={add}>Add a company</Button>}
            >
              A company groups people and gives them its country and time zone. Add your first company.
            </Empty>
          )
        }
      />
      <NewCompany opened={search.new === 'company'} onClose={() => show({ new: undefined })} />
    </Page>
  );
}
