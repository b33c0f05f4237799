// What writes threads by hand: state, assignee, labels, and the mark of what a user has read.
import type { Principal } from '../../../kernel/caller.ts';
import type { Transaction } from '../../../kernel/database.ts';
import type { LoadedThread } from './store.ts';
import type { StateGiven } from './thread.rules.ts';
import { setThreadState } from './thread-states.store.ts';

export type ThreadChanges = {
  given?: StateGiven | null;
  assignee?: Principal | null;
  labels?: string[];
  subject?: string;
};

export async function saveThread(
  tx: Transaction,
  thread: LoadedThread,
  { given, assignee, ...changes }: ThreadChanges,
  now: Date,
): Promise<void> {
  if (given) await setThreadState(tx, thread.id, given, now);
  const columns = {
    ...changes,
    ...(assignee !== undefined && {
      assignee_kind: assignee?.kind ?? null,
      assignee_id: assignee?.id ?? null,
      assignee_name: assignee?.name ?? null,
    }),
    revision: thread.revision + 1,
    updated_at: now,
  };
  await tx`update threads set ${tx(columns as never)} where id = ${thread.id}`;
}

/** What landed until then is read by this user; null: nothing is. */
export async function markRead(
  tx: Transaction,
  thread: LoadedThread,
  user: string,
  up_to: Date | null,
): Promise<void> {
  if (up_to === null) {
    await tx`delete from thread_reads where user_id = ${user} and thread_id = ${thread.id}`;
    return;
  }
  await tx`
    insert into thread_reads (user_id, thread_id, read_at) values (${user}, ${thread.id}, ${up_to})
    on conflict (user_id, thread_id) do update set read_at = greatest(thread_reads.read_at, excluded.read_at)`;
}
