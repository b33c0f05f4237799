// What was written to and by a person: conversations that wait first, then letters, each a way to its own page. Nothing is here for
// someone without any, or who may not see them.
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Person } from '../contract.ts';
import classes from './person.module.css';

const SHOWN = 5;
const pageOf = (send: string): string => `/sends/${send}`;

export function PersonConversations({ person }: { person: Person }) {
  const { data } = useRead('thread_list', { person: person.id, limit: SHOWN }, { stale_ms: 30_000 });
  if (!data || data.items.length === 0) return null;
  const open = data.items.toSorted((a, b) => Number(b.waiting === 'us') - Number(a.waiting === 'us'));
  return (
    <section className={classes.card} aria-label="Conversations">
      <div className={classes.cardHead}>
        <h2>Conversations</h2>
      </div>
      <ul className={classes.rows}>
        {open.map((thread) => (
          <li key={thread.id}>
            <Link to="/inbox" search={{ open: thread.id }} className={classes.value}>
              {thread.subject || 'No subject'}
            </Link>
            <span className={classes.meta}>
              {thread.campaign_name && <span className={classes.quietText}>{thread.campaign_name}</span>}
              {thread.waiting === 'us' && thread.state !== 'closed' && <Pill tone="warn">Unanswered</Pill>}
              <Time at={thread.last_touch_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function PersonLetters({ person }: { person: Person }) {
  const { data } = useRead('send_list', { person: person.id, limit: SHOWN }, { stale_ms: 30_000 });
  if (!data || data.items.length === 0) return null;
  return (
    <section className={classes.card} aria-label="Letters">
      <div className={classes.cardHead}>
        <h2>Letters</h2>
      </div>
      <ul className={classes.rows}>
        {data.items.map((send) => (
          <li key={send.id}>
            <Link to={pageOf(send.id)} className={classes.value}>
              {send.subject || 'No subject'}
            </Link>
            <span className={classes.meta}>
              <span className={classes.quietText}>{send.state.replaceAll('_', ' ')}</span>
              <Time at={send.scheduled_for ?? send.created_at} />
            </span>
          </li>
        ))}
      </ul>
      {data.next_cursor !== null && (
        <Link to="/sends" search={{ person: person.id }} className={classes.open}>
          All letters
        </Link>
      )}
    </section>
  );
}
