// The lists of threads and the counts of the inbox, each one query, served by an index at any size.
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reading } from '../../../../kernel/events.rules.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { allowedBy } from '../../../access/policies/named.store.ts';
import type { INBOX_STATES, Thread } from '../contract.ts';
import type { Channel, ThreadState } from '../names.rules.ts';
import { listedColumns, type ThreadRow, toThread } from '../store.ts';

/** The time and the id that the page before ended with. */
export type ThreadAfter = readonly [at: string, id: string] | null;

/** Of those who wait the page before ended among, or after, the positive ones. */
export type WaitingAfter = readonly [later: boolean, since: string, id: string] | null;

export type InboxSearch = {
  state?: (typeof INBOX_STATES)[number] | undefined;
  channel?: Channel | undefined;
  reading?: Reading | undefined;
  campaign?: string | undefined;
  /** A principal's id, or `none`. */
  assignee?: string | undefined;
  label?: string | undefined;
  after: ThreadAfter;
  /** Of unanswered ones, which have an order of their own. */
  waiting_after?: WaitingAfter;
  count: number;
};

/** Positive replies first, then whoever has waited longest. */
const byWait = (db: Reader) => db`(coalesce(t.reading, 'unread') <> 'positive'), t.waiting_since, t.id`;

export const comesLater = ({ reading }: Pick<Thread, 'reading'>): boolean => reading !== 'positive';

/** For `where`, of conversations of `threads t`: those that the caller may read. */
export const readable = (db: Reader, { rights }: Caller) =>
  allowedBy(db, rights, 'inbox.thread.read', {
    'inbox:thread/': db`t.id`,
    'outreach:campaign/': db`t.campaign_id`,
  }) ?? db`true`;

/** As if those that the caller's policies deny were not there; so do the lists and the counts below. */
export async function searchInbox(
  db: Reader,
  caller: Caller,
  { state, channel, reading, campaign, assignee, label, after, waiting_after = null, count }: InboxSearch,
): Promise<Thread[]> {
  // Those who wait have their own order; anything else goes by what happened last.
  const order =
    state === 'unanswered'
      ? {
          by: byWait(db),
          from:
            waiting_after &&
            db`and (${byWait(db)}) > (${waiting_after[0]}::boolean, ${waiting_after[1]}::timestamptz, ${waiting_after[2]}::uuid)`,
        }
      : {
          by: db`t.last_touch_at desc, t.id desc`,
          from: after && db`and (t.last_touch_at, t.id) < (${after[0]}::timestamptz, ${after[1]})`,
        };
  const rows = await db<ThreadRow[]>`
    select ${listedColumns(db, caller)} from (
      select * from threads t
      where t.merged_into is null and t.kind = 'conversation' and ${readable(db, caller)}
        ${
          state === 'unanswered'
            ? db`and t.state = 'open' and t.waiting = 'us'`
            : db`and t.last_in_at is not null ${state === undefined ? db`` : db`and t.state = ${state}`}`
        }
        ${channel === undefined ? db`` : db`and t.channel = ${channel}`}
        ${reading === undefined ? db`` : db`and t.reading = ${reading}`}
        ${campaign === undefined ? db`` : db`and t.campaign_id = ${campaign}`}
        ${assignee === undefined ? db`` : assignee === 'none' ? db`and t.assignee_id is null` : db`and t.assignee_id = ${assignee}`}
        ${label === undefined ? db`` : db`and t.labels @> array[${label}]::text[]`}
        ${order.from ?? db``}
      order by ${order.by} limit ${count}
    ) t order by ${order.by}`;
  return rows.map((row) => toThread(row, caller));
}

export type ThreadSearch = {
  channel?: Channel | undefined;
  state?: ThreadState | undefined;
  person?: string | undefined;
  campaign?: string | undefined;
  identity?: string | undefined;
  after: ThreadAfter;
  count: number;
};

