// Who may read the words of a message, asked by the query that finds it: what words.rules.ts decides of one message, as a
// condition.
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { allowedBy, type Condition } from '../../../access/policies/named.store.ts';

/** Of touches `x`, those whose words the caller may read. */
export function readable(db: Reader, { rights }: Caller): Condition {
  const message = allowedBy(db, rights, 'mail.message.read', {
    'mail:message/': db`x.id`,
    'inbox:thread/': db`x.thread_id`,
    'outreach:campaign/': db`x.campaign_id`,
  });
  const thread = allowedBy(db, rights, 'inbox.thread.read', {
    'inbox:thread/': db`h.id`,
    'outreach:campaign/': db`h.campaign_id`,
  });
  // A look at each row's thread: a join would be made with all of them.
  return db`${message ?? db`true`} and ${
    thread === null ? db`true` : db`(select ${thread} from threads h where h.id = x.thread_id)`
  }`;
}
