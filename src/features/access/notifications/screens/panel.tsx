// What the bell opens: the newest notifications. They count as read once the list has been open for a moment.
import { useRouter } from '@tanstack/react-router';
import { BellOff } from 'lucide-react';
import { useEffect } from 'react';
import { useAct, usePages } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { Bones, Empty, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import classes from './panel.module.css';

const SEEN_AFTER_MS = 1_500;

export function NotificationsPanel({ close }: { close: () => void }) {
  const router = useRouter();
  const me = useMe();
  const pages = usePages('notification_list', { limit: 20 });
  const { mutate: read } = useAct('notifications_read', { quiet: true });
  const unread = me.unread_notifications > 0;

  useEffect(() => {
    if (!unread || pages.pending) return;
    const timer = setTimeout(() => read({}), SEEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [unread, pages.pending, read]);

  if (pages.pending)
    return (
      <div className={classes.wait}>
        <Bones lines={5} />
      </div>
    );
  if (pages.error && pages.rows.length === 0) return <Trouble error={pages.error} again={pages.again} />;
  return (
    <div>
      <h2 className={classes.head}>Notifications</h2>
      {pages.rows.length === 0 ? (
        <Empty icon={BellOff} title="You’re all caught up">
          Positive replies, assignments, pauses and failures appear here. Choose which ones in your profile.
        </Empty>
      ) : (
        <ul className={classes.list} tabIndex={0} aria-label="Newest first">
          {pages.rows.map((row) => (
            <li key={row.id} data-unread={row.read_at === null || undefined}>
              {row.link ? (
                <a
                  href={row.link}
                  onClick={(event) => {
                    event.preventDefault();
                    close();
                    void router.navigate({ href: row.link ?? '/' });
                  }}
                >
                  {row.sentence}
                </a>
              ) : (
                <span>{row.sentence}</span>
              )}
              <span className={classes.at}>
                <Time at={row.at} />
                {row.read_at === null && <span className="unseen">, unread</span>}
              </span>
            </li>
          ))}
          {pages.more && (
            <li>
              <button type="button" className={classes.more} onClick={pages.more}>
                Load more
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
