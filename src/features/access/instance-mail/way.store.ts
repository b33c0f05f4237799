// All SQL of the instance's own outgoing mail, and the one reader that opens its password.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Sealer } from '../../../kernel/app.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Access } from '../../../mail/transport/session.ts';
import type { ShownWay } from './contract.ts';

const CONTEXT = 'instance_mail_way.password';

export async function shownWay(db: Reader | Transaction): Promise<ShownWay | null> {
  const [row] = await db<ShownWay[]>`
    select host, port, security, login_user as user, from_name, from_address from instance_mail_way`;
  return row ?? null;
}

export async function mailIsSetUp(db: Reader | Transaction): Promise<boolean> {
  const rows = await db`select 1 from instance_mail_way`;
  return rows.length > 0;
}

export type OutgoingMail = {
  host: string;
  port: number;
  access: Access;
  from: { name: string; address: string };
};

/** Null where none is set, or where its password was sealed under another key. */
export async function outgoingMail(db: Reader, sealer: Sealer): Promise<OutgoingMail | null> {
  const [row] = await db<(ShownWay & { password: string | null })[]>`
    select host, port, security, login_user as user, password, from_name, from_address from instance_mail_way`;
  if (!row) return null;
  const { host, port, security, user } = row;
  const access = accessOf(security, user, row.password, sealer);
  return access && { host, port, access, from: { name: row.from_name, address: row.from_address } };
}

function accessOf(
  security: ShownWay['security'],
  user: string | null,
  sealed: string | null,
  sealer: Sealer,
): Access | null {
  if (security === 'plain') return { security, login: null };
  if (user === null || sealed === null) return { security, login: null };
  try {
    return { security, login: { user, password: new Secret(sealer.open(sealed, CONTEXT)) } };
  } catch {
    return null;
  }
}

/** Undefined keeps the password that exists. */
export async function saveWay(
  tx: Transaction,
  sealer: Sealer,
  { user, ...way }: ShownWay,
  password: string | null | undefined,
  now: Date,
): Promise<void> {
  const row = { ...way, login_user: user, saved_at: now };
  if (password === undefined) {
    await tx`update instance_mail_way set ${tx(row)}`;
    return;
  }
  const sealed = password === null ? null : sealer.seal(password, CONTEXT);
  await tx`delete from instance_mail_way`;
  await tx`insert into instance_mail_way ${tx({ ...row, password: sealed })}`;
}

export async function clearWay(tx: Transaction): Promise<void> {
  await tx`delete from instance_mail_way`;
}
