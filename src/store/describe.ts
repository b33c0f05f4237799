// Describes a schema from the catalogs: one line for each column, constraint, index, trigger, function, type and
// grant, so that two schemas are compared line by line. Reads only the first schema of the search path, whose name is
// in no line.
import type postgres from 'postgres';

/** In the order of bytes. */
export async function describe(session: postgres.ISql): Promise<string[]> {
  const rows = await session<{ line: string }[]>`
    with here as (select oid, nspname, nspacl from pg_namespace where nspname = current_schema()),
    tables as (select c.* from pg_class c join here h on h.oid = c.relnamespace where c.relname <> 'schema_migrations'
      and not exists (select from pg_depend x where x.classid = 'pg_class'::regclass and x.objid = c.oid and x.deptype = 'e'))
    select format('%s %s %s%s', case c.relkind when 'r' then 'table' when 'v' then 'view' else 'sequence' end, c.relname,
      c.relpersistence, coalesce(' ' || array_to_string(c.reloptions, ','), '')) as line
    from tables c where c.relkind in ('r', 'v', 'S')
    union all
    select format('column %s.%s %s%s%s %s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> t.typcollation then format(' collate %s', a.attcollation::regcollation) else '' end,
      case when a.attnotnull then ' not null' else '' end,
      coalesce(case when a.attgenerated <> '' then 'as ' else 'default ' end || pg_get_expr(d.adbin, d.adrelid), '-'),
      ' stored ' || a.attstorage::text)
    from tables c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum where c.relkind in ('r', 'v')
    union all
    select format('constraint %s.%s %s', c.relname, n.conname, pg_get_constraintdef(n.oid))
    from tables c join pg_constraint n on n.conrelid = c.oid and n.contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select format('index %s', replace(pg_get_indexdef(i.indexrelid), format(' ON %I.', h.nspname), ' ON '))
    from tables c join pg_index i on i.indrelid = c.oid cross join here h
    union all
    select format('trigger %s', replace(pg_get_triggerdef(g.oid, true), h.nspname || '.', ''))
    from tables c join pg_trigger g on g.tgrelid = c.oid and not g.tgisinternal cross join here h
    union all
    select format('function %s(%s) %s', p.proname, pg_get_function_arguments(p.oid), 
      md5(replace(pg_get_functiondef(p.oid), h.nspname || '.', '')))
    from pg_proc p join here h on h.oid = p.pronamespace
    where not exists (select from pg_depend x where x.classid = 'pg_proc'::regclass and x.objid = p.oid and x.deptype = 'e')
    union all
    select format('view %s %s', c.relname, pg_get_viewdef(c.oid)) from tables c where c.relkind = 'v'
    union all
    select format('type %s %s', t.typname, (select string_agg(e.enumlabel, ',' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid))
    from pg_type t join here h on h.oid = t.typnamespace where t.typtype = 'e'
      and not exists (select from pg_depend x where x.classid = 'pg_type'::regclass and x.objid = t.oid and x.deptype = 'e')
    union all
    select format('grant on %s %s', c.relname, c.relacl) from tables c where c.relacl is not null
    union all
    select format('grant on %s %s', p.proname, p.proacl) from pg_proc p join here h on h.oid = p.pronamespace where p.proacl is not null
    order by 1`;
  return rows.map(({ line }) => line).toSorted();
}
