// The key that seals an instance’s secrets: drawn once, stored in the database, wrapped under the master key. So the
// master key can change without touching a single secret, links in letters already sent stay valid, and a process
// with the wrong master key stops before it does anything.
import { randomBytes } from 'node:crypto';
import type postgres from 'postgres';
import type { Parsed } from '../kernel/database.ts';
import type { Sealer } from '../kernel/app.ts';
import { CannotStart } from './cannot-start.ts';
import { openSealer } from './seal.ts';

type Db = postgres.ISql<Parsed>;

const CONTEXT = 'instance_key.wrapped';

const WRONG_KEY =
  'The master key is not the one under which this instance keeps its secrets: set SERVICE_MASTER_KEY to that one, or put its file master.key back into the data folder, and check that SERVICE_INSTANCE is what it was.';

/** The instance's sealer; the first boot draws its key. Of two that boot at once the second finds what the first drew. */
export async function openInstanceSealer(db: Db, master: Buffer, instance: string): Promise<Sealer> {
  const wrapped = openSealer(master, instance).seal(randomBytes(32).toString('base64url'), CONTEXT);
  await db`insert into instance_key (wrapped, wrapped_at) values (${wrapped}, now()) on conflict do nothing`;
  const key = await unwrap(db, master, instance);
  if (key === null) throw new CannotStart(WRONG_KEY);
  return openSealer(key, instance);
}

/** Whether this master key opens what the database holds; null where the database holds none yet. */
export async function masterKeyFits(db: Db, master: Buffer, instance: string): Promise<boolean | null> {
  const rows = await db`select 1 from instance_key`;
  return rows.length === 0 ? null : (await unwrap(db, master, instance)) !== null;
}

/** Wraps the key again. @throws CannotStart where `from` is not the master key */
export async function rewrap(db: Db, from: Buffer, to: Buffer, instance: string): Promise<void> {
  const key = await unwrap(db, from, instance);
  if (key === null) throw new CannotStart(WRONG_KEY);
  const wrapped = openSealer(to, instance).seal(key.toString('base64url'), CONTEXT);
  await db`update instance_key set wrapped = ${wrapped}, wrapped_at = now()`;
}

async function unwrap(db: Db, master: Buffer, instance: string): Promise<Buffer | null> {
  const [row] = await db<{ wrapped: string }[]>`select wrapped from instance_key`;
  if (!row) return null;
  try {
    return Buffer.from(openSealer(master, instance).open(row.wrapped, CONTEXT), 'base64url');
  } catch {
    return null;
  }
}
