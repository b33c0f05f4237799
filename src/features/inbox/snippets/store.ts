// All SQL of snippets. A private snippet is visible only to its owner.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { knownPrincipalIn, principalColumns, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { notFound } from '../../../kernel/refusal.ts';
import type { Snippet } from './contract.ts';

type Row = PrincipalColumns<'created_by'> & {
  id: string;
  name: string;
  text: string;
  own: boolean;
  revision: number;
  created_at: Date;
  updated_at: Date;
};

const columns = (db: Reader) => db`
  s.id, s.name, s.text, s.owner_id is not null as own, s.revision, s.created_by_kind, s.created_by_id, s.created_by_name,
  s.created_by_on_behalf_of, s.created_at, s.updated_at`;

const theirs = (db: Reader, caller: Caller) => db`(s.owner_id is null or s.owner_id = ${caller.user_id})`;

const toSnippet = ({ created_at, updated_at, ...row }: Row): Snippet => ({
  id: row.id,
  name: row.name,
  text: row.text,
  own: row.own,
  revision: row.revision,
  created_by: knownPrincipalIn(row, 'created_by'),
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

/** By name, as its bytes sort; `after` is (name, id) of the last one of the page before. */
export async function listSnippets(
  db: Reader,
  caller: Caller,
  after: readonly [string, string] | null,
  count: number,
): Promise<Snippet[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from snippets s
    where ${theirs(db, caller)}
      ${after === null ? db`` : db`and (s.name collate "C", s.id) > (${after[0]}, ${after[1]})`}
    order by s.name collate "C", s.id limit ${count}`;
  return rows.map(toSnippet);
}

const loaded = Symbol('loaded');

/** A snippet that its caller may have. */
export type LoadedSnippet = Snippet & { readonly [loaded]: true };

/** Kept from everyone else until this act is over. */
export async function lockSnippet(tx: Transaction, caller: Caller, id: string): Promise<LoadedSnippet> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from snippets s where s.id = ${id} and ${theirs(tx, caller)} for update of s`;
  if (!row) throw notFound('saved reply', 'GET /api/snippets lists saved replies');
  return { ...toSnippet(row), [loaded]: true };
}

/** `owner_id`: the user whose own it is; null, everyone's. */
export async function insertSnippet(
  tx: Transaction,
  caller: Caller,
  { name, text, owner_id }: { name: string; text: string; owner_id: string | null },
  now: Date,
): Promise<Snippet> {
  const row = {
    id: newId(),
    name,
    text,
    owner_id,
    ...principalColumns(tx, 'created_by', caller.principal),
    created_at: now,
    updated_at: now,
  };
  const [made] = await tx<Row[]>`
    with s as (insert into snippets ${tx(row)} returning *) select ${columns(tx)} from s`;
  if (!made) throw new Error('a saved reply was written and not returned');
  return toSnippet(made);
}

export async function saveSnippet(
  tx: Transaction,
  snippet: LoadedSnippet,
  { name, text }: { name?: string | undefined; text?: string | undefined },
  now: Date,
): Promise<Snippet> {
  const [saved] = await tx<Row[]>`
    with s as (
      update snippets set name = ${name ?? snippet.name}, text = ${text ?? snippet.text},
        revision = revision + 1, updated_at = ${now}
      where id = ${snippet.id} returning *)
    select ${columns(tx)} from s`;
  if (!saved) throw new Error('a saved reply that was locked is gone');
  return toSnippet(saved);
}

export async function deleteSnippet(tx: Transaction, snippet: LoadedSnippet): Promise<void> {
  await tx`delete from snippets where id = ${snippet.id}`;
}
