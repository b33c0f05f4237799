// All SQL that writes agents’ reads and deletes them after a month.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { Transaction } from '../../../kernel/database.ts';
import type { Read } from './reads.ts';

/** One statement for a batch. */
export async function insertReads(db: Transaction, reads: readonly Read[]): Promise<void> {
  const rows = reads.map(({ id, first, until, count }) => {
    const { principal, credential, surface, turn } = first.caller;
    const token = credential.kind === 'token' ? credential : null;
    return {
      id,
      at: first.at,
      until,
      count,
      principal_kind: principal.kind,
      principal_id: principal.id,
      principal_name: principal.name,
      on_behalf_of_id: principal.on_behalf_of?.id ?? null,
      on_behalf_of_name: principal.on_behalf_of?.name ?? null,
      token_id: token?.id ?? null,
      token_name: token?.name ?? null,
      surface,
      turn,
      act: first.act,
      resource: first.resource,
      request_id: first.request_id,
    };
  });
  await db`insert into activity_reads ${db(rows)}`;
}

const KEPT_MS = 30 * DAY_MS;
/** Of the oldest, so many in one transaction. */
const FORGOTTEN_AT_ONCE = 5_000;

/** Those older than a month, the oldest first; gives how many went. Ids sort by birth, so the oldest are together. */
export async function forgetReads(tx: Transaction, now: Date): Promise<number> {
  const gone = await tx`
    delete from activity_reads where id in (
      select id from (select id, at from activity_reads order by id limit ${FORGOTTEN_AT_ONCE}) oldest
      where at < ${after(now, -KEPT_MS)})`;
  return gone.count;
}
