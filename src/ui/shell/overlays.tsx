// Everything that may lie over the desk. Each is loaded when it is first needed and stays from then on, so that it can close
// gracefully and opens at once the next time.
import { lazy, Suspense, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useStepUpQuestion } from '../client/step-up.ts';
import { said } from '../client/toast.ts';
import { useQuestion } from '../kit/confirm.ts';

const Search = lazy(() => import('./search.tsx').then((m) => ({ default: m.Search })));
const KeysSheet = lazy(() => import('./keys-sheet.tsx').then((m) => ({ default: m.KeysSheet })));
const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx').then((m) => ({ default: m.ConfirmDialog })));
const StepUpDialog = lazy(() => import('./step-up-dialog.tsx').then((m) => ({ default: m.StepUpDialog })));
const NavDrawer = lazy(() => import('./nav-drawer.tsx').then((m) => ({ default: m.NavDrawer })));
const Toasts = lazy(() => import('./toasts.tsx').then((m) => ({ default: m.Toasts })));

export type Over = 'search' | 'keys' | 'nav' | null;

/** Mounts from the first need on. */
function FromFirst({ need, children }: { need: boolean; children: ReactNode }) {
  const [since, setSince] = useState(need);
  if (need && !since) setSince(true);
  return since ? <Suspense>{children}</Suspense> : null;
}

export function Overlays({ over, setOver }: { over: Over; setOver: (next: Over) => void }) {
  const asking = useQuestion() !== null;
  const stepping = useStepUpQuestion() !== null;
  const saying = useSyncExternalStore(said.subscribe, said.now);
  const close = (): void => setOver(null);
  return (
    <>
      <FromFirst need={over === 'search'}>
        <Search opened={over === 'search'} onClose={close} />
      </FromFirst>
      <FromFirst need={over === 'keys'}>
        <KeysSheet opened={over === 'keys'} onClose={close} />
      </FromFirst>
      <FromFirst need={over === 'nav'}>
        <NavDrawer
          opened={over === 'nav'}
          onClose={close}
          search={() => setOver('search')}
          keys={() => setOver('keys')}
        />
      </FromFirst>
      <FromFirst need={asking}>
        <ConfirmDialog />
      </FromFirst>
      <FromFirst need={stepping}>
        <StepUpDialog />
      </FromFirst>
      <FromFirst need={saying}>
        <Toasts />
      </FromFirst>
    </>
  );
}
