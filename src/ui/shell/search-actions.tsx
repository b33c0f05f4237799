// What ⌘K lists, in its groups: what was taken lately, places, acts, projects, settings, and the records that were found.
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { useRouter } from '@tanstack/react-router';
import {
  Building2,
  HandCoins,
  Inbox,
  Megaphone,
  Settings,
  SquareKanban,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import { useMemo } from 'react';
import type { Answer } from '../client/call.ts';
import { useMe } from '../client/session.ts';
import { ACTS, type AtOnce } from './acts.ts';
import { useLook } from './look.ts';
import { mayAdminister, PLACES } from './places.ts';
import { recentOf, remember, type Recent } from './recent.ts';
import type { FoundRecord } from './search-records.ts';
import { foundSettings, settingAddress } from './settings-search.ts';
import { SETTINGS_PAGES } from './settings-pages.ts';
import { useSignOut } from './sign-out.ts';

const KINDS: Record<FoundRecord['kind'], { group: string; icon: LucideIcon }> = {
  person: { group: 'People', icon: UserRound },
  company: { group: 'Companies', icon: Building2 },
  campaign: { group: 'Campaigns', icon: Megaphone },
  deal: { group: 'Deals', icon: HandCoins },
  thread: { group: 'Conversations', icon: Inbox },
  item: { group: 'Work items', icon: SquareKanban },
};

type Project = Answer<'project_list'>['items'][number];
type Grouped = SpotlightActionGroupData;

const icon = (Icon: LucideIcon) => <Icon size={17} strokeWidth={1.75} aria-hidden />;

/** `opened`: what was taken lately is read again each time it is opened. `settling`: the records answer a former question. */
export function useActions(
  query: string,
  opened: boolean,
  projects: Project[],
  records: FoundRecord[],
  settling: boolean,
): Grouped[] {
  const me = useMe();
  const user = me.principal.id;
  const router = useRouter();
  const { setScheme, setDensity } = useLook(user);
  const signOut = useSignOut();
  const lately = useMemo(() => (opened ? recentOf(user) : []), [opened, user]);

  const go = (to: string): void => void router.navigate({ href: to });
  const doAtOnce: Record<AtOnce, () => void> = {
    light: () => setScheme('light'),
    dark: () => setScheme('dark'),
    as_system: () => setScheme('auto'),
    comfortable: () => setDensity('comfortable'),
    compact: () => setDensity('compact'),
    sign_out: () => void signOut(),
  };
  const action = (taken: Recent, run: () => void, shown: Omit<SpotlightActionData, 'id' | 'onClick'>) => ({
    ...shown,
    id: taken.id,
    onClick: () => {
      remember(user, taken);
      run();
    },
  });
  const ofRecord = (record: NonNullable<Recent['record']>, id: string, keywords: string[]) =>
    action({ id, record }, () => go(record.place), {
      label: record.title,
      description: record.says,
      keywords,
      leftSection: icon(KINDS[record.kind as FoundRecord['kind']].icon),
    });

  const settings = SETTINGS_PAGES.filter(
    (page) => (mayAdminister(me) || !page.admin) && page.to !== '/activity',
  );
  const standing: { group: string; actions: SpotlightActionData[] }[] = [
    {
      group: 'Go to',
      actions: PLACES.filter((place) => place.shown(me)).map((place) =>
        action({ id: place.to }, () => go(place.to), {
          label: place.title,
          description: place.says,
          keywords: place.also ?? [],
          leftSection: icon(place.icon),
        }),
      ),
    },
    {
      group: 'Do',
      actions: ACTS.filter((act) => act.shown(me)).map((act) =>
        action({ id: act.id }, 'to' in act ? () => go(act.to) : doAtOnce[act.at_once], {
          label: act.title,
          ...(act.says ? { description: act.says } : {}),
          keywords: act.also ?? [],
          leftSection: icon(act.icon),
        }),
      ),
    },
    {
      group: 'Projects',
      actions: projects.map((project) =>
        action({ id: project.id }, () => go(`/work/${project.key}`), {
          label: project.name,
          description: `${project.key}, work board`,
          keywords: [project.key],
          leftSection: icon(SquareKanban),
        }),
      ),
    },
    {
      group: 'Settings',
      actions: [
        ...settings.map((page) =>
          action({ id: page.to }, () => go(page.to), {
            label: page.title,
            description: `Settings, ${page.group}`,
            keywords: [page.says],
            leftSection: icon(Settings),
          }),
        ),
        ...foundSettings(settings, query).map(({ page, setting }) =>
          action({ id: settingAddress(page, setting) }, () => go(settingAddress(page, setting)), {
            label: setting.name,
            description: `${page.title}: ${setting.says}`,
            keywords: [query.trim()],
            leftSection: icon(Settings),
          }),
        ),
      ],
    },
  ];
  const known = new Map(standing.flatMap(({ actions }) => actions.map((one) => [one.id, one] as const)));
  const recent = lately.flatMap(({ id, record }) => {
    // Found by the product in other words than its title's, it is here and not once more below.
    const asked = !settling && records.some((found) => found.id === id) ? [query.trim()] : [];
    const one = record ? ofRecord(record, id, [record.says, ...asked]) : known.get(id);
    return one ? [one] : [];
  });
  const taken = new Set(recent.map(({ id }) => id));
  const found = Object.entries(KINDS).map(([kind, { group }]) => ({
    group,
    actions: records
      .filter((record) => record.kind === kind && !taken.has(record.id))
      // Found by the product, wherever its words exist: the list does not sieve it once more.
      .map(({ id, ...record }) => ofRecord(record, id, [query.trim()])),
  }));
  return [
    { group: 'Recent', actions: recent },
    ...standing.map(({ group, actions }) => ({
      group,
      actions: actions.filter(({ id }) => !taken.has(id ?? '')),
    })),
    // Last, because they come later than the rest and must not push it away under the hand.
    ...found,
  ].filter(({ actions }) => actions.length > 0);
}
