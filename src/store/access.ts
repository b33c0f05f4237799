// What the operator’s commands need from access beyond its own slices: finding a token by any name, and replacing
// someone’s authenticator.
import type { Transaction } from '../kernel/database.ts';

export const tokensCalled = (
  tx: Transaction,
  named: string,
  hash: Buffer,
): Promise<{ id: string; name: string }[]> =>
  tx<{ id: string; name: string }[]>`
    select id, name from tokens where name = ${named} or id::text = ${named} or hash = ${hash} order by id`;

export async function forgetPasskeys(tx: Transaction, user_id: string): Promise<void> {
  await tx`delete from passkeys where user_id = ${user_id}`;
  await tx`delete from recovery_codes where user_id = ${user_id}`;
}
