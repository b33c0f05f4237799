// All SQL of agents.
import type { Principal } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { isUuid, newId } from '../../../kernel/ids.ts';
import { principalColumns, principalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { plain } from '../../../kernel/words.ts';
import type { Agent } from './contract.ts';

type Row = PrincipalColumns<'created_by'> &
  Omit<Agent, 'created_by' | 'created_at' | 'updated_at'> & {
    name_key: string;
    created_at: Date;
    updated_at: Date;
  };

export type AgentFields = Pick<Agent, 'name' | 'instructions' | 'tools' | 'model'>;

const shown = (row: Row): Agent => ({
  id: row.id,
  name: row.name,
  instructions: row.instructions,
  tools: row.tools,
  model: row.model,
  allowed: row.allowed,
  built_in: row.built_in,
  revision: row.revision,
  created_by: principalIn(row, 'created_by'),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** By name; `after` is the name key of the last row of the page before. */
export async function agentRows(
  db: Reader,
  after: string | null,
  count: number,
): Promise<{ agent: Agent; key: [name_key: string] }[]> {
  const rows = await db<Row[]>`
    select * from agents ${after === null ? db`` : db`where name_key collate "C" > ${after}`}
    order by name_key collate "C" limit ${count}`;
  return rows.map((row) => ({ agent: shown(row), key: [row.name_key] }));
}

/** By id or by name; the built-in one where nothing is said. */
export async function agentNamed(db: Reader, said: string | null): Promise<Agent | null> {
  const [row] = await db<Row[]>`
    select * from agents where ${said === null ? db`built_in` : isUuid(said) ? db`id = ${said}` : db`name_key = ${plain(said)}`}`;
  return row ? shown(row) : null;
}

export async function lockAgent(tx: Transaction, id: string): Promise<Agent | null> {
  const [row] = await tx<Row[]>`select * from agents where id = ${id} for update`;
  return row ? shown(row) : null;
}

/** Null where an agent of that name exists. */
export async function insertAgent(
  tx: Transaction,
  { name, instructions, tools, model }: AgentFields,
  by: Principal,
  now: Date,
): Promise<Agent | null> {
  const row = {
    id: newId(),
    name,
    name_key: plain(name),
    instructions,
    tools,
    model,
    ...principalColumns(tx, 'created_by', by),
    created_at: now,
    updated_at: now,
  };
  const [made] = await tx<Row[]>`insert into agents ${tx(row)} on conflict (name_key) do nothing returning *`;
  return made ? shown(made) : null;
}

/** Of an agent that is locked. Null where another has that name. */
export async function saveAgent(
  tx: Transaction,
  id: string,
  { name, instructions, tools, model, allowed }: AgentFields & Pick<Agent, 'allowed'>,
  now: Date,
): Promise<Agent | null> {
  const key = plain(name);
  // Renames go one after the other, so that of two to one name the second sees the first.
  await tx`select pg_advisory_xact_lock(hashtextextended('agents.name', 0))`;
  const [row] = await tx<Row[]>`
    update agents set ${tx({ name, name_key: key, instructions, tools, model, allowed, updated_at: now })}, revision = revision + 1
    where id = ${id} and not exists (select from agents other where other.name_key = ${key} and other.id <> ${id})
    returning *`;
  return row ? shown(row) : null;
}

/** Of an agent that is locked. */
export async function saveAllowed(
  tx: Transaction,
  id: string,
  allowed: readonly string[],
  now: Date,
): Promise<Agent> {
  const [row] = await tx<Row[]>`
    update agents set allowed = ${[...allowed]}, updated_at = ${now}, revision = revision + 1 where id = ${id} returning *`;
  if (!row) throw new Error('an agent that is locked is gone');
  return shown(row);
}

export async function deleteAgent(tx: Transaction, id: string): Promise<void> {
  await tx`delete from agents where id = ${id}`;
}
