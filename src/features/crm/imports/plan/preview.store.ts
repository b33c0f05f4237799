// All SQL of plans that were read: keeping one, finding it again for the write, and letting the old ones go.
import type { Principal } from '../../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../../kernel/database.ts';
import type { Plan } from '../contract.ts';
import type { Targets } from './planned.ts';

type Reads = Pick<Principal, 'kind' | 'id'>;

export type Preview = {
  id: string;
  rows: number;
  outcomes: string;
  targets: Targets;
  batch_id: string | null;
};

/** Another plan of the same file and options takes the place of the one before, used or not. */
export async function keepPreview(
  tx: Transaction,
  by: Reads,
  plan: Plan,
  { outcomes, targets }: Pick<Preview, 'outcomes' | 'targets'>,
  now: Date,
): Promise<void> {
  const { id, sha256, options_hash, size, rows, expires_at } = plan.preview;
  const row = {
    id,
    sha256,
    options_hash,
    size_bytes: size,
    rows,
    outcomes,
    expires_at: new Date(expires_at),
    read_by_kind: by.kind,
    read_by_id: by.id,
    read_at: now,
    plan: json(tx, plan),
    targets: tx.json(targets),
  };
  await tx`
    insert into import_previews ${tx(row)}
    on conflict (read_by_kind, read_by_id, sha256, options_hash) do update set id = excluded.id, size_bytes = excluded.size_bytes,
      rows = excluded.rows, outcomes = excluded.outcomes, targets = excluded.targets, plan = excluded.plan,
      read_at = excluded.read_at, expires_at = excluded.expires_at, batch_id = null`;
}

/** Was any plan of these bytes read? Asked before the file is parted. */
export async function wasPreviewed(db: Reader, by: Reads, sha256: string, now: Date): Promise<boolean> {
  const rows = await db`
    select 1 from import_previews where read_by_kind = ${by.kind} and read_by_id = ${by.id} and sha256 = ${sha256}
      and expires_at > ${now} limit 1`;
  return rows.length > 0;
}

/** The plan of these bytes and options, held until this act is over: of two writes the second waits, and finds the batch. */
export async function holdPreview(
  tx: Transaction,
  by: Reads,
  sha256: string,
  options_hash: string,
  now: Date,
): Promise<Preview | null> {
  const [row] = await tx<Preview[]>`
    select id, rows, outcomes, targets, batch_id from import_previews
    where read_by_kind = ${by.kind} and read_by_id = ${by.id} and sha256 = ${sha256} and options_hash = ${options_hash}
      and expires_at > ${now} for update`;
  return row ?? null;
}

export async function markWritten(tx: Transaction, id: string, batch_id: string): Promise<void> {
  await tx`update import_previews set batch_id = ${batch_id} where id = ${id}`;
}

/** What they show of people goes with them. */
export async function forgetPreviews(tx: Transaction, now: Date): Promise<void> {
  await tx`
    delete from import_previews where id in (
      select id from import_previews where expires_at <= ${now} order by expires_at limit 1000 for update skip locked)`;
}
