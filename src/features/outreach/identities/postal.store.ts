// All SQL of postal addresses.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import type { PostalAddress } from './postal.contract.ts';

type Row = Omit<PostalAddress, 'created_at'> & { created_at: Date };

const shown = ({ created_at, ...row }: Row): PostalAddress => ({
  ...row,
  created_at: created_at.toISOString(),
});

export async function postalAddresses(
  db: Reader,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<PostalAddress[]> {
  const rows = await db<Row[]>`
    select id, name, lines, created_at from postal_addresses
    ${after === null ? db`` : db`where (created_at, id) < (${after[0]}, ${after[1]})`}
    order by created_at desc, id desc limit ${count}`;
  return rows.map(shown);
}

export async function insertPostalAddress(
  tx: Transaction,
  { name, lines }: { name: string; lines: string },
  now: Date,
): Promise<PostalAddress> {
  const row = { id: newId(), name, lines, created_at: now };
  await tx`insert into postal_addresses ${tx(row)}`;
  return shown(row);
}

/** `used`: how many campaigns name it; then it stays. Locked first, so that no one begins to name it meanwhile. */
export async function deletePostalAddress(
  tx: Transaction,
  id: string,
): Promise<{ found: boolean; used: number }> {
  const there = await tx`select 1 from postal_addresses where id = ${id} for update`;
  if (there.length === 0) return { found: false, used: 0 };
  const [row] = await tx<{ used: number }[]>`
    select count(*)::int as used from campaigns where postal_address_id = ${id}`;
  const used = row?.used ?? 0;
  if (used === 0) await tx`delete from postal_addresses where id = ${id}`;
  return { found: true, used };
}
