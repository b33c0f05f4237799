// Answers that are kept for a repeated call (ground.ts), where what stands in them may not be kept any more.
import type { Transaction } from '../kernel/ground.ts';

/** As ids are written. */
const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * Drops those that name one of these ids, wherever in the answer. All of a day's answers are read for it, so it is asked once
 * an act. A call that is made again runs anew.
 */
export async function dropReplays(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx`
    delete from idempotency_keys where (owner, key) in (
      select k.owner, k.key from idempotency_keys k
      cross join lateral regexp_matches(k.answer::text, ${ID}, 'g') m (named)
      join unnest(${[...ids]}::text[]) i (id) on i.id = m.named[1])`;
}
