// The message a letter quotes, if its reader may read it.
import type { PendingQuery, Row } from 'postgres';
import type { Reader } from '../../../../kernel/database.ts';

/** One column: a `Message` (kernel/messages.ts) as JSON, or null. `touch` gives its id. */
export const messageNamed = (db: Reader, touch: PendingQuery<Row[]>) => db`(
  select jsonb_build_object('id', q.id, 'thread_id', q.thread_id, 'campaign_id', q.campaign_id,
    'thread_campaign_id', h.campaign_id)
  from touches q join threads h on h.id = q.thread_id where q.id = ${touch})`;
