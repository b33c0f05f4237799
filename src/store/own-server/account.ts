// Decides which account runs the server. PostgreSQL refuses to run as root, so root hands it to another account;
// everyone else runs it as themselves.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { CannotStart } from '../cannot-start.ts';

/** `drop` is what spawn needs to become that account; absent where we already are. */
export type Account = { uid: number; gid: number; drop?: { uid: number; gid: number } };

/** PostgreSQL wants a name for its uid; without one its own set-up fails with a puzzling message. */
function ownUid(): { uid: number; gid: number } {
  try {
    return userInfo();
  } catch {
    throw new CannotStart(
      'The user that runs this process has no entry in /etc/passwd, which PostgreSQL needs: run as a named user, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

function accounts(): { name: string; uid: number; gid: number }[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/**
 * The account for a cluster. A cluster that exists is run by the one who owns its folder, whoever that is;
 * a new one, when we are root, by `postgres` or else by uid 65534.
 */
export function accountFor(clusterHome: string): Account {
  const own = ownUid();
  const owner = statSync(clusterHome, { throwIfNoEntry: false });
  if (own.uid !== 0) {
    if (owner && owner.uid !== own.uid) {
      throw new CannotStart(
        `The database in ${clusterHome} belongs to another user: start as that user, or set SERVICE_DATA_DIR to another folder.`,
      );
    }
    return { uid: own.uid, gid: own.gid };
  }
  const known = accounts();
  const chosen =
    owner && owner.uid !== 0
      ? { uid: owner.uid, gid: owner.gid }
      : (known.find((a) => a.name === 'postgres') ?? known.find((a) => a.uid === 65534));
  if (!chosen || !known.some((a) => a.uid === chosen.uid)) {
    throw new CannotStart(
      'PostgreSQL does not run as root, and this system has neither a user "postgres" nor one with uid 65534: run as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  const { uid, gid } = chosen;
  return { uid, gid, drop: { uid, gid } };
}

/**
 * Whether the account may pass into a folder or run a file. Where we have to become someone else it is
 * asked of the system as that account: modes alone do not tell (groups, access lists, mounts).
 */
export function canUse(account: Account, path: string): boolean {
  if (!account.drop) {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...account.drop, cwd: '/' }).status === 0;
}
