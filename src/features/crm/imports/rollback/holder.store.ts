// All SQL of what a person's timeline says of imports: the batches that brought or changed them.
import type { Reader } from '../../../../kernel/database.ts';
import { knownPrincipalIn, type PrincipalColumns } from '../../../../kernel/principal-row.ts';
import type { TimelineEntry } from '../../people/person-acts.contract.ts';

export async function batchesOf(db: Reader, person: string): Promise<string[]> {
  const rows = await db<{ batch_id: string }[]>`
    select distinct batch_id from import_rows where person_id = ${person} and outcome in ('create', 'update')`;
  return rows.map(({ batch_id }) => batch_id);
}

type Row = {
  id: string;
  at: Date;
  filename: string | null;
  row: number;
  outcome: 'create' | 'update';
  rolled_back: string | null;
  fields: string[];
} & PrincipalColumns<'created_by'>;

/** One entry a batch, whose id is the batch's. Someone who was merged may be in it twice: the first row speaks. */
export async function timelineOf(
  db: Reader,
  person: string,
  batches: readonly string[],
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<TimelineEntry[]> {
  const rows = await db<Row[]>`
    select b.id, b.created_at as at, b.filename, b.created_by_kind, b.created_by_id, b.created_by_name,
      b.created_by_on_behalf_of, r.row_no as row, r.outcome, r.rolled_back, r.fields
    from import_batches b, lateral (
      select i.row_no, i.outcome, i.rolled_back,
        array(select jsonb_object_keys(coalesce(i.changes, '{}')) order by 1) as fields
      from import_rows i where i.person_id = ${person} and i.batch_id = b.id and i.outcome in ('create', 'update')
      order by i.row_no limit 1) r
    where b.id = any(${[...batches]}::uuid[])
      ${after === null ? db`` : db`and (b.created_at, b.id) < (${after[0]}, ${after[1]}::uuid)`}
    order by b.created_at desc, b.id desc limit ${count}`;
  return rows.map(({ id, at, filename, row, outcome, rolled_back, fields, ...by }) => ({
    id,
    kind: 'imported',
    text: null,
    details: { batch_id: id, filename, row, outcome, fields, rolled_back },
    by: knownPrincipalIn(by, 'created_by'),
    at: at.toISOString(),
  }));
}
