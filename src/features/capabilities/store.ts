// All SQL of capabilities and their tools: the loader, which knows the caller, and what writes the rows it loads.
import { type Caller, nameOf, type Principal } from '../../kernel/caller.ts';
import type { Reader, Transaction } from '../../kernel/ground.ts';
import { newId } from '../../kernel/ids.ts';
import { decide, denied } from '../../kernel/policy.ts';
import { knownPrincipalIn, principalColumns, type PrincipalColumns } from '../../kernel/principal-row.ts';
import { conflict, notFound } from '../../kernel/refusal.ts';
import { type Capability, capabilityName, type TOOL_STATES } from './contract.ts';
import { calledAs, hashOf } from './rules.ts';
import type { FoundTool } from './speak.ts';

type Db = Reader | Transaction;

const loaded = Symbol('loaded');

export type ToolRow = {
  name: string;
  says: string;
  schema: unknown;
  hash: string;
  state: (typeof TOOL_STATES)[number];
};

type Row = PrincipalColumns<'created_by'> & {
  id: string;
  name: string;
  title: string;
  url: string;
  auth: 'none' | 'oauth';
  client_id: string | null;
  /** Sealed. */
  client_secret: string | null;
  is_on: boolean;
  approved_at: Date | null;
  refreshed_at: Date | null;
  revision: number;
  created_at: Date;
  tools: ToolRow[];
};

/** A capability that the caller may have for the action it was loaded for. */
export type LoadedCapability = Row & { readonly [loaded]: true };

const rows = (db: Db) => db`
  select c.*, (select coalesce(jsonb_agg(jsonb_build_object('name', t.name, 'says', t.says, 'schema', t.schema,
      'hash', t.hash, 'state', t.state) order by t.name collate "C"), '[]')
    from capability_tools t where t.capability_id = c.id) as tools
  from capabilities c`;

export async function loadCapability(
  db: Db,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedCapability> {
  const [row] = await db<Row[]>`${rows(db)} where c.id = ${id}`;
  return allowed(row, caller, action);
}

/** As it stands now, for the answer of whoever has loaded it and changed it. */
export async function savedCapability(db: Db, id: string): Promise<LoadedCapability | null> {
  const [row] = await db<Row[]>`${rows(db)} where c.id = ${id}`;
  return row ? { ...row, [loaded]: true } : null;
}

/** By the name in front of its tools' names. */
export async function capabilityNamed(
  db: Db,
  caller: Caller,
  action: string,
  name: string,
): Promise<LoadedCapability> {
  const [row] = await db<Row[]>`${rows(db)} where c.name = ${name}`;
  return allowed(row, caller, action);
}

function allowed(row: Row | undefined, caller: Caller, action: string): LoadedCapability {
  const absent = notFound('there is no such tool server: GET /api/admin/capabilities lists those there are');
  if (!row) throw absent;
  const names = [capabilityName(row.name)];
  if (!decide(caller.rights, action, names).allowed)
    throw decide(caller.rights, 'admin.capability.read', names).allowed
      ? denied(nameOf(caller), action, names[0])
      : absent;
  return { ...row, [loaded]: true };
}

/** By name; `after` is the name of the last row of the page before. */
export async function capabilityRows(
  db: Db,
  caller: Caller,
  action: string,
  after: string | null,
  count: number,
): Promise<LoadedCapability[]> {
  const found = await db<Row[]>`
    ${rows(db)} ${after === null ? db`` : db`where c.name collate "C" > ${after}`}
    order by c.name collate "C" limit ${count}`;
  return found
    .filter((row) => decide(caller.rights, action, [capabilityName(row.name)]).allowed)
    .map((row) => ({ ...row, [loaded]: true }) as LoadedCapability);
}

export function shown(row: LoadedCapability, connection: Capability['connection']): Capability {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    url: row.url,
    auth: row.auth,
    client_id: row.client_id,
    on: row.is_on,
    approved_at: row.approved_at?.toISOString() ?? null,
    refreshed_at: row.refreshed_at?.toISOString() ?? null,
    connection,
    tools: row.tools.map((tool) => ({ ...tool, called: calledAs(row.name, tool.name) })),
    revision: row.revision,
    created_by: knownPrincipalIn(row, 'created_by'),
    created_at: row.created_at.toISOString(),
  };
}

