// The frame of the desk: navigation at the left (a drawer on a phone), the screen at the right, and everything that may lie
// over it: search, keys, questions, change notifications of the connection.
import { UnstyledButton } from '@mantine/core';
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTour } from '../../features/instance/start/screens/tour.ts';
import { listen } from '../client/live.ts';
import { useMe } from '../client/session.ts';
import { useKeys } from '../kit/keys.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { useKept } from './kept.ts';
import { LeaveGuard } from './leave-guard.ts';
import { useOwnLook } from './look.ts';
import { Logo } from './logo.tsx';
import { Nav } from './nav.tsx';
import { Overlays, type Over } from './overlays.tsx';
import { PLACES } from './places.ts';
import { SignedOutGuard } from './signed-out-guard.tsx';
import classes from './shell.module.css';

const NextStep = lazy(() =>
  import('../../features/instance/start/screens/next-step.tsx').then((m) => ({ default: m.NextStep })),
);

/** Whoever uses the keyboard is never without the focus; no one else loads what sees to it. */
function keepFocus(): () => void {
  let end: (() => void) | undefined;
  const gone = new AbortController();
  const { signal } = gone;
  let had: EventTarget | null = null;
  const begin = async (): Promise<void> => {
    const from = location.pathname;
    const keep = await import('./keep-focus.ts');
    if (!signal.aborted) end = keep.keepFocus(from, had);
  };
  document.addEventListener('focusin', ({ target }) => (had = target), { signal });
  document.addEventListener('keydown', () => void begin(), {
    once: true,
    capture: true,
    signal,
  });
  return () => {
    gone.abort();
    end?.();
  };
}

export function Shell() {
  const me = useMe();
  const router = useRouter();
  const [over, setOver] = useState<Over>(null);
  const [width, setWidth] = useKept('dunnock-nav', 'wide');
  const path = useRouterState({ select: (state) => state.location.pathname });
  const touring = useTour() && me.admin;
  const folded = width === 'narrow';
  const fold = (): void => setWidth(folded ? 'wide' : 'narrow');

  // Going anywhere closes what lies over the desk.
  const [at, setAt] = useState(path);
  if (path !== at) {
    setAt(path);
    setOver(null);
  }

  useEffect(listen, []);
  useEffect(keepFocus, []);
  useOwnLook(me.principal.id);

  useKeys([
    { keys: 'mod+k', does: 'Search and jump', group: 'Everywhere', run: () => setOver('search') },
    { keys: '?', does: 'Show keyboard shortcuts', group: 'Everywhere', run: () => setOver('keys') },
    { keys: '[', does: 'Collapse navigation', group: 'Everywhere', run: fold },
    ...PLACES.filter((place) => place.shown(me)).map((place) => ({
      keys: `g ${place.key}`,
      does: `Go to ${place.title}`,
      group: 'Go',
      run: () => void router.navigate({ to: place.to }),
    })),
  ]);

  return (
    <div className={classes.shell} data-nav={width}>
      <a className="skip" href="#screen">
        Skip to content
      </a>
      <aside className={classes.side}>
        <Nav folded={folded} search={() => setOver('search')} keys={() => setOver('keys')} fold={fold} />
      </aside>
      <section className={classes.phoneBar} aria-label="Top bar">
        <UnstyledButton
          aria-label="Open navigation"
          className={classes.phoneMenu}
          onClick={() => setOver('nav')}
        >
          <MenuIcon size={19} aria-hidden />
        </UnstyledButton>
        <Logo size={22} />
        <strong>{me.instance}</strong>
      </section>
      <main className={classes.main} id="screen" tabIndex={-1}>
        <ConnectionBanner />
        {touring && (
          <Suspense fallback={null}>
            <NextStep />
          </Suspense>
        )}
        <div className={classes.screen}>
          <Outlet />
        </div>
      </main>
      <Overlays over={over} setOver={setOver} />
      <SignedOutGuard />
      <LeaveGuard />
    </div>
  );
}
