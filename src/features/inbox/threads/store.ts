// The loaders of threads: the only way to have one is through a loader that names the action and the caller. An id that was
// merged away leads to the thread that it went to.
import { type Caller } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { type Refusal, notFound } from '../../../kernel/refusal.ts';
import { threadNames } from '../../../kernel/messages.ts';
import { mayReadIn, readsMessages } from '../../../kernel/messages.ts';
import type { Thread } from './contract.ts';
import { owns } from './names.rules.ts';

const loaded = Symbol('loaded');

/** A thread that its caller may have for the action it was loaded for. */
export type LoadedThread = Thread & { readonly [loaded]: true };

export const noThread = (): Refusal => notFound('thread', 'GET /api/threads lists threads');

type Dates = 'snoozed_until' | 'waiting_since' | 'last_in_at';

export type ThreadRow = Omit<
  Thread,
  'assignee' | 'last_touch_at' | 'created_at' | 'updated_at' | Dates | 'unread_by_me' | 'snippet'
> &
  Record<Dates, Date | null> & {
    snippet: string;
    owner_kind: string | null;
    owner_id: string | null;
    assignee_kind: 'person' | 'agent' | 'service' | 'system' | null;
    assignee_id: string | null;
    assignee_name: string | null;
    unread_by_me: boolean | null;
    /** What `snippet` is of; null as well where the caller reads every message or none. */
    said: { id: string; campaign_id: string | null } | null;
    last_touch_at: Date;
    created_at: Date;
    updated_at: Date;
  };

/** Of `threads t`, of which no more are there than will be shown: each looks up whom its ids mean. */
export const listedColumns = (db: Reader, caller: Caller) => db`
  t.id, t.channel, t.kind, t.subject, t.person_id, (select p.name from people p where p.id = t.person_id) as person_name,
  t.prospect_id, t.campaign_id, (select c.name from campaigns c where c.id = t.campaign_id) as campaign_name,
  t.identity_id, t.owner_kind, t.owner_id, t.assignee_kind, t.assignee_id, t.assignee_name, t.state, t.snoozed_until,
  t.waiting, t.waiting_since, t.reading, t.labels, t.last_touch_at, t.last_in_at, t.snippet, t.touches as touch_count, t.merged_into,
  t.revision, t.created_at, t.updated_at,
  ${readsMessages(caller.rights) === null ? lastSaid(db) : db`null::jsonb`} as said,
  ${
    caller.user_id === null
      ? db`false`
      : db`t.landed_at > coalesce((
          select r.read_at from thread_reads r where r.thread_id = t.id and r.user_id = ${caller.user_id}), '-infinity')`
  } as unread_by_me`;

/** The touch that a thread's line is of (settle.store.ts). */
const lastSaid = (db: Reader) => db`(
  select jsonb_build_object('id', x.id, 'campaign_id', x.campaign_id) from touches x
  where x.thread_id = t.id and not x.note order by x.at desc, x.id desc limit 1)`;

/** A line of what was said is of a message, and needs the right to that. */
function snippetFor({ rights }: Caller, { id, kind, snippet, said }: ThreadRow): string | null {
  const reads = kind === 'chat' || readsMessages(rights);
  return (reads ?? (said === null || mayReadIn(rights, { ...said, thread_id: id }))) ? snippet : null;
}

const iso = (moment: Date | null): string | null => moment && moment.toISOString();

export function toThread(row: ThreadRow, caller: Caller): Thread {
  const { assignee_kind: kind, assignee_id, assignee_name } = row;
  return {
    id: row.id,
    channel: row.channel,
    kind: row.kind,
    subject: row.subject,
    person_id: row.person_id,
    person_name: row.person_name === '' ? null : row.person_name,
    prospect_id: row.prospect_id,
    campaign_id: row.campaign_id,
    campaign_name: row.campaign_name,
    identity_id: row.identity_id,
    assignee:
      kind !== null && assignee_id !== null && assignee_name !== null
        ? { kind, id: assignee_id, name: assignee_name }
        : null,
    state: row.state,
    snoozed_until: iso(row.snoozed_until),
    waiting: row.waiting,
    waiting_since: iso(row.waiting_since),
    reading: row.reading,
    labels: row.labels,
    unread_by_me: row.unread_by_me ?? false,
    last_touch_at: row.last_touch_at.toISOString(),
    last_in_at: iso(row.last_in_at),
    snippet: snippetFor(caller, row),
    touch_count: row.touch_count,
    merged_into: row.merged_into,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** May this caller do it to this thread? A chat is its owner's alone, whoever else may do anything. */
export function allows(
  caller: Caller,
  action: string,
  row: Pick<ThreadRow, 'id' | 'kind' | 'campaign_id' | 'owner_kind' | 'owner_id'>,
): boolean {
  if (row.kind === 'chat') return owns(caller.principal, row);
  return decide(caller.rights, action, threadNames(row)).allowed;
}

async function rowOf(db: Reader, caller: Caller, id: string): Promise<ThreadRow | undefined> {
  const [row] = await db<ThreadRow[]>`
    select ${listedColumns(db, caller)} from threads t
    where t.id = coalesce((select merged_into from threads where id = ${id}), ${id})`;
  return row;
}

/** Whoever may not even read it is not told that it is there. `action` is an `inbox.thread.…`. */
export async function loadThread(
  db: Reader,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedThread> {
  const row = await rowOf(db, caller, id);
  if (!row) throw noThread();
  if (!allows(caller, action, row))
    throw row.kind !== 'chat' && allows(caller, 'inbox.thread.read', row)
      ? denied(caller, action, threadNames(row)[0])
      : noThread();
  return { ...toThread(row, caller), [loaded]: true };
}

/** Loads a thread and keeps everyone else from changing it until this act is over. Threads are locked before prospects. */
export async function lockThread(
  tx: Transaction,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedThread> {
  const locked = await tx<{ merged_into: string | null }[]>`
    select merged_into from threads
    where id = coalesce((select merged_into from threads where id = ${id}), ${id}) for no key update`;
  // It was merged away while this waited for it: once more, with where it went.
  if (locked[0]?.merged_into) return await lockThread(tx, caller, action, locked[0].merged_into);
  return await loadThread(tx, caller, action, id);
}

/** Both, in one order whoever asks, so that two merges of the same two wait for each other. */
export async function lockThreads(
  tx: Transaction,
  caller: Caller,
  action: string,
  ids: readonly [string, string],
): Promise<[LoadedThread, LoadedThread]> {
  const [a, b] = ids;
  if (a < b) {
    const first = await lockThread(tx, caller, action, a);
    return [first, await lockThread(tx, caller, action, b)];
  }
  const second = await lockThread(tx, caller, action, b);
  return [await lockThread(tx, caller, action, a), second];
}

/** As an act that was allowed has left it. */
export async function readAgain(db: Reader, caller: Caller, id: string): Promise<LoadedThread> {
  const row = await rowOf(db, caller, id);
  if (!row) throw new Error('a thread that was just written is gone');
  return { ...toThread(row, caller), [loaded]: true };
}
