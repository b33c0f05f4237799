// All SQL of a server’s tools: those it has, those that changed since they were approved, and approvals.
import type { Principal } from '../../../kernel/caller.ts';
import { json, type Transaction } from '../../../kernel/database.ts';
import { principalColumns } from '../../../kernel/principal-row.ts';
import { conflict } from '../../../kernel/refusal.ts';
import { hashOf } from './rules.ts';
import type { FoundTool } from './speak.ts';

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
    const schema = json(tx, tool.schema ?? null);
    await tx`
      insert into capability_tools (capability_id, name, says, schema, hints, hash, state)
      values (${id}, ${tool.name}, ${tool.says}, ${schema}, ${tx.json(tool.hints)}, ${hash}, 'new')
      on conflict (capability_id, name) do update set says = excluded.says, schema = excluded.schema,
        hints = excluded.hints, hash = excluded.hash,
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
    update capability_tools set says = ${tool.says}, schema = ${json(tx, tool.schema ?? null)},
      hints = ${tx.json(tool.hints)}, hash = ${hashOf(tool)}, state = 'changed'
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
      update capability_tools set state = 'on', consented_hash = hash, consented_says = says,
        consented_schema = schema, consented_hints = hints, consented_at = ${now},
        ${tx(principalColumns(tx, 'consented_by', by))}
      where capability_id = ${id} and name = ${name} and hash = ${hash} returning name`;
    if (on.length === 0)
      throw conflict('a tool’s description changed since it was shown: read the tools again and review them');
  }
  await tx`update capabilities set approved_at = coalesce(approved_at, ${now}) where id = ${id}`;
}