export type Wanted = {
  title: string;
  url: string;
  client_id: string | null;
  /** Sealed. */
  client_secret: string | null;
  is_on: boolean;
  approved_at: Date | null;
};

/** The context under which the secret of a client that was registered by hand is sealed. */
export const clientContext = (id: string): string => `capabilities.client_secret ${id}`;

export async function insertCapability(
  tx: Transaction,
  made: Wanted & { id: string; name: string; auth: 'none' | 'oauth' },
  by: Principal,
  now: Date,
): Promise<void> {
  const created = await tx`
    insert into capabilities ${tx({ ...made, created_at: now, ...principalColumns(tx, 'created_by', by) })}
    on conflict (name) do nothing returning id`;
  if (created.length === 0)
    throw conflict('another tool server has that name: its tools are named after it, so choose another');
}

export const newCapabilityId = newId;

/** `moved`: to another address, where nothing holds that was agreed to, or kept, for the old one. */
export async function saveCapability(
  tx: Transaction,
  id: string,
  revision: number,
  wanted: Wanted,
  moved: boolean,
): Promise<void> {
  const saved = await tx`
    update capabilities set ${tx(wanted)}, revision = revision + 1
    where id = ${id} and revision = ${revision} returning id`;
  if (saved.length === 0) {
    const [now] = await tx<{ revision: number }[]>`select revision from capabilities where id = ${id}`;
    throw conflict(
      `somebody changed this tool server meanwhile: its revision is ${now?.revision ?? 'gone'}, read it again`,
    );
  }
  if (!moved) return;
  await tx`delete from capability_tools where capability_id = ${id}`;
  await tx`delete from capability_accounts where capability_id = ${id}`;
  await tx`delete from capability_flows where capability_id = ${id}`;
}

export async function deleteCapability(tx: Transaction, id: string): Promise<void> {
  await tx`delete from capabilities where id = ${id}`;
}

/** What the server has now. A tool that is on and described otherwise than a person agreed to is `changed`. */
export async function saveTools(
  tx: Transaction,
  id: string,
  found: readonly FoundTool[],
  now: Date,
): Promise<void> {
  await tx`select id from capabilities where id = ${id} for update`;
  await tx`delete from capability_tools
           where capability_id = ${id} and not (name = any(${found.map(({ name }) => name)}::text[]))`;
  for (const tool of found) {
    const hash = hashOf(tool);
    const schema = tx.json((tool.schema ?? null) as never);
    await tx`
      insert into capability_tools (capability_id, name, says, schema, hash, state)
      values (${id}, ${tool.name}, ${tool.says}, ${schema}, ${hash}, 'new')
      on conflict (capability_id, name) do update set says = excluded.says, schema = excluded.schema, hash = excluded.hash,
        state = case
          when capability_tools.consented_hash = excluded.hash and capability_tools.state = 'changed' then 'on'
          when capability_tools.state = 'on' and capability_tools.consented_hash <> excluded.hash then 'changed'
          else capability_tools.state end`;
  }
  await tx`update capabilities set refreshed_at = ${now} where id = ${id}`;
}

/** A call found it described otherwise. */
export async function markChanged(tx: Transaction, id: string, tool: FoundTool): Promise<void> {
  await tx`
    update capability_tools set says = ${tool.says}, schema = ${tx.json((tool.schema ?? null) as never)},
      hash = ${hashOf(tool)}, state = 'changed'
    where capability_id = ${id} and name = ${tool.name} and state = 'on'`;
}

export async function consentTo(
  tx: Transaction,
  id: string,
  tools: readonly { name: string; hash: string }[],
  by: Principal,
  now: Date,
): Promise<void> {
  await tx`select id from capabilities where id = ${id} for update`;
  const names = tools.map(({ name }) => name);
  await tx`update capability_tools set state = 'off'
           where capability_id = ${id} and not (name = any(${names}::text[]))`;
  for (const { name, hash } of tools) {
    const on = await tx`
      update capability_tools set state = 'on', consented_hash = hash, consented_at = ${now},
        ${tx(principalColumns(tx, 'consented_by', by))}
      where capability_id = ${id} and name = ${name} and hash = ${hash} returning name`;
    if (on.length === 0)
      throw conflict(
        'a tool is no longer described as it was shown: read the tools again, and look at them again',
      );
  }
  await tx`update capabilities set approved_at = coalesce(approved_at, ${now}) where id = ${id}`;
}
