// ⌘K: every screen, and the acts that lie outside any one of them. Loaded when it is first opened.
import '@mantine/spotlight/styles.layer.css';
import { useMantineColorScheme } from '@mantine/core';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useRouter } from '@tanstack/react-router';
import { KeyRound, Moon, SearchIcon, Settings, SquareKanban, Sun } from 'lucide-react';
import { useEffect } from 'react';
import { useRead } from '../client/hooks.ts';
import { useMe } from '../client/session.ts';
import { mayAdminister, PLACES, SETTINGS_PAGES } from './places.ts';

const [store, spotlight] = createSpotlight();

export function Search({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const me = useMe();
  const router = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  const projects = useRead('project_list', { limit: 200 }).data?.items ?? [];

  useEffect(() => {
    if (opened) spotlight.open();
    else spotlight.close();
  }, [opened]);

  const admin = mayAdminister(me);
  const icon = (Icon: typeof Moon) => <Icon size={17} strokeWidth={1.75} aria-hidden />;
  const groups: { group: string; actions: SpotlightActionData[] }[] = [
    {
      group: 'Go to',
      actions: PLACES.filter((place) => place.shown(me)).map((place) => ({
        id: place.to,
        label: place.title,
        description: place.says,
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
  ].filter((group) => group.actions.length > 0);

  return (
    <Spotlight
      store={store}
      actions={groups}
      shortcut={null}
      attributes={{ content: { 'aria-label': 'Search and jump' } }}
      onSpotlightClose={onClose}
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      scrollable
      maxHeight={420}
      highlightQuery
      nothingFound="Nothing goes by that name."
      searchProps={{
        placeholder: 'Search and jump',
        'aria-label': 'Search and jump',
        leftSection: <SearchIcon size={17} aria-hidden />,
      }}
    />
  );
}
