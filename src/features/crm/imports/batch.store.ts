// All SQL of batches: their record, their rows, and the letters that lock them.
import type { Principal } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { knownPrincipalIn, type PrincipalColumns, principalColumns } from '../../../kernel/principal-row.ts';
import type { Batch, BatchRow, Differing } from './contract.ts';
import type { Changes } from './plan/merge.ts';

type Row = Omit<Batch, 'created_by' | 'created_at' | 'finished_at' | 'rolled_back'> & {
  created_at: Date;
  finished_at: Date | null;
  rolled_back_at: Date | null;
  removed: number | null;
  restored: number | null;
  kept: number | null;
} & PrincipalColumns<'created_by'> &
  PrincipalColumns<'rolled_back_by'>;

const columns = (db: Reader) => db`
  b.id, b.state, b.filename, b.sha256, b.size_bytes as size, b.options, b.rows, b.done_rows, b.created, b.updated, b.skipped, b.rejected,
  b.differs, (select count(*)::int from import_batch_sends s where s.batch_id = b.id) as letters, b.created_by_kind,
  b.created_by_id, b.created_by_name, b.created_by_on_behalf_of, b.created_at, b.finished_at, b.rolled_back_by_kind,
  b.rolled_back_by_id, b.rolled_back_by_name, b.rolled_back_by_on_behalf_of, b.rolled_back_at, b.removed, b.restored, b.kept`;

function toBatch(row: Row): Batch {
  const { id, state, filename, sha256, size, options, rows, done_rows, created, updated, skipped, rejected } =
    row;
  return {
    id,
    state,
    filename,
    sha256,
    size,
    options,
    rows,
    done_rows,
    created,
    updated,
    skipped,
    rejected,
    differs: row.differs,
    letters: row.letters,
    created_by: knownPrincipalIn(row, 'created_by'),
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    rolled_back: row.rolled_back_at && {
      by: knownPrincipalIn(row, 'rolled_back_by'),
      at: row.rolled_back_at.toISOString(),
      removed: row.removed ?? 0,
      restored: row.restored ?? 0,
      kept: row.kept ?? 0,
    },
  };
}

export type NewBatch = Pick<Batch, 'id' | 'filename' | 'sha256' | 'size' | 'options' | 'rows'>;

export async function insertBatch(
  tx: Transaction,
  { size, ...batch }: NewBatch,
  by: Principal,
  now: Date,
): Promise<void> {
  const row = {
    ...batch,
    size_bytes: size,
    options: json(tx, batch.options),
    state: 'writing',
    created_at: now,
    ...principalColumns(tx, 'created_by', by),
  };
  await tx`insert into import_batches ${tx(row)}`;
}

export async function batchById(db: Reader, id: string): Promise<Batch | null> {
  const [row] = await db<Row[]>`select ${columns(db)} from import_batches b where b.id = ${id}`;
  return row ? toBatch(row) : null;
}

/** Held until this act is over; read again after, since it may have waited. */
export async function lockBatch(tx: Transaction, id: string): Promise<Batch | null> {
  await tx`select 1 from import_batches where id = ${id} for update`;
  return batchById(tx, id);
}

