// One's own views of a list: gone to by name, kept from what is shown, renamed and deleted. Kept on the server, for oneself
// alone. On a phone the list's file is had here too.
import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { Bookmark, Check, Download, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Answer, Takes } from '../client/call.ts';
import { useAct, useRead } from '../client/hooks.ts';
import { type ListState, listState } from '../shell/list-state.ts';
import { FormEnd, FormStack, useActForm } from './form.tsx';
import { useTopmost } from './topmost.ts';
import classes from './list-tools.module.css';

export type SavedList = Takes<'view_list'>['list'];
type View = Answer<'view_list'>['items'][number];

/** What lies over a list, or says where in it one exists, belongs to no view. */
const PASSING: readonly (keyof ListState)[] = ['open', 'new', 'cursor'];

function queryOf(search: ListState): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(search))
    if (value && !PASSING.includes(key as keyof ListState)) query.set(key, value);
  query.sort();
  return String(query);
}

type ViewsProps = { list: SavedList; search: ListState; go: (search: ListState) => void; file: string };

export function SavedViews({ list, search, go, file }: ViewsProps) {
  const [opened, setOpened] = useState(false);
  const [naming, setNaming] = useState<Naming>('new');
  const { data } = useRead('view_list', { list }, { stale_ms: 60_000 });
  const remove = useAct('view_delete', { says: 'View deleted' });
  const views = data?.items ?? [];
  const query = queryOf(search);
  const here = views.find((view) => view.query === query);
  const name = (what: Naming): void => {
    setNaming(what);
    setOpened(true);
  };
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<Bookmark size={14} />}
            aria-label={here ? `Saved views: ${here.name}` : 'Saved views'}
          >
            <span className={classes.name}>{here?.name ?? 'Views'}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length > 0 && (
            <>
              <Menu.Label>Your views</Menu.Label>
              <div className={classes.views}>
                {views.map((view) => (
                  <Menu.Item
                    key={view.id}
                    aria-current={view === here || undefined}
                    rightSection={view === here && <Check size={14} aria-hidden />}
                    onClick={() => go(listState(Object.fromEntries(new URLSearchParams(view.query))))}
                  >
                    {view.name}
                  </Menu.Item>
                ))}
              </div>
              <Menu.Item onClick={() => go({})}>Default view</Menu.Item>
              <Menu.Divider />
            </>
          )}
          <Menu.Item leftSection={<Plus size={14} aria-hidden />} onClick={() => name('new')}>
            Save this view…
          </Menu.Item>
          {here && (
            <>
              <Menu.Item leftSection={<Pencil size={14} aria-hidden />} onClick={() => name(here)}>
                Rename {here.name}…
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Trash2 size={14} aria-hidden />}
                onClick={() => remove.mutate({ view: here.id })}
              >
                Delete {here.name}
              </Menu.Item>
            </>
          )}
          <Menu.Item
            component="a"
            href={file}
            download=""
            className={classes.phone ?? ''}
            leftSection={<Download size={14} aria-hidden />}
          >
            Export as CSV
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <NameView opened={opened} close={() => setOpened(false)} naming={naming} list={list} query={query} />
    </>
  );
}

/** A view that is made of what is shown, or one that gets another name. */
type Naming = 'new' | View;

type NameProps = { opened: boolean; close: () => void; naming: Naming; list: SavedList; query: string };

function NameView({ opened, close, naming, list, query }: NameProps) {
  const topmost = useTopmost(opened);
  const title = naming === 'new' ? 'Save this view' : 'Rename this view';
  return (
    <Modal opened={opened} onClose={close} title={title} size={440} closeOnEscape={topmost}>
      <NameForm title={title} naming={naming} list={list} query={query} close={close} />
    </Modal>
  );
}

type NameFormProps = Omit<NameProps, 'opened'> & { title: string };

function NameForm({ title, naming, list, query, close }: NameFormProps) {
  const fresh = naming === 'new';
  const save = useAct('view_save', { quiet: true, says: ({ view }) => `View ${view.name} saved.` });
  const rename = useAct('view_rename', { quiet: true, says: ({ view }) => `View renamed to ${view.name}.` });
  const form = useActForm({ name: fresh ? '' : naming.name }, async ({ name }) => {
    await (fresh ? save.mutateAsync({ list, name, query }) : rename.mutateAsync({ view: naming.id, name }));
    close();
  });
  return (
    <FormStack form={form} label={title}>
      <TextInput
        label="Name"
        description={
          fresh &&
          'Saves the filters, sort order and columns. Only you can see this view. Saving under an existing name replaces that view.'
        }
        maxLength={80}
        data-autofocus
        {...form.text('name')}
      />
      <FormEnd form={form} act={fresh ? 'Save view' : 'Rename'} cancel={close} />
    </FormStack>
  );
}
