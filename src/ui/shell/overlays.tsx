// Everything that can lie over the app. Each part loads when it is first needed and stays, so that it closes smoothly and opens
// at once the next time.
import { useSyncExternalStore } from 'react';
import { useSessionQuestion } from '../client/session-over.ts';
import { useStepUpQuestion } from '../client/step-up.ts';
import { said } from '../client/toast.ts';
import { useQuestion } from '../kit/confirm.ts';
import { later } from '../kit/later.tsx';
import { useTypedAhead } from './typed-ahead.ts';

type Opened = { opened: boolean };
type Needed = { needed: boolean };
const opened = (props: Opened): boolean => props.opened;
const needed = (props: Needed): boolean => props.needed;

const Search = later(() => import('./search.tsx').then((m) => m.Search), opened);
const KeysSheet = later(() => import('./keys-sheet.tsx').then((m) => m.KeysSheet), opened);
const NavDrawer = later(() => import('./nav-drawer.tsx').then((m) => m.NavDrawer), opened);
const ConfirmDialog = later<Needed>(
  () => import('./confirm-dialog.tsx').then((m) => m.ConfirmDialog),
  needed,
);
const StepUpDialog = later<Needed>(() => import('./step-up-dialog.tsx').then((m) => m.StepUpDialog), needed);
const SignInAgain = later<Needed>(() => import('./sign-in-again.tsx').then((m) => m.SignInAgain), needed);
const Toasts = later<Needed>(() => import('./toasts.tsx').then((m) => m.Toasts), needed);

export type Over = 'search' | 'keys' | 'nav' | null;

export function Overlays({ over, setOver }: { over: Over; setOver: (next: Over) => void }) {
  const asking = useQuestion() !== null;
  const signedOut = useSessionQuestion() !== null;
  const stepping = useStepUpQuestion() !== null;
  const saying = useSyncExternalStore(said.subscribe, said.now);
  const ahead = useTypedAhead(over === 'search');
  const close = (): void => setOver(null);
  return (
    <>
      <Search opened={over === 'search'} ahead={ahead} onClose={close} />
      <KeysSheet opened={over === 'keys'} onClose={close} />
      <NavDrawer
        opened={over === 'nav'}
        onClose={close}
        search={() => setOver('search')}
        keys={() => setOver('keys')}
      />
      <ConfirmDialog needed={asking} />
      <StepUpDialog needed={stepping} />
      <SignInAgain needed={signedOut} />
      <Toasts needed={saying} />
    </>
  );
}
