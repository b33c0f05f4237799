// Every pause that a domain ever had, with what it rested on and who lifted it.
import type { Reader } from '../../../kernel/database.ts';
import { principalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import type { Pause } from './acts.contract.ts';
import type { Evidence } from './contract.ts';
import type { LoadedDomain } from './store.ts';

type Row = PrincipalColumns<'resumed_by'> & {
  id: string;
  paused_by: 'warden' | 'person';
  reason: string;
  evidence: Evidence | null;
  by_name: string;
  at: Date;
  resumed_at: Date | null;
};

/** Newest first; `after` is the key of the last row of the page before. */
export async function pausesOf(
  db: Reader,
  domain: LoadedDomain,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<Pause[]> {
  const rows = await db<Row[]>`
    select id, paused_by, reason, evidence, by_name, at, resumed_at, resumed_by_kind, resumed_by_id, resumed_by_name,
      resumed_by_on_behalf_of
    from domain_pauses
    where domain_id = ${domain.id} ${after === null ? db`` : db`and (at, id) < (${after[0]}, ${after[1]})`}
    order by at desc, id desc limit ${count}`;
  return rows.map((row) => ({
    id: row.id,
    paused_by: row.paused_by,
    reason: row.reason,
    evidence: row.evidence,
    by_name: row.by_name,
    at: row.at.toISOString(),
    resumed_by: principalIn(row, 'resumed_by'),
    resumed_at: row.resumed_at?.toISOString() ?? null,
  }));
}
