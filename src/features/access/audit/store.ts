// All SQL that reads the audit log. Rows are added by the database, beside the act they are about, and never changed.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import type { AuditEntry } from './contract.ts';
import { readable } from './readable.store.ts';

export type AuditFilter = {
  act?: string | undefined;
  outcome?: string | undefined;
  actor?: string | undefined;
  surface?: string | undefined;
  before: string | null;
  count: number;
};

type Row = Omit<AuditEntry, 'at'> & { at: Date };

/** Newest first, without acts on what the caller's policies deny. Each of the three ways in which someone is an actor has its own index, and gives its newest rows by it. */
export async function auditRows(
  db: Reader,
  caller: Caller,
  { act, outcome, actor, surface, before, count }: AuditFilter,
): Promise<AuditEntry[]> {
  const may = readable(db, caller);
  const matching = (as: ReturnType<Reader>) => db`
    select * from audit a where ${as} and ${may}
    ${act === undefined ? db`` : db`and act = ${act}`}
    ${outcome === undefined ? db`` : db`and outcome = ${outcome}`}
    ${surface === undefined ? db`` : db`and surface = ${surface}`}
    ${before === null ? db`` : db`and id < ${before}`}
    order by id desc limit ${count}`;
  const found =
    actor === undefined
      ? matching(db`true`)
      : db`
        (${matching(db`principal_id = ${actor}`)}) union
        (${matching(db`token_id = ${actor}`)}) union
        (${matching(db`on_behalf_of_id = ${actor}`)})`;
  const rows = await db<Row[]>`
    select id, at, surface, turn, act, resource, outcome, code, sentence, request_id, times,
      jsonb_build_object('kind', principal_kind, 'id', principal_id, 'name', principal_name) as principal,
      case when on_behalf_of_id is not null
        then jsonb_build_object('kind', 'person', 'id', on_behalf_of_id, 'name', on_behalf_of_name) end as on_behalf_of,
      case when token_id is not null then jsonb_build_object('id', token_id, 'name', token_name) end as token
    from (${found}) audit order by id desc limit ${count}`;
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
