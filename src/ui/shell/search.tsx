// ⌘K: every screen, record and act. What was taken lately is first. Loaded when it is first opened.
import '@mantine/spotlight/styles.layer.css';
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { SearchIcon } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useRead } from '../client/hooks.ts';
import { useTopmost } from '../kit/topmost.ts';
import { isNear } from './near.ts';
import { useActions } from './search-actions.tsx';
import { useFoundRecords } from './search-records.ts';

const [store, spotlight] = createSpotlight();

const NONE: never[] = [];

/** The list marks what Enter takes as it is typed; what is found later is marked here, as the list itself would. */
function markFirst(): void {
  const list = document.getElementById(store.getState().listId);
  if (!list || list.querySelector('[data-selected]')) return;
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

type Groups = SpotlightActionGroupData[];

const wordsOf = ({ label, description, keywords }: SpotlightActionData): string =>
  [label, description, ...[keywords].flat()].filter(Boolean).join(' ');

/** Whether anything holds the words as they were typed. */
const held = (query: string, groups: Groups): boolean =>
  groups.some(({ actions }) =>
    actions.some((one: SpotlightActionData) =>
      wordsOf(one).toLowerCase().includes(query.trim().toLowerCase()),
    ),
  );

/** What they are a slip of. */
const near = (query: string, groups: Groups): Groups =>
  groups
    .map(({ actions, ...group }) => ({
      ...group,
      actions: actions.filter(({ label, keywords }: SpotlightActionData) =>
        isNear(query, [label, ...[keywords].flat()].join(' ')),
      ),
    }))
    .filter(({ actions }) => actions.length > 0);

const marked = (): HTMLElement | null =>
  document.getElementById(store.getState().listId)?.querySelector<HTMLElement>('[data-selected]') ?? null;

type SearchProps = {
  opened: boolean;
  /** What was typed before its field was. */
  ahead: string;
  onClose: () => void;
};

export function Search({ opened, ahead, onClose }: SearchProps) {
  const projects = useRead('project_list', { limit: 200 }).data?.items ?? NONE;
  const [query, setQuery] = useState('');
  const [taken, setTaken] = useState('');
  if (ahead !== taken) {
    setTaken(ahead);
    if (ahead !== '') setQuery(ahead);
  }
  const { records, settling } = useFoundRecords(query);
  const groups = useActions(query, opened, projects, records, settling);
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
  }, [settling, records, projects]);

  const onKeyDown = (event: KeyboardEvent): void => {
    hasty.current = event.key === 'Enter' && marked() === null;
  };

  useEffect(() => {
    if (opened) spotlight.open();
    else spotlight.close();
  }, [opened]);

  const topmost = useTopmost(opened);
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
      {...(!settling && !held(query, groups) ? { filter: (asked) => near(asked, groups) } : {})}
      nothingFound={settling ? 'Searching…' : 'No matches.'}
      searchProps={{
        placeholder: 'Search people, mail, campaigns, work, settings and actions',
        'aria-label': 'Search and jump',
        onKeyDown,
        leftSection: <SearchIcon size={17} aria-hidden />,
      }}
    />
  );
}
