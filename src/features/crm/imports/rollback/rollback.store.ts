// All SQL of taking a batch back: which rows wrote something, and what happened to them.
import type { Principal } from '../../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../../kernel/database.ts';
import { principalColumns } from '../../../../kernel/principal-row.ts';
import type { BatchRow } from '../contract.ts';
import type { Changes } from '../plan/merge.ts';

export type WrittenRow = {
  row_no: number;
  outcome: 'create' | 'update';
  person_id: string;
  revision: number;
  changes: Changes | null;
};

/** Rows that made or changed someone and are not undone, after the row `after`. */
export async function writtenRows(
  db: Reader,
  batch: string,
  after: number,
  count: number,
): Promise<WrittenRow[]> {
  return await db<WrittenRow[]>`
    select row_no, outcome, person_id, revision, changes from import_rows
    where batch_id = ${batch} and row_no > ${after} and outcome in ('create', 'update')
      and (rolled_back is null or rolled_back = 'kept')
    order by row_no limit ${count}`;
}

export type TakenBack = {
  row_no: number;
  rolled_back: NonNullable<BatchRow['rolled_back']>;
  kept_why: string | null;
  /** Of an update that was not undone whole: what of it is left. */
  left: Changes;
};

/** Of what is restored, how it was before and after is of no more use, and is someone's data. */
export async function saveTakenBack(
  tx: Transaction,
  batch: string,
  rows: readonly TakenBack[],
): Promise<void> {
  await tx`
    update import_rows i set rolled_back = r.rolled_back, kept_why = r.kept_why,
      changes = case when i.outcome = 'update' then r."left" end
    from jsonb_to_recordset(${json(tx, rows)}) as r (row_no int, rolled_back text, kept_why text, "left" jsonb)
    where i.batch_id = ${batch} and i.row_no = r.row_no`;
}

export async function endRollback(
  tx: Transaction,
  batch: string,
  { removed, restored, kept }: { removed: number; restored: number; kept: number },
  by: Principal,
  now: Date,
): Promise<void> {
  const row = {
    state: 'rolled_back',
    kept,
    rolled_back_at: now,
    ...principalColumns(tx, 'rolled_back_by', by),
  };
  // One that is rolled back further counts all that was undone.
  await tx`
    update import_batches set ${tx(row)}, removed = coalesce(removed, 0) + ${removed},
      restored = coalesce(restored, 0) + ${restored}
    where id = ${batch}`;
}

/** Of someone who is deleted or erased: what a batch remembers of how they were. */
export async function forgetChanges(tx: Transaction, person: string): Promise<void> {
  await tx`update import_rows set changes = '{}' where person_id = ${person} and outcome = 'update'`;
}

/**
 * Someone was merged into another: letters to the one that stays lock the batches of both. Their revision is none that the
 * row knows, so that a rollback takes no one away who is two.
 */
export async function moveRows(tx: Transaction, from: string, into: string): Promise<void> {
  await tx`
    update import_rows set person_id = ${into}, revision = 0
    where person_id = ${from} and outcome in ('create', 'update')`;
}
