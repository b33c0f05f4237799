// How many rows of each table a transaction changed, as counted by PostgreSQL.
import type { Transaction } from './database.ts';

/** Rows of a table that an act inserts, changes or deletes. */
export type TableChange = { table: string; inserted: number; changed: number; deleted: number };

export type Counts = ReadonlyMap<string, Omit<TableChange, 'table'>>;

/**
 * What this connection did to each table so far, by the server's own count: what earlier transactions of the connection left
 * uncounted is in it, and is the same before and after.
 */
export async function countsIn(tx: Transaction): Promise<Counts> {
  const rows = await tx<TableChange[]>`
    select relname as "table", n_tup_ins::int as inserted, n_tup_upd::int as changed, n_tup_del::int as deleted
    from pg_stat_xact_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0`;
  return new Map(rows.map(({ table, ...counts }) => [table, counts]));
}

const NOTHING = { inserted: 0, changed: 0, deleted: 0 };

export const changesOf = (before: Counts, after: Counts): TableChange[] =>
  [...after]
    .map(([table, is]) => {
      const was = before.get(table) ?? NOTHING;
      return {
        table,
        inserted: is.inserted - was.inserted,
        changed: is.changed - was.changed,
        deleted: is.deleted - was.deleted,
      };
    })
    .filter(({ inserted, changed, deleted }) => inserted + changed + deleted > 0)
    .toSorted((a, b) => (a.table < b.table ? -1 : 1));
