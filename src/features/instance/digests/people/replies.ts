// The digest of what came back: replies of a span by reading, and who waits for an answer now.
import { bind, type ReadContext } from '../../../../kernel/context.ts';
import type { Reading } from '../../../../kernel/events.rules.ts';
import { screenUrl } from '../../../../kernel/links.rules.ts';
import { threadNames } from '../../../../kernel/messages.ts';
import { answerDraft } from '../../../inbox/answers/contract.ts';
import { inboxList, type Thread } from '../../../inbox/threads/contract.ts';
import { COUNTED_MAX, countWaiting } from '../../../inbox/threads/read/list.store.ts';
import { threadReading } from '../../../inbox/readings/contract.ts';
import type { Proposal } from '../next.ts';
import { repliesDigest, threadDigest } from '../people.contract.ts';
import { repliesIn, suppressedAmong, withDraft } from './people.store.ts';
import { fewOf, framed, section, short, shortOrNull, within } from '../section.ts';
import { before, type Span, spanOf, spoken } from '../span.ts';

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

/** What came in then, by reading, of the conversations that the caller may read. */
export async function readingsIn(
  { db, caller }: ReadContext,
  span: Span,
  campaign?: string,
  only?: Reading,
): Promise<{ replies: number; automatic: number; by_reading: Record<string, number> }> {
  const all = await repliesIn(db, caller, span, campaign);
  const rows = only === undefined ? all : all.filter(({ reading }) => reading === only);
  const by_reading: Record<string, number> = {};
  for (const { reading, count } of rows) by_reading[reading] = (by_reading[reading] ?? 0) + count;
  const sum = (some: typeof rows): number => some.reduce((total, { count }) => total + count, 0);
  return { replies: sum(rows), automatic: sum(rows.filter(({ automatic }) => automatic)), by_reading };
}

export const replies = bind(repliesDigest, async (context, { campaign, reading, compare, ...said }) => {
  const { db, caller, now, app } = context;
  const span = spanOf(said, now, 7);
  const counted = await section(context, READ, null, async () => {
    const earlier = before(span);
    const previous = compare && {
      previous: { ...spoken(earlier, now), ...(await readingsIn(context, earlier, campaign, reading)) },
    };
    return { ...(await readingsIn(context, span, campaign, reading)), ...previous };
  });
  const seen: Thread[] = [];
  const drafted = new Set<string>();
  const waiting = (only: Reading | undefined) =>
    section(context, READ, null, async () => {
      const which = { campaign, reading: only };
      const [{ items }, unanswered] = [
        await context.invoke(inboxList, { state: 'unanswered', ...which, limit: SHOWN }),
        await countWaiting(db, caller, which),
      ];
      const ids = items.map(({ id }) => id);
      for (const id of await withDraft(db, ids)) drafted.add(id);
      seen.push(...items);
      const line = (row: Thread) => ({
        ...threadLine(row),
        drafted: drafted.has(row.id),
        open_at: screenUrl(app.instance, 'thread', row.id),
      });
      const some = fewOf(items, line, { count: Math.max(unanswered, items.length) });
      return unanswered >= COUNTED_MAX ? { ...some, more: true as const } : some;
    });
  const none = { count: 0, lines: [], more: 0 };
  const unread =
    reading === undefined || reading === 'unread'
      ? await waiting('unread')
      : within(counted, () => none, counted as never);
  const unanswered = await waiting(reading);
  const asked = await suppressedAmong(
    db,
    seen.flatMap(({ person_id }) => person_id ?? []),
    now,
  );
  const next = within(unanswered, ({ lines }) => lines, [])
    .map(({ thread_id }) => seen.find(({ id }) => id === thread_id))
    .find((row) => row?.person_id && row.channel === 'email' && !asked.has(row.person_id));
  return framed(context, { ...spoken(span, now), replies: counted, unread, unanswered }, [
    next && answering(next, drafted.has(next.id), screenUrl(app.instance, 'thread', next.id)),
    ...within(unread, ({ lines }) => lines.slice(0, 1), []).map(({ thread_id, open_at }) => ({
      what: 'Say what the oldest unread reply means.',
      does: threadReading,
      with: { thread: thread_id },
      on: namesOf(seen.find(({ id }) => id === thread_id)),
      open_at,
    })),
  ]);
});

/** A draft that is there already is read, and sent by someone who may. */
const answering = (row: Thread, isDrafted: boolean, at: string): Proposal =>
  isDrafted
    ? {
        what: 'Read the conversation of the person who has waited longest. An answer is drafted.',
        does: threadDigest,
        tool: 'thread_digest',
        with: { thread_id: row.id },
        open_at: at,
      }
    : {
        what: 'Draft an answer to the person who has waited longest.',
        does: answerDraft,
        tool: 'answer_draft',
        with: { thread_id: row.id },
        on: namesOf(row),
        open_at: at,
      };

const namesOf = (row: Thread | undefined): string[] => (row ? threadNames(row) : []);
