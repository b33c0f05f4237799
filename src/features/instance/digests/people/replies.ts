// The digests of what came back: replies by reading and who waits, and one conversation without what is said in it.
import { bind, type ReadContext } from '../../../../kernel/context.ts';
import { inboxList, type Thread } from '../../../inbox/threads/contract.ts';
import type { Next } from '../frame.contract.ts';
import { repliesDigest } from '../people.contract.ts';
import { repliesSince } from './people.store.ts';
import { fewOfPage, framed, LINES_MAX, section, short, shortOrNull, within } from '../section.ts';
import { sinceOf } from '../since.ts';

const READ = 'inbox.thread.read';
/** Of those no one could read, and of those who wait longest. */
const SHOWN = 8;

export const threadLine = (row: Thread) => ({
  thread_id: row.id,
  person: shortOrNull(row.person_name),
  campaign_id: row.campaign_id,
  subject: short(row.subject),
  reading: row.reading,
  waiting_since: row.waiting_since,
  last_at: row.last_touch_at,
  assignee: shortOrNull(row.assignee?.name ?? null),
});

/** What came in since then, by reading, of the conversations that the caller may read. */
export async function readingsSince(
  { db, caller }: ReadContext,
  since: Date,
  campaign?: string,
): Promise<{ count: number; automatic: number; by_reading: Record<string, number> }> {
  const rows = await repliesSince(db, caller, since, campaign);
  const by_reading: Record<string, number> = {};
  for (const { reading, count } of rows) by_reading[reading] = (by_reading[reading] ?? 0) + count;
  const sum = (some: typeof rows): number => some.reduce((all, { count }) => all + count, 0);
  return { count: sum(rows), automatic: sum(rows.filter(({ automatic }) => automatic)), by_reading };
}

export const replies = bind(repliesDigest, async (context, { since: said, campaign, reading }) => {
  const since = sinceOf(said, context.now, 7);
  const listed = (
    wanted: Parameters<typeof context.invoke<typeof inboxList.takes, typeof inboxList.gives>>[1],
  ) =>
    section(context, READ, null, async () =>
      fewOfPage(
        await context.invoke(inboxList, { ...wanted, campaign, limit: LINES_MAX }),
        threadLine,
        SHOWN,
      ),
    );
  const counted = await section(context, READ, null, () => readingsSince(context, since, campaign));
  const unread = await listed({ state: 'unanswered', reading: 'unread' });
  const unanswered = await listed({ state: 'unanswered', reading });
  const first = within(unanswered, ({ lines }) => lines[0]?.thread_id, undefined);
  const next: Next[] = [
    ...(first === undefined
      ? []
      : [
          {
            what: 'Draft an answer to the person who has waited longest.',
            with: `answer_draft {"thread_id": "${first}", …}`,
            who: 'agent' as const,
          },
        ]),
    { what: 'Send a drafted answer.', with: 'answer_send', who: 'wire' },
    { what: 'Read one conversation.', with: 'thread_digest {"thread_id": …}', who: 'agent' },
    {
      what: 'Correct a reading.',
      with: 'POST /api/threads/:thread/reading',
      who: 'agent',
    },
  ];
  return framed(context, { since: since.toISOString(), replies: counted, unread, unanswered }, next);
});
