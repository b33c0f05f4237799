// The key of first boot (interface specification §5; domain.md §4.4): drawn while no one exists, it makes the first
// administrator, and as a bearer called `bootstrap` it may do what an administrator may, without wire, until the first
// token is minted or a day after the first administrator was made.
import type { Caller } from '../../../kernel/caller.ts';
import { type Clock, DAY_MS, after } from '../../../kernel/clock.ts';
import type { Database, Reader } from '../../../kernel/database.ts';
import type { CallSource } from '../../../kernel/app.ts';
import { randomBase62, sha256 } from '../tokens/value.ts';
import {
  type Provisioning,
  anybodyExists,
  insertProvisioning,
  isKey,
  lockProvisioning,
  readProvisioning,
  replaceProvisioning,
} from './provisioning.store.ts';

export const BOOTSTRAP = {
  kind: 'service',
  id: '00000000-0000-4000-8000-0000000b0075',
  name: 'bootstrap',
} as const;

const LIFE_AFTER_FIRST_ADMIN_MS = DAY_MS;

export type Prepared = {
  /** The key, to be printed once; null where it was printed before, was given, or nothing is left to set up. */
  key: string | null;
  /** Does the instance still wait for its first administrator? */
  waiting: boolean;
};

/** Called at every boot. `given` is the operator's own key: it replaces one that was drawn, as long as no one exists. */
export function prepareProvisioning(
  database: Pick<Database, 'transact'>,
  clock: Clock,
  given: string | null,
): Promise<Prepared> {
  return database.transact(async (tx) => {
    const row = await lockProvisioning(tx);
    if (await anybodyExists(tx)) return { key: null, waiting: false };
    const now = clock.now();
    if (row && given === null) return { key: null, waiting: true };
    const key = given ?? `setup_${randomBase62(43)}`;
    if (row) await replaceProvisioning(tx, sha256(key), now);
    else if (!(await insertProvisioning(tx, sha256(key), now))) return { key: null, waiting: true };
    return { key: given === null ? key : null, waiting: true };
  });
}

/** May the key still be carried as a bearer? */
export function keyLives(row: Provisioning, now: Date): boolean {
  if (row.died_at) return false;
  return row.first_admin_at === null || after(row.first_admin_at, LIFE_AFTER_FIRST_ADMIN_MS) > now;
}

/**
 * Tells the key's bearer. Death is for good, so once it was seen no wrong bearer costs a query again; everything else is
 * looked up every time.
 */
export function openProvisioningKey(
  reader: Reader,
): (value: string, source: CallSource, now: Date) => Promise<Caller | null> {
  let dead = false;
  return async (value, source, now) => {
    if (dead) return null;
    const row = await readProvisioning(reader);
    if (!row) return null;
    dead = !keyLives(row, now);
    if (dead || !isKey(row, sha256(value))) return null;
    return {
      principal: BOOTSTRAP,
      ...source,
      credential: { kind: 'provisioning_key' },
      user_id: null,
      rights: { admin: true, policies: [], projects: null },
    };
  };
}
