// Whether this database was restored and no one has released its letters since: the original instance may have sent
// them in the meantime, and a letter is never sent twice.
import type postgres from 'postgres';
import type { Parsed } from '../kernel/database.ts';

type Db = postgres.ISql<Parsed>;

export type Restored = { taken_at: Date; restored_at: Date };

/** Null: it never was, or letters were released since. */
export async function lettersKeptBack(db: Db): Promise<Restored | null> {
  const [row] = await db<Restored[]>`
    select taken_at, restored_at from restored where released_at is null`;
  return row ?? null;
}

export async function markRestored(db: Db, taken_at: Date, now: Date): Promise<void> {
  await db`
    insert into restored (taken_at, restored_at) values (${taken_at}, ${now})
    on conflict (only_row) do update set
      taken_at = excluded.taken_at, restored_at = excluded.restored_at, released_at = null`;
}

/** False where nothing was kept back. */
export async function releaseLetters(db: Db, now: Date): Promise<boolean> {
  const rows = await db`update restored set released_at = ${now} where released_at is null returning 1`;
  return rows.length > 0;
}
