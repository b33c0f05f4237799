// The address that links in letters begin with. Where a process starts with another one, letters that have not left are rendered
// again by the pass of edits (re-render.pass.ts), and none of them leaves before that.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { beginRemaking, waitingLetters } from './remake.store.ts';

/** Represents the instance among identities and campaigns whose letters are rendered again. */
const INSTANCE = '00000000-0000-0000-0000-000000000001';
const OPERATOR: Principal = { kind: 'system', id: INSTANCE, name: 'the address of this instance' };

/** Called at the start, before anything is sent. Letters that were held for the old address are asked again at once. */
export async function takeAddress(tx: Transaction, base_url: string, now: Date): Promise<void> {
  const before = await addressTaken(tx, true);
  if (before === base_url) return;
  await tx`
    insert into instance_address ${tx({ base_url, since: now })}
    on conflict (one) do update set base_url = excluded.base_url, since = excluded.since`;
  await tx`update sends set recheck_at = ${now} where state = 'held' and hold_reason = 'base_url_local'`;
  const of = { of_kind: 'instance', of_id: INSTANCE } as const;
  if ((await waitingLetters(tx, of, null, 1)).length === 0) return;
  await beginRemaking(tx, of, { by_wire: true, by: OPERATOR, now });
}

/** What the process that started last was given; another one that still runs leaves letters alone. */
export async function addressTaken(db: Reader, forUpdate = false): Promise<string | null> {
  const [row] = await db<{ base_url: string }[]>`
    select base_url from instance_address ${forUpdate ? db`for update` : db``}`;
  return row?.base_url ?? null;
}
