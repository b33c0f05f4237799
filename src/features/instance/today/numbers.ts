// The numbers of the day: letters sent, replies and positive replies, each counted once and only if the caller may read it.
import type { ReadContext } from '../../../kernel/context.ts';
import { mayReadIn } from '../../../kernel/messages.ts';
import { couldAllow } from '../../../kernel/policy.ts';
import { touchesSince, TOUCHES_MAX } from './store.ts';

export async function numbersOf({ db, caller }: ReadContext, since: Date) {
  if (!couldAllow(caller.rights, 'inbox.thread.read')) return null;
  const found = await touchesSince(db, caller, since);
  const rows = found.filter((touch) => mayReadIn(caller.rights, { ...touch, id: touch.touch_id }));
  const replies = rows.filter(({ direction }) => direction === 'in');
  return {
    since: since.toISOString(),
    sent: rows.length - replies.length,
    replies: replies.length,
    positive: replies.filter(({ reading }) => reading === 'positive').length,
    more: found.length === TOUCHES_MAX,
  };
}
