// A PostgreSQL of the product’s own: one call gives a running server on a data folder, with nothing to install, no
// TCP port, and no way to outlive this process. Its parts: the owner’s lock, the place, the account, the binaries,
// the cluster, the guard.
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../cannot-start.ts';
import { binariesFor } from './binaries.ts';
import { DATABASE, ensureCluster, outliveOldServer, SUPERUSER } from './cluster.ts';
import { startGuarded } from './guard.ts';
import { lockFolder, type OwnerLock } from './owner-lock.ts';
import { placeFor } from './place.ts';
import { PORT, productSettings } from './settings.ts';

/** The server that another process runs on this folder, or null where none does: a command may ask it, and never stops it. */
export function runningOwnServer(
  dataDir: string,
): Pick<OwnServer, 'socketDir' | 'port' | 'user' | 'database'> | null {
  if (!existsSync(dataDir)) return null;
  const folder = realpathSync(dataDir);
  try {
    lockFolder(folder, dataDir).release();
    return null;
  } catch {
    const { socketDir } = placeFor(folder);
    return existsSync(join(socketDir, `.s.PGSQL.${PORT}`))
      ? { socketDir, port: PORT, user: SUPERUSER, database: DATABASE }
      : null;
  }
}

export type OwnServer = {
  /** Folder of the Unix socket, mode 700; whoever may enter it is trusted. */
  socketDir: string;
  port: number;
  user: string;
  database: string;
  /** Stops the server (every session ends, everything is written) and gives the folder free. */
  stop(): Promise<void>;
  /** Resolves with a sentence if the server ends without having been asked to; otherwise never. */
  lost: Promise<string>;
};

/**
 * Starts (and on the first start makes) the server whose data is in `dataDir`. About 1 s on a new folder,
 * some 50 ms later on. `log` gets the few lines worth telling an operator.
 * @throws CannotStart with one sentence: folder in use, not writable, no binary for this system, …
 */
export async function startOwnServer(options: {
  dataDir: string;
  log: (line: string) => void;
}): Promise<OwnServer> {
  const { log } = options;
  try {
    mkdirSync(options.dataDir, { recursive: true });
  } catch {
    throw new CannotStart(
      `The data folder ${options.dataDir} cannot be made: set SERVICE_DATA_DIR to a folder this user may write to.`,
    );
  }
  const dataDir = realpathSync(options.dataDir);
  const locks: OwnerLock[] = [lockFolder(dataDir, options.dataDir)];
  const release = () => {
    for (const lock of locks.splice(0)) lock.release();
  };
  try {
    const place = placeFor(dataDir);
    // A copied data folder carries the pointer to the same home: the home is locked in its own right.
    if (!place.home.startsWith(dataDir)) locks.push(lockFolder(place.home, options.dataDir));
    const binaries = binariesFor(place.account, place.home);
    const cluster = realpathSync(await ensureCluster(place.home, place.account, binaries));
    await outliveOldServer(cluster, place.socketDir, log);
    const logPath = join(place.home, 'server.log');
    const server = await startGuarded({
      cluster,
      logPath,
      account: place.account,
      binaries,
      settings: productSettings(place.socketDir),
    });
    return {
      socketDir: place.socketDir,
      port: PORT,
      user: SUPERUSER,
      database: DATABASE,
      lost: server.lost,
      async stop() {
        await server.stop();
        if (!place.socketDir.startsWith(place.home))
          rmSync(place.socketDir, { recursive: true, force: true });
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