export async function listBatches(
  db: Reader,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<Batch[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from import_batches b
    ${after === null ? db`` : db`where (b.created_at, b.id) < (${after[0]}, ${after[1]}::uuid)`}
    order by b.created_at desc, b.id desc limit ${count}`;
  return rows.map(toBatch);
}

/** What a row came to, as it is kept. */
export type RowResult = {
  row_no: number;
  outcome: BatchRow['outcome'];
  column_name: string | null;
  reason: string | null;
  differs: string | null;
  person_id: string | null;
  revision: number | null;
  changes: Changes | null;
};

/** Adds what a part of a batch came to; the last part ends the writing. */
export async function addResults(
  tx: Transaction,
  batch: string,
  results: readonly RowResult[],
  now: Date,
): Promise<void> {
  // One list a column, empty where no one has anything: see bulk.store.ts of people.
  const all = (of: (row: RowResult) => string | number | null): (string | null)[] => {
    const values = results.map((row) => of(row)?.toString() ?? null);
    return values.some((value) => value !== null) ? values : [];
  };
  await tx`
    insert into import_rows (batch_id, row_no, outcome, column_name, reason, differs, person_id, revision, changes)
    select ${batch}, r.row_no::int, r.outcome, r.column_name, r.reason, r.differs, r.person_id, r.revision::int, r.changes::jsonb
    from unnest(${all((r) => r.row_no)}::text[], ${all((r) => r.outcome)}::text[], ${all((r) => r.column_name)}::text[],
      ${all((r) => r.reason)}::text[], ${all((r) => r.differs)}::text[], ${all((r) => r.person_id)}::uuid[],
      ${all((r) => r.revision)}::text[], ${all((r) => r.changes && JSON.stringify(r.changes))}::text[])
      as r (row_no, outcome, column_name, reason, differs, person_id, revision, changes)`;
  const count = (outcome: BatchRow['outcome']): number =>
    results.filter((each) => each.outcome === outcome).length;
  const differs = results.filter((each) => each.differs !== null).length;
  const done = results.length;
  await tx`
    update import_batches set done_rows = done_rows + ${done}, created = created + ${count('create')},
      updated = updated + ${count('update')}, skipped = skipped + ${count('skip')}, rejected = rejected + ${count('reject')},
      differs = differs + ${differs},
      state = case when done_rows + ${done} < rows then 'writing' when sent then 'locked' else 'written' end,
      finished_at = case when done_rows + ${done} < rows then null else ${now}::timestamptz end
    where id = ${batch}`;
}

export async function addCompanies(tx: Transaction, batch: string, made: readonly string[]): Promise<void> {
  if (made.length > 0)
    await tx`insert into import_companies (batch_id, company_id) select ${batch}, unnest(${[...made]}::uuid[])`;
}

export async function companiesOf(db: Reader, batch: string): Promise<string[]> {
  const rows = await db<{ company_id: string }[]>`
    select company_id from import_companies where batch_id = ${batch} order by company_id`;
  return rows.map(({ company_id }) => company_id);
}

type ListedRow = {
  row_no: number;
  outcome: BatchRow['outcome'];
  column_name: string | null;
  reason: string | null;
  differs: string | null;
  person_id: string | null;
  name: string | null;
  rolled_back: BatchRow['rolled_back'];
  kept_why: string | null;
};

export async function batchRows(
  db: Reader,
  batch: string,
  wishes: { outcome: BatchRow['outcome'] | null; differs: boolean; after: number | null; count: number },
): Promise<ListedRow[]> {
  // The page first, then the names: a plan that was made when the tables were small must not look names up for every row.
  return await db<ListedRow[]>`
    select r.*, p.name from (
      select row_no, outcome, column_name, reason, differs, person_id, rolled_back, kept_why from import_rows
      where batch_id = ${batch} ${ofOutcome(db, wishes.outcome)}
        ${wishes.differs ? db`and differs is not null` : db``}
        ${wishes.after === null ? db`` : db`and row_no > ${wishes.after}`}
      order by row_no limit ${wishes.count}) r
    left join people p on p.id = r.person_id order by r.row_no`;
}

/** Their index is of all but those that were created. */
function ofOutcome(db: Reader, outcome: BatchRow['outcome'] | null) {
  if (outcome === null) return db``;
  return outcome === 'create'
    ? db`and outcome = 'create'`
    : db`and outcome = ${outcome} and outcome <> 'create'`;
}

export async function differingRows(db: Reader, batch: string, count: number): Promise<Differing[]> {
  return await db<Differing[]>`
    select row_no as row, outcome, person_id, differs as why from import_rows
    where batch_id = ${batch} and differs is not null order by row_no limit ${count}`;
}

/**
 * A letter to these people is on its way: every batch that brought or changed one of them can no longer be rolled back, and
 * counts this letter. Called by whoever sets a letter to `sending`, in that transaction. A rollback holds its batch, so of
 * the two one comes first: after a rollback there is nothing to lock, and after this the rollback is refused. Chunks that are
 * being written hold no one up here, since there may always be one. One that was rolled back in part counts letters to those it kept,
 * and goes no further then.
 */
export async function lockBatchesOf(
  tx: Transaction,
  personIds: readonly string[],
  sendId: string,
  now: Date,
): Promise<void> {
  await tx`
    with batches as (
      select distinct batch_id from import_rows
      where person_id = any(${[...personIds]}::uuid[]) and outcome in ('create', 'update') and (rolled_back is null or rolled_back = 'kept')),
    open as (
      select b.id from import_batches b join batches on batches.batch_id = b.id
      where not b.sent and b.state in ('writing', 'written', 'rolled_back') order by b.id for no key update of b)
    update import_batches b set sent = true, state = case when b.state = 'written' then 'locked' else b.state end
    from open where b.id = open.id and b.state <> 'rolled_back'`;
  await tx`
    insert into import_batch_sends (batch_id, send_id, at)
    select b.id, ${sendId}, ${now} from import_batches b
    where (b.sent or b.state = 'rolled_back') and b.id in (
      select batch_id from import_rows
      where person_id = any(${[...personIds]}::uuid[]) and outcome in ('create', 'update') and (rolled_back is null or rolled_back = 'kept'))
    on conflict do nothing`;
}
