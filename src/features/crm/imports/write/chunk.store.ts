// All SQL of what of a batch is still to be written: chunks under a lease, and the one that goes in the transaction that
// writes its people.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import type { Lease } from '../../../../kernel/pass.ts';
import { knownPrincipalIn, type PrincipalColumns } from '../../../../kernel/principal-row.ts';

export type DueChunk = { batch_id: string; no: number; lease: string };

export async function addChunk(tx: Transaction, batch_id: string, no: number, drafts: string): Promise<void> {
  await tx`insert into import_chunks (batch_id, no, drafts) values (${batch_id}, ${no}, ${drafts})`;
}

export async function claimChunks(tx: Transaction, lease: Lease, count: number): Promise<DueChunk[]> {
  const rows = await tx<DueChunk[]>`
    with due as (
      select batch_id, no from import_chunks where lease_until is null or lease_until <= ${lease.from}
      order by batch_id, no limit ${count} for update skip locked)
    update import_chunks c set lease = ${lease.id}, lease_until = ${lease.until}
    from due where c.batch_id = due.batch_id and c.no = due.no returning c.batch_id, c.no, c.lease`;
  return rows.toSorted((a, b) =>
    a.batch_id === b.batch_id ? a.no - b.no : a.batch_id < b.batch_id ? -1 : 1,
  );
}

export type TakenChunk = { drafts: string; mode: string; by: Principal };

/** Takes a chunk out, with what its batch says of it; null where another process holds it by now, or has written it. */
export async function takeChunk(
  tx: Transaction,
  { batch_id, no, lease }: DueChunk,
): Promise<TakenChunk | null> {
  // The batch first: whoever rolls it back takes that alone, and waits for all chunks that are being written. They do not wait
  // for each other, and no letter waits for them.
  const [batch] = await tx<({ mode: string } & PrincipalColumns<'created_by'>)[]>`
    select options ->> 'on_duplicate' as mode, created_by_kind, created_by_id, created_by_name, created_by_on_behalf_of
    from import_batches where id = ${batch_id} for key share`;
  const [chunk] = await tx<{ drafts: string }[]>`
    delete from import_chunks where batch_id = ${batch_id} and no = ${no} and lease = ${lease} returning drafts`;
  return batch && chunk
    ? { drafts: chunk.drafts, mode: batch.mode, by: knownPrincipalIn(batch, 'created_by') }
    : null;
}

export async function giveBackChunks(tx: Transaction, lease: Lease): Promise<void> {
  await tx`update import_chunks set lease = null, lease_until = null where lease = ${lease.id}`;
}

/**
 * This act is over before it is safe on the disk. A chunk goes and its people come in one act, so a power cut in the next
 * moments brings both back as they were, and the chunk is written again; any act after it that waits for the disk waits for
 * this one too.
 */
export async function waitForNoDisk(tx: Transaction): Promise<void> {
  await tx`set local synchronous_commit = off`;
}

/**
 * Tells the server how large the tables are by now. Plans are made once and kept, those behind foreign keys as well: made on
 * an empty table they read all of it for every row, and the longer a list the slower each of its rows was (measured: a page
 * of a batch of 20,000 did not come within 25 seconds). One column of each is enough to be counted by: all of them with their
 * words and values took a tenth of the writing.
 */
export async function refreshStatistics(tx: Transaction): Promise<void> {
  await tx`analyze (skip_locked) people (id), person_addresses (person_id), companies (id), import_rows (batch_id)`;
}
