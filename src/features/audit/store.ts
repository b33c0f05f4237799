// All SQL that reads the audit log. Rows are added by the ground, beside the act they are about, and never changed.
import type { Reader } from '../../kernel/ground.ts';
import type { AuditEntry } from './contract.ts';

export type AuditFilter = {
  act?: string | undefined;
  outcome?: string | undefined;
  actor?: string | undefined;
  surface?: string | undefined;
  before: string | null;
  count: number;
};

type Row = Omit<AuditEntry, 'at'> & { at: Date };

/** Newest first. */
export async function auditRows(
  db: Reader,
  { act, outcome, actor, surface, before, count }: AuditFilter,
): Promise<AuditEntry[]> {
  const rows = await db<Row[]>`
    select id, at, surface, turn, act, resource, outcome, code, sentence, request_id,
      jsonb_build_object('kind', principal_kind, 'id', principal_id, 'name', principal_name) as principal,
      case when on_behalf_of_id is not null
        then jsonb_build_object('kind', 'person', 'id', on_behalf_of_id, 'name', on_behalf_of_name) end as on_behalf_of,
      case when token_id is not null then jsonb_build_object('id', token_id, 'name', token_name) end as token
    from audit where true
    ${act === undefined ? db`` : db`and act = ${act}`}
    ${outcome === undefined ? db`` : db`and outcome = ${outcome}`}
    ${surface === undefined ? db`` : db`and surface = ${surface}`}
    ${actor === undefined ? db`` : db`and (principal_id = ${actor} or token_id = ${actor} or on_behalf_of_id = ${actor})`}
    ${before === null ? db`` : db`and id < ${before}`}
    order by id desc limit ${count}`;
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
