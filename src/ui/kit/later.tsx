// Drawers and dialogs that are loaded when they are first needed, and stay from then on, so that they close gracefully and
// open at once the next time. Keeps what a list loads at first to what is in sight. None is over what is refused, whatever
// the address says is open.
import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';
import { Part, useRefused } from './page.tsx';

/** Longer than any of them takes to close. */
const CLOSED_AFTER_MS = 250;

export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  needed: (props: P) => boolean,
): ComponentType<P> {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function Later(props: P) {
    const [since, setSince] = useState(false);
    const refused = useRefused();
    const need = !refused && needed(props);
    if (!since && need) setSince(true);
    // What had the focus gets it back: the dialog itself came too late to have seen it.
    useEffect(() => {
      if (!need) return;
      const before = document.activeElement;
      return () => {
        setTimeout(() => {
          if (document.activeElement !== document.body) return;
          // Where it is gone (a row that was deleted by the dialog), the screen takes the focus.
          const back =
            before instanceof HTMLElement && before.isConnected ? before : document.getElementById('screen');
          back?.focus({ preventScroll: true });
        }, CLOSED_AFTER_MS);
      };
    }, [need]);
    return since && !refused ? (
      <Suspense>
        <Part>
          <Loaded {...props} />
        </Part>
      </Suspense>
    ) : null;
  };
}
