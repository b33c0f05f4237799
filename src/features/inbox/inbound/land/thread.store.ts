// What a conversation says of whom it is with, for the app's own work, which asks for no one.
import type { Transaction } from '../../../../kernel/database.ts';

export type ThreadOf = {
  id: string;
  person_id: string | null;
  prospect_id: string | null;
  campaign_id: string | null;
};

/** Locked; where it was merged away, the one that it went to. */
export async function threadOf(tx: Transaction, id: string): Promise<ThreadOf> {
  const [row] = await tx<ThreadOf[]>`
    select id, person_id, prospect_id, campaign_id from threads
    where id = coalesce((select merged_into from threads where id = ${id}), ${id}) for no key update`;
  if (!row) throw new Error('a conversation that something belongs to is gone');
  return row;
}
