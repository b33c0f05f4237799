// The signed-in person at the foot of the navigation. Its menu loads when it is first opened.
import { ChevronsUpDown } from 'lucide-react';
import { lazy, Suspense, useState, type ComponentPropsWithRef } from 'react';
import { useMe } from '../client/session.ts';
import { Mark } from '../kit/principal.tsx';
import classes from './me-button.module.css';

const load = () => import('./user-menu.tsx');
const UserMenu = lazy(() => load().then((m) => ({ default: m.UserMenu })));

export function MeButton({ folded, ...rest }: { folded: boolean } & ComponentPropsWithRef<'button'>) {
  const me = useMe();
  return (
    <button
      type="button"
      {...rest}
      className={classes.me}
      data-folded={folded || undefined}
      aria-haspopup="menu"
    >
      <Mark of={me.principal} size={24} />
      <span className={folded ? 'unseen' : classes.names}>
        <span>{me.principal.name}</span> <span>{me.user?.email}</span>
        <span className="unseen">, account and appearance</span>
      </span>
      {!folded && <ChevronsUpDown size={14} aria-hidden />}
    </button>
  );
}

export function Oneself({ folded }: { folded: boolean }) {
  const [asked, setAsked] = useState(false);
  const button = (
    <MeButton
      folded={folded}
      onClick={() => setAsked(true)}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
    />
  );
  return asked ? (
    <Suspense fallback={button}>
      <UserMenu folded={folded} />
    </Suspense>
  ) : (
    button
  );
}
