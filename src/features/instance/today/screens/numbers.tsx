// The numbers of the day in one line: letters sent, replies, and positive replies, each a link to where they are.
import { Link } from '@tanstack/react-router';
import type { Answer } from '../../../../ui/client/call.ts';
import classes from './today.module.css';

export function Numbers({
  of: { sent, replies, positive, more },
}: {
  of: NonNullable<Answer<'today_get'>['numbers']>;
}) {
  if (sent + replies === 0) return null;
  const shown = (n: number): string => `${n.toLocaleString()}${more ? '+' : ''}`;
  return (
    <dl className={classes.numbers} aria-label="Numbers of the day">
      <div>
        <dt>Sent today</dt>
        <dd>
          <Link to="/sends" search={{ state: 'sent' }}>
            {shown(sent)}
          </Link>
        </dd>
      </div>
      <div>
        <dt>Replies</dt>
        <dd>
          <Link to="/inbox" search={{ state: 'all' }}>
            {shown(replies)}
          </Link>
        </dd>
      </div>
      <div>
        <dt>Positive replies</dt>
        <dd>
          <Link to="/inbox" search={{ state: 'all', reading: 'positive' }}>
            {shown(positive)}
          </Link>
        </dd>
      </div>
    </dl>
  );
}
