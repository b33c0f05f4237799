// All SQL of capabilities and their tools: the loader, which knows the caller, and what writes the rows it loads.
import { type Caller, type Principal } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { knownPrincipalIn, principalColumns, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { changedSince, conflict, nameTaken, notFound } from '../../../kernel/refusal.ts';
import type { Connection } from './account.store.ts';
import {
  type Capability,
  capabilityName,
  type CapabilityTool,
  type Hints,
  type TOOL_STATES,
} from './contract.ts';
import { dayOf } from './limits.rules.ts';
import { calledAs } from './rules.ts';
import type { Lasting } from './trouble.rules.ts';

type Db = Reader | Transaction;

const loaded = Symbol('loaded');

type ToolRow = {
  name: string;
  says: string;
  schema: unknown;
  hints: Hints;
  hash: string;
  state: (typeof TOOL_STATES)[number];
  agreed: CapabilityTool['agreed'];
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
  daily_calls: number;
  deadline_seconds: number;
  /** The day that `calls` were made in. */
  calls_on: string | null;
  calls: number;
  trouble: Lasting | null;
  trouble_since: Date | null;
  signed_in: number;
  revision: number;
  created_at: Date;
  tools: ToolRow[];
};

/** A capability that the caller may have for the action it was loaded for. */
export type LoadedCapability = Row & { readonly [loaded]: true };

const rows = (db: Db) => db`
  select c.*, (select coalesce(jsonb_agg(jsonb_build_object('name', t.name, 'says', t.says, 'schema', t.schema,
      'hints', t.hints, 'hash', t.hash, 'state', t.state,
      'agreed', case when t.consented_hash is not null then jsonb_build_object('says', t.consented_says,
        'schema', t.consented_schema, 'hints', t.consented_hints, 'by', t.consented_by_name,
        'at', to_char(t.consented_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end)
      order by t.name collate "C"), '[]')
    from capability_tools t where t.capability_id = c.id) as tools,
    (select count(*)::int from capability_accounts a where a.capability_id = c.id and a.state = 'connected') as signed_in
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

/** As it is now, for the answer of whoever has loaded it and changed it. */
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
  const absent = notFound('tool server', 'GET /api/admin/capabilities lists tool servers');
  if (!row) throw absent;
  const names = [capabilityName(row.name)];
  if (!decide(caller.rights, action, names).allowed)
    throw decide(caller.rights, 'admin.capability.read', names).allowed
      ? denied(caller, action, names[0])
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

/** `mine`: the caller's own sign-in there, where the server wants one. */
export function shown(row: LoadedCapability, mine: Connection | null, now: Date): Capability {
  const { trouble: why, trouble_since } = row;
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
    trouble: why !== null && trouble_since !== null ? { why, since: trouble_since.toISOString() } : null,
    connection: row.auth === 'none' ? 'not_needed' : (mine?.state ?? 'none'),
    connected_at: row.auth === 'none' ? null : (mine?.connected_at.toISOString() ?? null),
    signed_in: row.signed_in,
    daily_calls: row.daily_calls,
    calls_today: row.calls_on === dayOf(now) ? row.calls : 0,
    deadline_seconds: row.deadline_seconds,
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
  daily_calls: number;
  deadline_seconds: number;
  approved_at: Date | null;
};

/** The context under which the secret of a client that was registered by hand is sealed. */
export const clientContext = (id: string): string => `capabilities.client_secret ${id}`;

export async function insertCapability(
  tx: Transaction,
  made: Omit<Wanted, 'daily_calls' | 'deadline_seconds'> & {
    id: string;
    name: string;
    auth: 'none' | 'oauth';
  },
  by: Principal,
  now: Date,
): Promise<void> {
  const created = await tx`
    insert into capabilities ${tx({ ...made, created_at: now, ...principalColumns(tx, 'created_by', by) })}
    on conflict (name) do nothing returning id`;
  if (created.length === 0) throw nameTaken('a tool server');
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
    throw now
      ? changedSince('this tool server', now.revision)
      : conflict('this tool server was deleted in the meantime');
  }
  if (!moved) return;
  await tx`delete from capability_tools where capability_id = ${id}`;
  await tx`delete from capability_accounts where capability_id = ${id}`;
  await tx`delete from capability_flows where capability_id = ${id}`;
}

export async function deleteCapability(tx: Transaction, id: string): Promise<void> {
  await tx`delete from capabilities where id = ${id}`;
}

/** Since when it does not answer; the first moment stays for as long as nothing came of asking it. */
export async function noteTrouble(
  tx: Transaction,
  id: string,
  found: { why: Lasting; now: Date } | null,
): Promise<void> {
  await (found === null
    ? tx`update capabilities set trouble = null, trouble_since = null where id = ${id}`
    : tx`update capabilities set trouble = ${found.why}, trouble_since = coalesce(trouble_since, ${found.now})
         where id = ${id}`);
}

/** Counts one call of today; false: it was called as often as it may be. Of two at once, one may be the last. */
export async function countCall(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const day = dayOf(now);
  const counted = await tx`
    update capabilities set calls = case when calls_on = ${day} then calls + 1 else 1 end, calls_on = ${day}
    where id = ${id} and case when calls_on = ${day} then calls else 0 end < daily_calls returning id`;
  return counted.length > 0;
}
