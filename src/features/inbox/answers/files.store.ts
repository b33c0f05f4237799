// Files uploaded for answers of a conversation that no answer uses yet.
import { filesWaiting } from '../../outreach/sequences/waiting.store.ts';

/** What a discarded answer carried no one will send: it cannot be taken up again. */
export const answerFiles = filesWaiting({
  home: 'thread_id',
  links: 'answer_attachments',
  carried: (db) => db`
    select from answer_attachments w join answers a on a.id = w.answer_id
    where w.attachment_id = f.id and a.state <> 'discarded'`,
});
