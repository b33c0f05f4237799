// Locks that an opt-out takes before it touches any letter.
import type { Transaction } from '../../../../kernel/database.ts';

/** Every place in a campaign that these people have, in one order. */
export async function lockProspectsOf(tx: Transaction, people: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from prospects where person_id = any(${[...people]}::uuid[]) order by id for no key update`;
  return rows.map(({ id }) => id);
}