/** Conversations; of channel `chat` the caller's own alone. */
export async function searchThreads(
  db: Reader,
  caller: Caller,
  { channel, state, person, campaign, identity, after, count }: ThreadSearch,
): Promise<Thread[]> {
  const { kind, id } = caller.principal;
  const rows = await db<ThreadRow[]>`
    select ${listedColumns(db, caller)} from (
      select * from threads t
      where t.merged_into is null
        ${channel === 'chat' ? db`and t.kind = 'chat' and t.owner_id = ${id} and t.owner_kind = ${kind}` : db`and t.kind = 'conversation' and ${readable(db, caller)}`}
        ${channel === undefined || channel === 'chat' ? db`` : db`and t.channel = ${channel}`}
        ${state === undefined ? db`` : db`and t.state = ${state}`}
        ${person === undefined ? db`` : db`and t.person_id = ${person}`}
        ${campaign === undefined ? db`` : db`and t.campaign_id = ${campaign}`}
        ${identity === undefined ? db`` : db`and t.identity_id = ${identity}`}
        ${after === null ? db`` : db`and (t.last_touch_at, t.id) < (${after[0]}::timestamptz, ${after[1]})`}
      order by t.last_touch_at desc, t.id desc limit ${count}
    ) t order by t.last_touch_at desc, t.id desc`;
  return rows.map((row) => toThread(row, caller));
}

const LISTED_MAX = 200;

/** Of the newest labelled conversations that the caller may read. */
export const labelsInUse = (db: Reader, caller: Caller): Promise<{ label: string; count: number }[]> =>
  db<{ label: string; count: number }[]>`
    select l.label, count(*)::int as count from (
      select t.labels from threads t
      where t.merged_into is null and t.kind = 'conversation' and t.labels <> '{}' and ${readable(db, caller)}
      order by t.last_touch_at desc, t.id desc limit ${COUNTED_MAX}
    ) t, unnest(t.labels) l (label)
    group by l.label order by count desc, l.label limit ${LISTED_MAX}`;

/** No one reads a larger number as anything but "many". */
export const COUNTED_MAX = 1_000;

export type InboxCounts = {
  unanswered: number;
  unanswered_mine: number;
  unanswered_unassigned: number;
  open: number;
  snoozed: number;
  by_channel: Record<string, number>;
  by_reading: Record<string, number>;
};

/** How many wait for our answer, of one campaign or reading where it is named; the count stops as the others do. */
export async function countWaiting(
  db: Reader,
  caller: Caller,
  { campaign, reading }: { campaign?: string | undefined; reading?: Reading | undefined },
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select from threads t
      where t.merged_into is null and t.kind = 'conversation' and t.state = 'open' and t.waiting = 'us'
        ${campaign === undefined ? db`` : db`and t.campaign_id = ${campaign}`}
        ${reading === undefined ? db`` : db`and t.reading = ${reading}`} and ${readable(db, caller)}
      limit ${COUNTED_MAX}) w`;
  return row?.count ?? 0;
}

export async function countInbox(db: Reader, caller: Caller): Promise<InboxCounts> {
  const may = readable(db, caller);
  const inState = (state: ThreadState) => db`
    (select count(*)::int from (
      select from threads t
      where t.merged_into is null and t.kind = 'conversation' and t.last_in_at is not null and t.state = ${state}
        and ${may}
      limit ${COUNTED_MAX}) s)`;
  const [row] = await db<InboxCounts[]>`
    with waiting as materialized (
      select t.channel, t.reading, t.assignee_id from threads t
      where t.merged_into is null and t.kind = 'conversation' and t.state = 'open' and t.waiting = 'us' and ${may}
      order by ${byWait(db)} limit ${COUNTED_MAX}
    )
    select (select count(*)::int from waiting) as unanswered,
      (select count(*)::int from waiting w where w.assignee_id = ${caller.principal.id}) as unanswered_mine,
      (select count(*)::int from waiting w where w.assignee_id is null) as unanswered_unassigned,
      ${inState('open')} as open, ${inState('snoozed')} as snoozed,
      (select coalesce(jsonb_object_agg(c.channel, c.n), '{}')
       from (select w.channel, count(*) as n from waiting w group by w.channel) c) as by_channel,
      (select coalesce(jsonb_object_agg(c.reading, c.n), '{}')
       from (select coalesce(w.reading, 'unread') as reading, count(*) as n from waiting w group by 1) c) as by_reading`;
  if (!row) throw new Error('the inbox was counted and gave nothing');
  return row;
}
