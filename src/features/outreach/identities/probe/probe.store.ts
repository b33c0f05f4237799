// Records the result of a bounce address probe: sent, refused or arrived. Landing finds out whether it arrived.
import type { Transaction } from '../../../../kernel/database.ts';

/** Nothing is written where settings changed since the probe was made, nor twice, so that what arrived meanwhile stays. */
export async function saveProbe(
  tx: Transaction,
  { id, revision }: { id: string; revision: number },
  probe: { id: string; refused: string | null },
  now: Date,
): Promise<void> {
  await tx`
    update identities set probe_id = ${probe.id}, probe_sent_at = ${now}, probe_arrived_at = null,
      probe_refused = ${probe.refused}
    where id = ${id} and revision = ${revision} and gone_at is null
      and (probe_id is distinct from ${probe.id} or ${probe.refused}::text is not null)`;
}

/** The identity whose probe this is; null: it is no one's, or of settings that changed since. */
export async function probeArrived(
  tx: Transaction,
  ids: readonly string[],
  now: Date,
): Promise<string | null> {
  if (ids.length === 0) return null;
  const [row] = await tx<{ id: string }[]>`
    update identities set probe_arrived_at = coalesce(probe_arrived_at, ${now}), probe_refused = null
    where probe_id = any(${[...ids]}::uuid[]) returning id`;
  return row?.id ?? null;
}
