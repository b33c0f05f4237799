// All SQL of policies and of who they are attached to.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Statement } from '../../../kernel/policy.ts';
import { invalid } from '../../../kernel/refusal.ts';
import { builtIn } from './built-in.ts';

type Db = Reader | Transaction;

export type Document = { name: string; statements: Statement[] };

/** Custom documents by name, after `after`. */
export async function documents(db: Db, after: string | null, count: number): Promise<Document[]> {
  return db<Document[]>`
    select name, statements from policies ${after === null ? db`` : db`where name collate "C" > ${after}`}
    order by name collate "C" limit ${count}`;
}

/** How many users, groups and tokens carry each of these. */
export async function attachedCounts(db: Db, names: string[]): Promise<Map<string, number>> {
  const rows = await db<{ policy_name: string; attached: number }[]>`
    select policy_name, count(*) as attached from (
      select policy_name from user_policies where policy_name = any(${names}::text[])
      union all select policy_name from group_policies where policy_name = any(${names}::text[])
      union all select policy_name from token_policies where policy_name = any(${names}::text[])) carried
    group by policy_name`;
  return new Map(rows.map((row) => [row.policy_name, row.attached]));
}

/**
 * Refuses names that are no policy, and holds the documents to the end of the transaction, so that none is deleted while it
 * is being attached. Returns the names once each.
 */
export async function attachable(tx: Transaction, names: string[]): Promise<string[]> {
  const wanted = [...new Set(names)];
  const custom = wanted.filter((name) => !builtIn(name));
  if (custom.length === 0) return wanted;
  const rows = await tx<
    { name: string }[]
  >`select name from policies where name = any(${custom}::text[]) for key share`;
  const missing = custom.filter((name) => !rows.some((row) => row.name === name));
  if (missing.length === 0) return wanted;
  const says = `no policy is named "${missing[0]}": GET /api/admin/policies lists policies`;
  throw invalid(says, { policies: says });
}

/** False where a document of that name exists. */
export async function insertDocument(
  tx: Transaction,
  { name, statements }: Document,
  now: Date,
): Promise<boolean> {
  const made = await tx`
    insert into policies (name, statements, created_at, updated_at) values (${name}, ${tx.json(statements)}, ${now}, ${now})
    on conflict do nothing returning 1`;
  return made.length > 0;
}

export async function updateDocument(
  tx: Transaction,
  { name, statements }: Document,
  now: Date,
): Promise<boolean> {
  const made =
    await tx`update policies set statements = ${tx.json(statements)}, updated_at = ${now} where name = ${name} returning 1`;
  return made.length > 0;
}

/** Takes the document for this transaction: no one attaches it meanwhile. */
export async function lockDocument(tx: Transaction, name: string): Promise<boolean> {
  const found = await tx`select 1 from policies where name = ${name} for update`;
  return found.length > 0;
}

export async function deleteDocument(tx: Transaction, name: string): Promise<void> {
  await tx`delete from policies where name = ${name}`;
}
