// Saved responses for repeated calls (database.ts), when their content may no longer be kept.
import type { Transaction } from '../kernel/database.ts';

/**
 * Drops those that name one of these ids, wherever in the answer. The names of all of a day's answers are read for it, so it is
 * asked once an act. A call that is made again runs again.
 */
export async function dropReplays(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx`
    delete from idempotency_keys where (owner, key) in (
      select k.owner, k.key from idempotency_keys k
      cross join lateral unnest(k.names) n (id) join unnest(${[...ids]}::uuid[]) i (id) on i.id = n.id)`;
}
