// Where the server lives: its home (cluster, log, copied binaries) and its socket folder. The home is in the data
// folder, unless we are root and the server’s account can’t get there (a home of mode 700): then it is in /var/lib,
// and a pointer file in the data folder says where.
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CannotStart } from '../cannot-start.ts';
import { accountFor, canUse, type Account } from './account.ts';

export type Place = { home: string; socketDir: string; account: Account };

const SOCKET_PATH_MAX_BYTES = 107;
const SOCKET_NAME = '/.s.PGSQL.5432';
const VAR_LIB = '/var/lib/dunnock';

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** A folder of mode 700 that belongs to the account; refuses one that someone else laid there. */
function privateFolder(path: string, account: Account): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  const madeByUsJustNow = account.drop !== undefined && found.uid === 0;
  if (!found.isDirectory() || (found.uid !== account.uid && !madeByUsJustNow)) {
    throw new CannotStart(`${path} belongs to another user: remove it and start again.`);
  }
  if (account.drop) chownSync(path, account.uid, account.gid);
  chmodSync(path, 0o700);
}

function socketFolder(home: string, account: Account): string {
  const inHome = join(home, 'run');
  for (const folder of [
    inHome,
    join(tmpdir(), `dunnock-${shortHash(home)}`),
    `/tmp/dunnock-${shortHash(home)}`,
  ]) {
    if (Buffer.byteLength(folder + SOCKET_NAME) > SOCKET_PATH_MAX_BYTES) continue;
    if (folder !== inHome && account.drop && !canUse(account, join(folder, '..'))) continue;
    privateFolder(folder, account);
    return folder;
  }
  throw new CannotStart(
    'No folder with a path short enough for a Unix socket was found: set SERVICE_DATA_DIR to a shorter path.',
  );
}

/** `dataDir` is a real path (no links), which exists and is locked by us. */
export function placeFor(dataDir: string): Place {
  const pointer = join(dataDir, 'postgres.location');
  let home = join(dataDir, 'postgres');
  if (existsSync(pointer)) home = readFileSync(pointer, 'utf8').trim();
  let account = accountFor(home);
  if (account.drop && !canUse(account, existsSync(home) ? home : dataDir)) {
    if (existsSync(home)) {
      throw new CannotStart(
        `The user that runs PostgreSQL (uid ${account.uid}) can no longer reach ${home}: let others pass through the folders above it (chmod o+x).`,
      );
    }
    home = join(VAR_LIB, `${basename(dataDir)}-${shortHash(dataDir)}`);
    account = accountFor(home);
    mkdirSync(VAR_LIB, { recursive: true });
    chmodSync(VAR_LIB, 0o755);
    // The pointer comes first: a start that dies here leads the next one to the same place.
    writeFileSync(pointer, `${home}\n`);
  }
  privateFolder(home, account);
  return { home, socketDir: socketFolder(home, account), account };
}
