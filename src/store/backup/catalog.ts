// What a backup needs to know about a schema, read from the database: tables with their columns and order, and what
// must be suspended while rows are loaded.
import type { Db, Session } from './session.ts';

export type Table = { name: string; columns: string[]; order: string };

/** Counters of the last minutes are in no backup. */
const LEFT_OUT = ['schema_migrations', 'rate_counts'];

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** By name. Columns that the database computes itself are left out; rows are ordered by the primary key, text by its bytes. */
export async function tablesOf(db: Db): Promise<Table[]> {
  const rows = await db<{ name: string; columns: string[]; keys: { name: string; text: boolean }[] }[]>`
    select c.relname as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select jsonb_agg(jsonb_build_object('name', a.attname, 'text', a.attcollation <> 0) order by k.place)
       from pg_index i, unnest(i.indkey::int2[]) with ordinality as k(number, place), pg_attribute a
       where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.number), '[]') as keys
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all (${LEFT_OUT})
    order by c.relname collate "C"`;
  return rows.map(({ name, columns, keys }) => ({
    name,
    columns,
    order: (keys.length > 0 ? keys : columns.map((column) => ({ name: column, text: null })))
      .map((key) =>
        key.text === null
          ? `${quoted(key.name)}::text collate "C"`
          : `${quoted(key.name)}${key.text ? ' collate "C"' : ''}`,
      )
      .join(', '),
  }));
}

export async function migrationsOf(db: Db): Promise<{ name: string; sha256: string }[]> {
  const [found] = await db<{ there: boolean }[]>`
    select to_regclass('schema_migrations') is not null as there`;
  if (!found?.there) return [];
  return db<{ name: string; sha256: string }[]>`select name, sha256 from schema_migrations order by name`;
}

export type Sequence = { name: string; last_value: number; is_called: boolean };

export async function sequencesOf(db: Db): Promise<Sequence[]> {
  const names = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname collate "C"`;
  const found: Sequence[] = [];
  for (const { name } of names) {
    const [row] = await db<{ last_value: number; is_called: boolean }[]>`
      select last_value::float8 as last_value, is_called from ${db(name)}`;
    if (row) found.push({ name, ...row });
  }
  return found;
}

/**
 * Takes references and the product's own triggers out of the way; gives what puts them back, which checks every reference.
 * A role that owns the tables may do both; switching the checks off would ask for a superuser.
 */
export async function clearTheWay(session: Session, tables: readonly Table[]): Promise<() => Promise<void>> {
  const references = await session<{ on_table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as on_table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`;
  for (const { name } of tables) await session.unsafe(`alter table ${quoted(name)} disable trigger user`);
  for (const { on_table, name } of references)
    await session.unsafe(`alter table ${on_table} drop constraint ${quoted(name)}`);
  return async () => {
    for (const { on_table, name, definition } of references)
      await session.unsafe(`alter table ${on_table} add constraint ${quoted(name)} ${definition}`);
    for (const { name } of tables) await session.unsafe(`alter table ${quoted(name)} enable trigger user`);
  };
}
