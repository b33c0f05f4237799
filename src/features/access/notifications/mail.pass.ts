// Emails unread notifications to people who want that: one email for all of them, at most every ten minutes.
import { after, DAY_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/app.ts';
import { pass, type AnyPass } from '../../../kernel/pass.ts';
import { noticeWords } from '../instance-mail/letters.ts';
import { queueMail, type ToMail } from '../instance-mail/queue.store.ts';
import { outgoingMail } from '../instance-mail/way.store.ts';
import { dueReaders, markMailed, type DueReader } from './store.ts';

const AGAIN_AFTER_MS = 10 * MINUTE_MS;

type Result = { reader: DueReader; mail: ToMail | null; at: Date; app: App };

export const noticeMails: AnyPass = pass<DueReader, Result>({
  name: 'notice_mails',
  wakes_on: [],
  interrupted_by: [],
  tells: 'settings',
  every_ms: MINUTE_MS,
  batch: 50,
  at_a_time: 2,
  starts_within_ms: 30_000,
  // No one is marked here: of two processes that looked, the first to commit writes.
  claim: (tx, lease, count) => dueReaders(tx, after(lease.from, -AGAIN_AFTER_MS), count),
  open: (app) => ({
    async begin() {
      const way = await outgoingMail(app.database.reader, app.sealer);
      return async (reader) => {
        const at = app.clock.now();
        return { reader, mail: way && mailFor(app, reader, at), at, app };
      };
    },
    close: () => undefined,
  }),
  async commit(tx, _lease, results) {
    for (const { reader, mail, at, app } of results.toSorted((a, b) => (a.reader.id < b.reader.id ? -1 : 1)))
      if ((await markMailed(tx, reader, at)) && mail) await queueMail(tx, app.sealer, mail, at);
  },
  release: async () => undefined,
  tidy: async () => undefined,
});

function mailFor({ instance }: App, { id, email, count, sentences }: DueReader, now: Date): ToMail {
  const words = noticeWords(instance.name, { count, sentences }, instance.base_url);
  return { kind: 'notices', user_id: id, to: email, ...words, ends_at: after(now, DAY_MS) };
}
