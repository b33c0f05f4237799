// The bell: notifications that need no action. Its popover loads when it is first opened.
import { Bell as BellIcon } from 'lucide-react';
import { lazy, Suspense, useState, type ComponentPropsWithRef } from 'react';
import nav from './nav.module.css';
import classes from './bell.module.css';

const load = () => import('./bell-popover.tsx');
const BellPopover = lazy(() => load().then((m) => ({ default: m.BellPopover })));

type BellButtonProps = { unread: number } & ComponentPropsWithRef<'button'>;

export function BellButton({ unread, ...rest }: BellButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={nav.icon}
      data-tip="Notifications"
      aria-label={unread ? `Notifications, ${unread} unread` : 'Notifications'}
    >
      <BellIcon size={16} strokeWidth={1.75} aria-hidden />
      {unread > 0 && <span className={classes.dot} aria-hidden />}
    </button>
  );
}

export function Bell({ unread }: { unread: number }) {
  const [asked, setAsked] = useState(false);
  const button = (
    <BellButton
      unread={unread}
      onClick={() => setAsked(true)}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
    />
  );
  return asked ? (
    <Suspense fallback={button}>
      <BellPopover unread={unread} />
    </Suspense>
  ) : (
    button
  );
}
