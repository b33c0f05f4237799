// For tests of plans: a database of the file's own whose queries are caught as the stores really send them, and explained.
import postgres from 'postgres';
import { expect } from 'vitest';
import type { Caller } from '../../src/kernel/caller.ts';
import type { Parsed, Reader, Transaction } from '../../src/kernel/database.ts';
import { freshDatabase, type FreshDatabase } from './database.ts';

export type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

export type Explained = { query: string; plan: Plan };

/** An administrator in a session. */
export const ADMIN: Caller = {
  principal: { kind: 'person', id: 'someone', name: 'Ada' },
  turn: 'direct',
  surface: 'rest',
  credential: { kind: 'session', id: 's', stepped_up_at: null },
  user_id: null,
  rights: { admin: true, policies: [], projects: null },
};

export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** What goes through a table from end to end; `small` are tables of a handful of rows on any instance. */
export const scansIn = (explained: readonly Explained[], small: readonly string[]): string[] =>
  explained.flatMap(({ query, plan }) =>
    nodesOf(plan)
      .filter((node) => node['Node Type'] === 'Seq Scan' && !small.includes(node['Relation Name'] ?? ''))
      .map((node) => `Seq Scan on ${node['Relation Name']}: ${query}`),
  );

export type Plans = {
  sql: postgres.Sql<Parsed>;
  /**
   * Lays many rows: statements that are consistent by themselves, so no foreign key is asked for each row. Indexes are built
   * over what lies there at the end, which takes half as long as keeping them up row by row.
   */
  seed(statements: string): Promise<void>;
  /** Runs a read and explains every query it sent; `analyze` counts what each step threw away. */
  ofRead(read: () => Promise<unknown>, analyze?: 'analyze'): Promise<Explained[]>;
  /** Runs work, undone at the end, and explains every query it sent. */
  ofWork(work: (tx: Transaction) => Promise<unknown>): Promise<Explained[]>;
  close(): Promise<void>;
};

/** `generic`: plans that know no value, as the product's own connections make them. `shared`: a database that is someone else's to drop. */
export async function openPlans(wish?: 'generic', shared?: FreshDatabase): Promise<Plans> {
  let sent: { query: string; parameters: unknown[] }[] = [];
  const database = shared ?? (await freshDatabase());
  const bigint = {
    to: 20,
    from: [20],
    serialize: (n: number) => String(n),
    parse: (text: string) => Number(text),
  };
  const sql = postgres({
    ...database.options,
    max: 1,
    types: { bigint },
    onnotice: () => undefined,
    ...(wish === 'generic' && { connection: { plan_cache_mode: 'force_generic_plan' } }),
    debug: (_connection, query, parameters) => void sent.push({ query, parameters }),
  }) as unknown as postgres.Sql<Parsed>;

  type Answer = { 'QUERY PLAN': { Plan: Plan }[] }[];
  const explain = async (db: Reader, query: string, parameters: unknown[], how: string): Promise<Answer> => {
    if (wish !== 'generic')
      return await db.unsafe<Answer>(`explain (${how}) ${query}`, parameters as never[]);
    await db.unsafe(`prepare asked as ${query}`);
    const given = parameters.map(literal).join(', ');
    const answer = await db.unsafe<Answer>(`explain (${how}) execute asked${given && `(${given})`}`);
    await db.unsafe('deallocate asked');
    return answer;
  };
  const explained = async (db: Reader, work: () => Promise<unknown>, how: string): Promise<Explained[]> => {
    sent = [];
    await work();
    const queries = sent.filter(({ query }) => /^\s*(select|with|update|delete)/i.test(query));
    expect(queries.length).toBeGreaterThan(0);
    const plans: Explained[] = [];
    for (const { query, parameters } of queries) {
      const [row] = await explain(db, query, parameters, how);
      plans.push({ query, plan: row?.['QUERY PLAN'][0]?.Plan ?? { 'Node Type': 'none' } });
    }
    return plans;
  };
  const seed = async (statements: string): Promise<void> => {
    const indexes = await sql<{ name: string; definition: string }[]>`
      select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`;
    const laid = [
      ...indexes.map(({ name }) => `drop index ${name}`),
      'set session_replication_role = replica',
      statements.trim().replace(/;$/, ''),
      'set session_replication_role = origin',
    ];
    await sql.unsafe(laid.join(';\n')).simple();
    // An index over rows that were updated before it was there is passed over while any older transaction of the whole server is
    // open, another test's too; over vacuumed rows it is used at once.
    await sql`vacuum`;
    await sql.unsafe(indexes.map(({ definition }) => definition).join(';\n')).simple();
    await sql`vacuum analyze`;
  };
  return {
    sql,
    seed,
    ofRead: (read, analyze) => explained(sql as Reader, read, `${analyze ? 'analyze, ' : ''}format json`),
    async ofWork(work) {
      let plans: Explained[] = [];
      await sql
        .begin(async (tx) => {
          plans = await explained(
            tx as unknown as Reader,
            () => work(tx as unknown as Transaction),
            'format json',
          );
          throw new Error('undone');
        })
        .catch((error: Error) => {
          if (error.message !== 'undone') throw error;
        });
      return plans;
    },
    async close() {
      await sql.end();
      if (!shared) await database.drop();
    },
  };
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `'{${value.map((each) => JSON.stringify(each)).join(',')}}'`;
  const text = value instanceof Date ? value.toISOString() : String(value as string | number | boolean);
  return `'${text.replaceAll("'", "''")}'`;
}
