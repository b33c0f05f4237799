// The frame of Settings: its pages at the left in their groups (a list to choose from on a phone), the chosen one at the right.
import { NativeSelect } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useMe } from '../../../../ui/client/session.ts';
import { SettingsSearch } from './settings-search.tsx';
import { useLit } from './lit.ts';
import { mayAdminister } from '../../../../ui/shell/places.ts';
import { SETTINGS_PAGES, type SettingsPage } from '../../../../ui/shell/settings-pages.ts';
import classes from './frame.module.css';

export function SettingsFrame() {
  const me = useMe();
  const router = useRouter();
  const {
    pathname: path,
    hash,
    key,
  } = useRouterState({
    select: ({ location }) => ({
      pathname: location.pathname,
      hash: location.hash,
      key: location.state.__TSR_key,
    }),
    structuralSharing: true,
  });
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [asked, setAsked] = useState('');
  useLit(frame, hash, key);
  const nav = useRef<HTMLElement>(null);
  // The list of pages is longer than a low window: the current page stays in sight.
  // Nothing is returned: newer browsers give a promise for a scroll, and an effect would take it for its clean-up.
  useEffect(() => {
    nav.current?.querySelector('[data-here]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  const pages = SETTINGS_PAGES.filter((page) => !page.admin || mayAdminister(me));
  const groups = [...Map.groupBy(pages, (page) => page.group)];
  const here = pages.findLast((page) => path.startsWith(page.to));
  return (
    <div className={classes.frame}>
      <nav ref={nav} className={classes.nav} aria-label="Settings">
        <SettingsSearch pages={pages} asked={asked} setAsked={setAsked} />
        {(asked.trim() === '' ? groups : []).map(([group, of]) => (
          <section key={group}>
            <h2>{group}</h2>
            <ul>
              {of.map((page) => (
                <li key={page.to}>
                  <Link to={page.to} activeProps={{ 'data-here': true, 'aria-current': 'page' }}>
                    {page.title}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className={classes.pick}>
        <NativeSelect
          aria-label="Settings page"
          value={here?.to ?? ''}
          onChange={(event) => void router.navigate({ to: event.currentTarget.value as SettingsPage['to'] })}
          data={[
            // A page that is not open to them, by its address alone.
            ...(here ? [] : [{ value: '', label: 'Choose a page' }]),
            ...groups.map(([group, of]) => ({
              group,
              items: of.map((page) => ({ value: page.to, label: page.title })),
            })),
          ]}
        />
      </div>
      <div className={classes.page} ref={setFrame}>
        <Outlet />
      </div>
    </div>
  );
}
