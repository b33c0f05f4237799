// The bell: what somebody should know although it asks nothing of them. Its list is loaded and read when it is opened.
import { Bell as BellIcon } from 'lucide-react';
import { lazy, Suspense, useState, type ComponentPropsWithRef } from 'react';
import nav from './nav.module.css';
import classes from './bell.module.css';

const load = () => import('../../features/notifications/screens/panel.tsx');
const NotificationsPanel = lazy(() => load().then((m) => ({ default: m.NotificationsPanel })));

type BellButtonProps = { unread: number } & ComponentPropsWithRef<'button'>;

function BellButton({ unread, ...rest }: BellButtonProps) {
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
      <NotificationsPanel target={(props) => <BellButton unread={unread} {...props} />} />
    </Suspense>
  ) : (
    button
  );
}
