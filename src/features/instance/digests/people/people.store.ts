// What digests count of conversations, campaigns of one person, and deals, each by an index.
import type { Caller } from '../../../../kernel/caller.ts';
import { json, type Reader } from '../../../../kernel/database.ts';
import { personIsSuppressed } from '../../../crm/suppressions/store.ts';
import type { DealState, ListedDeal } from '../../../crm/deals/contract.ts';
import { readable } from '../../../crm/deals/list.store.ts';
import { allows, listedColumns, type ListedRow, toListed } from '../../../crm/deals/store.ts';
import { readableItems } from '../../../work/work/projects.store.ts';
import type { Span } from '../span.ts';
import { readable as readableThreads } from '../../../inbox/threads/read/list.store.ts';

const READ = 'crm.deal.read';

/** So many of the newest rows are gone through at most, in the order of an index: no sum of a digest takes long. */
export const NEWEST_MAX = 20_000;

export type ReadingCount = { campaign_id: string | null; reading: string; automatic: boolean; count: number };

/** What came in then, by campaign and reading, in conversations that the caller may read. */
export async function repliesIn(
  db: Reader,
  caller: Caller,
  { since, until }: Span,
  campaign: string | undefined,
): Promise<ReadingCount[]> {
  const theirs = caller.rights.admin ? null : readableThreads(db, caller);
  return await db<ReadingCount[]>`
    select x.campaign_id, coalesce(x.reading, 'unread') as reading, x.automatic, count(*)::int as count
    from (
      select m.campaign_id, m.reading, m.automatic, m.direction from touches m
      where m.at >= ${since} and m.at < ${until} and m.channel <> 'chat' ${campaign === undefined ? db`` : db`and m.campaign_id = ${campaign}`}
        and ${theirs === null ? db`true` : db`(select ${theirs} from threads t where t.id = m.thread_id)`}
      order by m.at desc, m.id desc limit ${NEWEST_MAX}) x
    where x.direction = 'in' group by 1, 2, 3`;
}

export type InCampaign = {
  id: string;
  campaign_id: string;
  campaign: string;
  stage: string;
  stage_at: Date;
  ended: string | null;
  hold_by: string | null;
  hold_until: Date | null;
  due_at: Date | null;
};

export async function campaignsOfPerson(db: Reader, person: string): Promise<InCampaign[]> {
  return await db<InCampaign[]>`
    select p.id, p.campaign_id, c.name as campaign, p.stage, p.stage_at, p.ended, p.hold_by, p.hold_until, p.due_at
    from prospects p join campaigns c on c.id = p.campaign_id where p.person_id = ${person}
    order by p.stage_at desc, p.id desc limit 200`;
}

/** No one reads a larger number as anything but "many". */
const COUNTED_MAX = 1_000;

/** Open deals that no one touched since then, the longest untouched first, as this caller may have them. */
export async function staleDeals(
  db: Reader,
  caller: Caller,
  before: Date,
  campaign: string | undefined,
  count: number,
): Promise<{ rows: ListedDeal[]; count: number }> {
  const stale = db`${readable(db, caller, READ)} and d.state = 'open' and d.updated_at < ${before}
    ${campaign === undefined ? db`` : db`and d.campaign_id = ${campaign}`}`;
  const rows = await db<ListedRow[]>`
    select ${listedColumns(db)} from (
      select * from deals d where ${stale} order by d.updated_at, d.id limit ${count}) d order by d.updated_at, d.id`;
  const [counted] = await db<{ count: number }[]>`
    select count(*)::int as count from (select from deals d where ${stale} limit ${COUNTED_MAX}) d`;
  return { rows: rows.map((row) => toListed(row, caller)), count: counted?.count ?? 0 };
}

export type Closed = { state: DealState; currency: string | null; count: number; amount: number };

/** Won and lost then, by currency, of the deals that the caller may have. */
export async function closedIn(
  db: Reader,
  caller: Caller,
  { since, until }: Span,
  campaign: string | undefined,
): Promise<Closed[]> {
  return await db<Closed[]>`
    select d.state, d.currency, count(*)::int as count, coalesce(sum(d.amount), 0)::float8 as amount
    from unnest(array['won', 'lost']) t (state) cross join lateral (
      select d.state, d.currency, d.amount, d.closed_at from deals d
      where d.state = t.state and d.updated_at >= ${since} ${campaign === undefined ? db`` : db`and d.campaign_id = ${campaign}`}
        and ${readable(db, caller, READ)}
      order by d.updated_at desc, d.id desc limit ${NEWEST_MAX}) d
    where d.closed_at >= ${since} and d.closed_at < ${until} group by 1, 2 order by 1, 2`;
}

