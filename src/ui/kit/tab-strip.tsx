// Tabs in one line: of the parts of a record, or of the states that a list is narrowed to. Where they are wider than the screen
// they scroll sideways, and the chosen one is in sight, as is the one that has the focus.
import { Tabs } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './tab-strip.module.css';

type TabStripProps<Key extends string> = {
  /** What they are tabs of, for readers. */
  label: string;
  tabs: readonly { key: Key; title: string }[];
  chosen: Key;
  choose: (key: Key) => void;
  /** Below other tabs they look lighter. */
  pills?: boolean;
};

export function TabStrip<Key extends string>({
  label,
  tabs,
  chosen,
  choose,
  pills = false,
}: TabStripProps<Key>) {
  const strip = useRef<HTMLDivElement>(null);
  const reveal = (tab: Element | null | undefined): void => {
    const box = strip.current;
    if (!box || !tab) return;
    // The strip alone: asked of the tab itself, the page around it would be scrolled as well.
    const [edge, at] = [box.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (at.left < edge.left) box.scrollLeft -= edge.left - at.left;
    else if (at.right > edge.right) box.scrollLeft += at.right - edge.right;
  };
  useEffect(() => reveal(strip.current?.querySelector('[data-active]')), [chosen]);
  return (
    <Tabs
      ref={strip}
      variant={pills ? 'pills' : 'default'}
      value={chosen}
      // Home and End lead to one without choosing it.
      onFocus={({ target }) => reveal(target)}
      onChange={(next) => next !== null && choose(next as Key)}
      className={(pills ? classes.pills : classes.strip) ?? ''}
    >
      <Tabs.List aria-label={label}>
        {tabs.map(({ key, title }) => (
          <Tabs.Tab key={key} value={key}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}

type StateTabsProps<State extends string> = {
  label?: string;
  titles: Record<State, { title: string }>;
  /** Those that are offered; else each that has a title. */
  states?: readonly State[];
  /** None: the list shows all of them. */
  chosen: State | undefined;
  choose: (state: State | undefined) => void;
  pills?: boolean;
};

/** Above a list: all of it, or what is in one state. */
export function StateTabs<State extends string>({
  label = 'State',
  titles,
  states = Object.keys(titles) as State[],
  chosen,
  choose,
  pills = false,
}: StateTabsProps<State>) {
  return (
    <TabStrip<State | 'all'>
      label={label}
      tabs={[{ key: 'all', title: 'All' }, ...states.map((key) => ({ key, title: titles[key].title }))]}
      chosen={chosen ?? 'all'}
      choose={(next) => choose(next === 'all' ? undefined : next)}
      pills={pills}
    />
  );
}
