// All SQL of the secrets that http steps name. Sealed under the instance’s key, and opened only for the request they
// are sent with.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import type { Sealer } from '../../../../kernel/app.ts';
import {
  knownPrincipalIn,
  principalColumns,
  type PrincipalColumns,
} from '../../../../kernel/principal-row.ts';
import { Secret } from '../../../../kernel/secret.ts';
import type { WorkflowSecret } from '../secrets.contract.ts';

const context = (name: string): string => `workflow_secrets.value ${name}`;

export async function secretRows(db: Reader | Transaction): Promise<WorkflowSecret[]> {
  const rows = await db<(PrincipalColumns<'saved_by'> & { name: string; host: string; saved_at: Date })[]>`
    select name, host, saved_at, saved_by_kind, saved_by_id, saved_by_name, saved_by_on_behalf_of
    from workflow_secrets order by name collate "C"`;
  return rows.map((row) => ({
    name: row.name,
    host: row.host,
    saved_by: knownPrincipalIn(row, 'saved_by'),
    saved_at: row.saved_at.toISOString(),
  }));
}

export async function saveSecret(
  tx: Transaction,
  sealer: Sealer,
  { name, host, value }: { name: string; host: string; value: Secret },
  by: Principal,
  now: Date,
): Promise<void> {
  const row = {
    host,
    value: sealer.seal(value.reveal(), context(name)),
    ...principalColumns(tx, 'saved_by', by),
    saved_at: now,
  };
  await tx`insert into workflow_secrets ${tx({ name, ...row })} on conflict (name) do update set ${tx(row)}`;
}

/** False: there was none of that name. */
export async function deleteSecret(tx: Transaction, name: string): Promise<boolean> {
  return (await tx`delete from workflow_secrets where name = ${name} returning 1`).length > 0;
}

/** `host` is the one that it may be sent to. */
export async function secretOf(
  db: Reader,
  sealer: Sealer,
  name: string,
): Promise<{ host: string; value: Secret } | null> {
  const [row] = await db<{ host: string; value: string }[]>`
    select host, value from workflow_secrets where name = ${name}`;
  return row ? { host: row.host, value: new Secret(sealer.open(row.value, context(name))) } : null;
}
