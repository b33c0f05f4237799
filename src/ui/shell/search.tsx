// ⌘K: every screen, project and work item, and the acts that lie outside any one of them. Loaded when it is first opened.
import '@mantine/spotlight/styles.layer.css';
import { useMantineColorScheme } from '@mantine/core';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useRouter } from '@tanstack/react-router';
import { FileUp, History, KeyRound, Moon, SearchIcon, Settings, SquareKanban, Sun } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useRead } from '../client/hooks.ts';
import { useMe } from '../client/session.ts';
import { useTopmost } from '../kit/topmost.ts';
import { StatusMark } from '../kit/pills.tsx';
import { mayAdminister, PLACES } from './places.ts';
import { SETTINGS_PAGES } from './settings-pages.ts';
import { useFoundItems } from './search-items.ts';

const [store, spotlight] = createSpotlight();

const NONE: never[] = [];

/** The list marks what Enter takes as it is typed; what is found later is marked here, as the list itself would. */
function markFirst(): void {
  const list = document.getElementById(store.getState().listId);
  if (!list || list.querySelector('[data-selected]')) return;
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

const marked = (): HTMLElement | null =>
  document.getElementById(store.getState().listId)?.querySelector<HTMLElement>('[data-selected]') ?? null;

export function Search({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const me = useMe();
  const router = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  const projects = useRead('project_list', { limit: 200 }).data?.items ?? NONE;

  const [query, setQuery] = useState('');
  const { items, settling } = useFoundItems(query);
  /** Enter was pressed before anything was found: it takes the first thing that is. */
  const hasty = useRef(false);

  useEffect(() => {
    if (settling) return;
    markFirst();
    const first = hasty.current ? marked() : null;
    if (first === null) return;
    hasty.current = false;
    first.click();
    // Projects may come after everything else was answered: then they are the first there is.
  }, [settling, items, projects]);

  const onKeyDown = (event: KeyboardEvent): void => {
    hasty.current = event.key === 'Enter' && marked() === null;
  };

  useEffect(() => {
    if (opened) spotlight.open();
    else spotlight.close();
  }, [opened]);

  const topmost = useTopmost(opened);
  const admin = mayAdminister(me);
  const icon = (Icon: typeof Moon) => <Icon size={17} strokeWidth={1.75} aria-hidden />;
  const groups: { group: string; actions: SpotlightActionData[] }[] = [
    {
      group: 'Go to',
      actions: PLACES.filter((place) => place.shown(me)).map((place) => ({
        id: place.to,
        label: place.title,
        description: place.says,
        keywords: place.also ?? [],
        leftSection: icon(place.icon),
        onClick: () => void router.navigate({ to: place.to }),
      })),
    },
    {
      group: 'Projects',
      actions: projects.map((project) => ({
        id: project.id,
        label: project.name,
        description: `${project.key}, work board`,
        keywords: [project.key],
        leftSection: icon(SquareKanban),
        onClick: () => void router.navigate({ to: '/work/$project', params: { project: project.key } }),
      })),
    },
    {
      group: 'Settings',
      actions: SETTINGS_PAGES.filter((page) => (admin || !page.admin) && page.to !== '/activity').map(
        (page) => ({
          id: page.to,
          label: page.title,
          description: `Settings, ${page.group}`,
          leftSection: icon(Settings),
          onClick: () => void router.navigate({ to: page.to }),
        }),
      ),
    },
    {
      group: 'Do',
      actions: [
        ...(admin
          ? [
              {
                id: 'import',
                label: 'Import people',
                description: 'From a CSV or Excel file, once its plan was read',
                keywords: ['upload', 'csv', 'xlsx', 'excel', 'list'],
                leftSection: icon(FileUp),
                onClick: () => void router.navigate({ to: '/people/import' }),
              },
              {
                id: 'imports',
                label: 'Imports',
                description: 'What was imported, what became of it, and rolling it back',
                keywords: ['batches', 'history', 'rollback', 'undo'],
                leftSection: icon(History),
                onClick: () => void router.navigate({ to: '/people/imports' }),
              },
              {
                id: 'connect',
                label: 'Connect an agent',
                description: 'Mint a token and copy the line for your client',
                keywords: ['mcp', 'token', 'claude', 'cursor', 'codex'],
                leftSection: icon(KeyRound),
                onClick: () => void router.navigate({ to: '/settings/api/connect' }),
              },
            ]
          : []),
        {
          id: 'light',
          label: 'Light appearance',
          leftSection: icon(Sun),
          onClick: () => setColorScheme('light'),
        },
        {
          id: 'dark',
          label: 'Dark appearance',
          leftSection: icon(Moon),
          onClick: () => setColorScheme('dark'),
        },
      ],
    },
    // Last, because they come later than the rest and must not push it away under the hand.
    {
      group: 'Work items',
      actions: items.map((item) => ({
        id: item.id,
        label: item.title,
        description: item.key,
        // Found by the product, wherever its words stand: the list does not sieve it once more.
        keywords: [query.trim()],
        leftSection: <StatusMark status={item.status} size={17} />,
        onClick: () =>
          void router.navigate({
            to: '/work/$project/$item',
            params: { project: item.key.slice(0, item.key.lastIndexOf('-')), item: item.key },
          }),
      })),
    },
  ].filter((group) => group.actions.length > 0);

  return (
    <Spotlight
      store={store}
      closeOnEscape={topmost}
      actions={groups}
      shortcut={null}
      attributes={{ content: { 'aria-label': 'Search and jump' } }}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      scrollable
      maxHeight={420}
      highlightQuery
      nothingFound={settling ? 'Searching…' : 'Nothing goes by that name.'}
      searchProps={{
        placeholder: 'Search and jump',
        'aria-label': 'Search and jump',
        onKeyDown,
        leftSection: <SearchIcon size={17} aria-hidden />,
      }}
    />
  );
}