export async function openedIn(db: Reader, caller: Caller, { since, until }: Span): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select d.created_at from deals d where d.updated_at >= ${since} and ${readable(db, caller, READ)}
      order by d.updated_at desc, d.id desc limit ${NEWEST_MAX}) d
    where d.created_at >= ${since} and d.created_at < ${until}`;
  return row?.count ?? 0;
}

/** Open deals that came of a conversation, as this caller may have them. */
export async function dealsOfThread(
  db: Reader,
  caller: Caller,
  thread: string,
): Promise<{ id: string; expected_on: string | null }[]> {
  const rows = await db<{ id: string; expected_on: string | null }[]>`
    select d.id, d.expected_on::text as expected_on
    from threads t join deals d on d.person_id = t.person_id and d.thread_id = t.id
    where t.id = ${thread} and d.state = 'open' order by d.id limit 20`;
  return rows.filter(({ id }) => allows(caller, 'crm.deal.read', id));
}

export type Drafted = {
  id: string;
  thread_id: string;
  person: string | null;
  by: string;
  updated_at: Date;
};

/** Drafted answers in conversations that the caller may read, the oldest first. */
export async function draftedAnswers(
  db: Reader,
  caller: Caller,
  count: number,
): Promise<{ rows: Drafted[]; count: number }> {
  const rows = await db<(Drafted & { all: number })[]>`
    select n.id, n.thread_id, p.name as person, n.draft_by_name as by, n.updated_at, (count(*) over ())::int as all
    from answers n join threads t on t.id = n.thread_id left join people p on p.id = t.person_id
    where n.state = 'draft' and t.merged_into is null and ${readableThreads(db, caller)}
    order by n.updated_at, n.id limit ${count}`;
  return { rows, count: rows[0]?.all ?? 0 };
}

/** Of these conversations, the ones that have a drafted answer. */
export async function withDraft(db: Reader, threads: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ thread_id: string }[]>`
    select distinct thread_id from answers where thread_id = any(${[...threads]}::uuid[]) and state = 'draft'`;
  return new Set(rows.map(({ thread_id }) => thread_id));
}

/** Of these people, the ones that are suppressed: no letter goes to any of their addresses. */
export async function suppressedAmong(
  db: Reader,
  people: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select p.id from people p where p.id = any(${[...people]}::uuid[]) and ${personIsSuppressed(db, now)}`;
  return new Set(rows.map(({ id }) => id));
}

export type LatestTouch = {
  id: string;
  thread_id: string;
  campaign_id: string | null;
  thread_campaign_id: string | null;
  at: Date;
  direction: 'in' | 'out';
  channel: string;
  subject: string | null;
  reading: string | null;
};

/** What was said with a person last, chats left out; whether the caller may read each is decided row by row. */
export async function latestTouches(db: Reader, person: string, count: number): Promise<LatestTouch[]> {
  return await db<LatestTouch[]>`
    select m.id, m.thread_id, m.campaign_id, t.campaign_id as thread_campaign_id, m.at, m.direction, m.channel, m.subject,
      m.reading
    from (select * from touches m where m.person_id = ${person} and m.channel <> 'chat' and not m.note
      order by m.at desc, m.id desc limit ${count}) m
    join threads t on t.id = m.thread_id order by m.at desc, m.id desc`;
}

export type PersonCard = { id: string; key: string; title: string; status: string; due_on: string | null };

/** Open work items that name a person among their links, what changed last first. */
export async function cardsOfPerson(
  db: Reader,
  caller: Caller,
  projects: readonly string[] | 'all',
  person: string,
  count: number,
): Promise<{ rows: PersonCard[]; count: number }> {
  const among = projects === 'all' ? db`` : db`and i.project_id = any(${[...projects]}::uuid[])`;
  const rows = await db<(PersonCard & { all: number })[]>`
    select i.id, p.key || '-' || i.number as key, i.title, i.status, i.due_on::text as due_on, (count(*) over ())::int as all
    from work_items i join work_projects p on p.id = i.project_id
    where i.links <> '[]' and i.links @> ${json(db, [{ kind: 'person', ref: person }])}
      and i.status not in ('done', 'cancelled') ${among} and ${readableItems(db, caller)}
    order by i.updated_at desc, i.id desc limit ${count}`;
  return { rows, count: rows[0]?.all ?? 0 };
}

export type PersonNote = { text: string | null; by: string; at: Date };

/** What people and agents noted about a person, newest first; whoever asks has them from their loader. */
export async function notesOfPerson(
  db: Reader,
  person: string,
  count: number,
): Promise<{ rows: PersonNote[]; count: number }> {
  const rows = await db<(PersonNote & { all: number })[]>`
    select f.text, f.by_name as by, f.at, (count(*) over ())::int as all from person_facts f
    where f.person_id = ${person} and f.kind = 'note' order by f.at desc, f.id desc limit ${count}`;
  return { rows, count: rows[0]?.all ?? 0 };
}
