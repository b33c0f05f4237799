// Reports that no letter was found for, a page at a time.
import type { Reader } from '../../../kernel/database.ts';
import type { Unplaced } from './contract.ts';

type Row = Omit<Unplaced, 'at' | 'received_at'> & { at: Date; received_at: Date };

/** Newest first; `after` is the key of the last row of the page before. */
export async function unplacedRows(
  db: Reader,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<Unplaced[]> {
  const rows = await db<Row[]>`
    select id, kind, source, status, cause, said, message_id, recipient_hash, at, received_at from send_outcomes
    where send_id is null and placed_by is null
      ${after === null ? db`` : db`and (received_at, id) < (${after[0]}, ${after[1]})`}
    order by received_at desc, id desc limit ${count}`;
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    received_at: row.received_at.toISOString(),
  }));
}
