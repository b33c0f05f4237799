// Moves a data folder from one major version of PostgreSQL to the bundled one: the old and the new server run side by
// side while rows are copied, and the folders swap names only when everything is there. The old cluster is kept under
// another name.
import { existsSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../cannot-start.ts';
import type { Whereabouts } from '../connect.ts';
import { binariesFor, type Binaries } from './binaries.ts';
import { DATABASE, makeCluster, outliveOldServer, SUPERUSER } from './cluster.ts';
import { startGuarded, type GuardedServer } from './guard.ts';
import { lockFolder } from './owner-lock.ts';
import { placeFor } from './place.ts';
import { PORT, productSettings } from './settings.ts';

const NEXT_PORT = PORT + 1;

export type Upgraded = { from: string; to: string; kept: string };

/** Null where the folder has this version's already. @throws CannotStart with one sentence; then the folder is as it was */
export async function upgradeCluster(options: {
  dataDir: string;
  log: (line: string) => void;
  copy(from: Whereabouts, to: Whereabouts): Promise<void>;
}): Promise<Upgraded | null> {
  const { log } = options;
  if (!existsSync(options.dataDir))
    throw new CannotStart(
      `There is no data folder ${options.dataDir}: set SERVICE_DATA_DIR to the one to upgrade.`,
    );
  const dataDir = realpathSync(options.dataDir);
  const lock = lockFolder(dataDir, options.dataDir);
  const servers: GuardedServer[] = [];
  try {
    const { home, account, socketDir } = placeFor(dataDir);
    const cluster = join(home, 'cluster');
    if (!existsSync(cluster))
      throw new CannotStart(`There is no database in ${options.dataDir} yet: start the product.`);
    const binaries = binariesFor(account, home);
    const from = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
    if (from === binaries.major) return null;
    const old = oldBinaries(from);
    await outliveOldServer(realpathSync(cluster), socketDir, log);
    const next = join(home, 'cluster.next');
    await makeCluster(next, account, binaries);
    const serve = async (folder: string, with_: Binaries, port: number): Promise<Whereabouts> => {
      const settings = { ...productSettings(socketDir), port };
      const logPath = join(home, 'server.log');
      servers.push(
        await startGuarded({ cluster: realpathSync(folder), logPath, account, binaries: with_, settings }),
      );
      return { host: socketDir, port, user: SUPERUSER, database: DATABASE };
    };
    await options.copy(await serve(cluster, old, PORT), await serve(next, binaries, NEXT_PORT));
    for (const server of servers.splice(0)) await server.stop();
    const kept = join(home, `cluster-${from}`);
    rmSync(kept, { recursive: true, force: true });
    // Whole from here on: a start that finds no cluster takes the one of this name.
    renameSync(next, join(home, 'cluster.upgraded'));
    renameSync(cluster, kept);
    renameSync(join(home, 'cluster.upgraded'), cluster);
    return { from, to: binaries.major, kept };
  } finally {
    for (const server of servers) await server.stop();
    lock.release();
  }
}

/** Where systems put a PostgreSQL of some major version. */
function oldBinaries(major: string): Binaries {
  const folder = [
    `/usr/lib/postgresql/${major}`,
    `/usr/pgsql-${major}`,
    `/opt/homebrew/opt/postgresql@${major}`,
    `/usr/local/opt/postgresql@${major}`,
  ].find((each) => existsSync(join(each, 'bin', 'postgres')));
  if (folder === undefined)
    throw new CannotStart(
      `Reading the old database needs PostgreSQL ${major}, which is not on this machine: install it (the package is called postgresql-${major} or postgresql@${major}), or run backup with the earlier version and restore with this one.`,
    );
  return { folder, major, environment: { LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin' } };
}
