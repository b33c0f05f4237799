// People: everyone who is known here, by words, segment and filter, however many they are. What is shown is in the
// address; which columns, in this browser too.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FileUp, UserPlus, Users } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { call } from '../../../../ui/client/call.ts';
import { usePages, useRead } from '../../../../ui/client/hooks.ts';
import { DataList } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { csvAddress, ListTools, useColumns } from '../../../../ui/kit/list-tools.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import { useChosen } from '../../../../ui/shell/runs-chosen.tsx';
import { SegmentList, SegmentSelect, useSegmentCount } from '../../segments/screens/shared.ts';
import type { ListedPerson } from '../contract.ts';
import { columnsWith, DEFAULT_COLUMNS, withRoom } from './columns.tsx';
import { filtersOf, isNarrowed, sortOf } from './filters.ts';
import { type PeopleQuery, PeopleBar } from './people-bar.tsx';
import classes from './people.module.css';

const NewPerson = later(
  () => import('./new-person.tsx').then((m) => m.NewPerson),
  ({ opened }) => opened,
);
const Bulk = later(
  () => import('./bulk.tsx').then((m) => m.Bulk),
  ({ chosen }) => chosen.picked.length > 0,
);

const EVERYBODY: PeopleQuery = {
  query: undefined,
  tag: undefined,
  owner: undefined,
  basis: undefined,
  suppressed: undefined,
  segment: undefined,
};

export function PeopleScreen() {
  const search = useSearch({ from: '/desk/people' });
  const navigate = useNavigate({ from: '/people' });
  const field = useRef<HTMLInputElement>(null);
  const custom = useRead('field_list', { noun: 'person' }, { stale_ms: 120_000 }).data?.items[0]?.fields;
  const columns = useMemo(() => columnsWith(custom ?? []), [custom]);
  const go = (to: ListState): void => void navigate({ search: to, replace: true });
  const { shown, tools } = useColumns({ list: 'people', columns, search, go }, DEFAULT_COLUMNS);
  const filters = filtersOf(search);
  const args = { ...filters, sort: sortOf(search) };
  const pages = usePages('person_list', { ...args, limit: 100 });
  const known = useSegmentCount(Object.keys(filters).length === 1 ? filters.segment : undefined);
  const chosen = useChosen('person_list', args, pages, async () => {
    return (await call('person_count', filters)).people;
  });

  const show = (change: PeopleQuery): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const open = (person: ListedPerson, act?: 'edit'): void =>
    void navigate({ to: '/people/$person', params: { person: person.id }, search: act ? { act } : {} });
  const add = (): void =>
    void navigate({ search: (before) => ({ ...before, new: 'person' }), replace: true });

  const importList = (): void => void navigate({ to: '/people/import', search: {} });

  useKeys([
    { keys: 'i', does: 'Import people', group: 'People', run: importList },
    { keys: 'n', does: 'Add a person', group: 'People', run: add },
    { keys: '/', does: 'Find people', group: 'People', run: () => field.current?.focus() },
    {
      keys: 'e',
      does: 'Edit person',
      group: 'People',
      run: () => {
        const row = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
        const person = pages.rows[Number(row ?? -1)];
        if (person) open(person, 'edit');
      },
    },
  ]);

  return (
    <Page
      crumbs={[{ title: 'People' }]}
      actions={
        <>
          <ListTools tools={tools} file={csvAddress('person_list', filters)} />
          <Button variant="default" leftSection={<FileUp size={15} />} onClick={importList}>
            Import
          </Button>
          <Button leftSection={<UserPlus size={15} />} onClick={add}>
            Add
          </Button>
        </>
      }
      bar={
        <>
          <span className={classes.phone}>
            <SegmentSelect chosen={search.segment} choose={(segment) => show({ segment })} />
          </span>
          <PeopleBar search={search} show={show} field={field} />
        </>
      }
    >
      <div className={classes.frame}>
        <SegmentList chosen={search.segment} choose={(segment) => show({ segment })} />
        <div className={classes.list}>
          <DataList
            label="People"
            columns={withRoom(shown)}
            pages={pages}
            rowKey={(person) => person.id}
            open={open}
            selection={chosen.selection}
            empty={
              isNarrowed(search) ? (
                <Empty
                  icon={Users}
                  title="No matching people"
                  action={
                    <Button variant="default" onClick={() => show(EVERYBODY)}>
                      Show all people
                    </Button>
                  }
                >
                  Try another search, or clear a filter.
                </Empty>
              ) : (
                <Empty
                  icon={Users}
                  title="No people yet"
                  action={
                    <>
                      <Button onClick={importList}>Import a list</Button>
                      <Button variant="default" onClick={add}>
                        Add a person
                      </Button>
                    </>
                  }
                >
                  Everyone you contact, with addresses, legal basis and history. Add a person, or import a
                  list: you review the plan before anything is saved.
                </Empty>
              )
            }
          />
          <Bulk chosen={chosen} filters={filters} known={known} />
        </div>
      </div>
      <NewPerson
        opened={search.new === 'person'}
        onClose={() => void navigate({ search: (before) => ({ ...before, new: undefined }), replace: true })}
      />
    </Page>
  );
}
