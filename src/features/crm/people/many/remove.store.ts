// Taking away people whom an import brought, as long as nothing hangs on them. What hangs on someone is asked of the schema:
// whatever table has a column `person_id` keeps something of a person, those of features to come as well.
import type { Reader, Transaction } from '../../../../kernel/database.ts';

/** What goes with a person and says nothing of its own. */
const PART_OF_THEM = ['person_addresses', 'import_rows', 'bulk_rows'];

/** What else is kept of these people: for each of them the tables, by name. */
export async function hangingOn(db: Reader, ids: readonly string[]): Promise<Map<string, string[]>> {
  const hanging = new Map<string, string[]>();
  if (ids.length === 0) return hanging;
  const tables = await db<{ name: string; by: string }[]>`
    select c.relname as name, a.attname as by from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    where not a.attisdropped and (a.attname = 'person_id' or (c.relname = 'person_merges' and a.attname = 'into_id'))
      and a.atttypid = 'uuid'::regtype and not c.relname = any(${PART_OF_THEM}::text[])
    order by c.relname`;
  for (const { name, by } of tables) {
    const rows = await db<{ id: string }[]>`
      select i.id from unnest(${[...ids]}::uuid[]) i (id)
      where exists (select from ${db(name)} t where t.${db(by)} = i.id)`;
    for (const { id } of rows) hanging.set(id, [...(hanging.get(id) ?? []), name]);
  }
  return hanging;
}

/** Deletes people who are locked, with their addresses. */
export async function deletePeople(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx`delete from people where id = any(${[...ids]}::uuid[])`;
}

/** Of these companies, takes those away that no one works for and nothing speaks of; gives how many. */
export async function deleteUnusedCompanies(tx: Transaction, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const gone = await tx`
    delete from companies c where c.id = any(${[...ids]}::uuid[]) and c.revision = 1
      and not exists (select from people p where p.company_id = c.id)
      and not exists (select from deals d where d.company_id = c.id)
    returning 1`;
  return gone.length;
}
