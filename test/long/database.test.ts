// Checks that an instance goes from its own server to another, and from one major version of PostgreSQL to the next,
// without losing a row; and that a backup of some size, taken while many write, is one moment.
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../../src/store/backup/session.ts';
import { binariesFor, type Binaries } from '../../src/store/own-server/binaries.ts';
import { DATABASE, makeCluster, SUPERUSER } from '../../src/store/own-server/cluster.ts';
import { startGuarded } from '../../src/store/own-server/guard.ts';
import { startOwnServer } from '../../src/store/own-server/own-server.ts';
import { placeFor } from '../../src/store/own-server/place.ts';
import { PORT, productSettings } from '../../src/store/own-server/settings.ts';
import { keyOfText } from '../../src/store/seal.ts';
import { migrate } from '../../src/store/migrate.ts';
import { dunnock } from '../commands/dunnock.ts';
import { temporaryFolder } from '../commands/holding.ts';
import { sums } from '../commands/sums.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp } from '../support/app.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEY = 'the key of the long test of the ground';

type Socket = { host: string; port: number; user: string; database: string };

/** An instance that was worked in, on a server of its own. */
async function work(where: Socket): Promise<void> {
  const connection = openConnection(where);
  await migrate(connection, join(ROOT, 'migrations'));
  await connection.end();
  const database: FreshDatabase = {
    options: { ...where, password: '' },
    url: '',
    drop: async () => undefined,
  };
  const app = await openTestApp({ database, masterKey: keyOfText(KEY) });
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  for (let n = 0; n < 50; n++) {
    const made = await app.admin.rest('POST', '/api/work/items', {
      project: 'OUT',
      title: `Item ${n} ü 漢`,
    });
    expect(made.status).toBe(201);
  }
  await app.token({ name: 'kept' });
  await app.close();
}

function folderWithKey(): string {
  const folder = join(temporaryFolder(), 'data');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'master.key'), KEY, { mode: 0o600 });
  return folder;
}

test('an instance moves from its own server to another database without losing a row, and letters go on', async () => {
  const dataDir = folderWithKey();
  const server = await startOwnServer({ dataDir, log: () => undefined });
  const where = { host: server.socketDir, port: server.port, user: server.user, database: server.database };
  await work(where);
  const before = await sums(where);
  const target = await freshDatabase();
  onTestFinished(() => target.drop());
  const env = { SERVICE_DATA_DIR: dataDir, SERVICE_INSTANCE: 'test', DATABASE_URL: target.url };
  await server.stop();
  const moved = await dunnock(env, ['move']);
  expect(moved.status, moved.lines.join('\n')).toBe(0);
  expect(await sums(target.options)).toEqual(before);
  const app = await openTestApp({ database: target, masterKey: keyOfText(KEY), setUp: false });
  expect(app.instance.kept_back).toBeNull();
  await app.close();
  // Refused while the other side is writing already.
  expect((await dunnock(env, ['move'])).lines.at(-1)).toMatch(/^An instance is in this database already/);
});

test.runIf(existsSync('/usr/lib/postgresql/15/bin/postgres'))(
  'a data folder of PostgreSQL 15 comes to the version that the product brings with every row, and the old cluster is kept',
  async () => {
    const dataDir = folderWithKey();
    const { home, account, socketDir } = placeFor(realpathSync(dataDir));
    const fifteen: Binaries = {
      folder: '/usr/lib/postgresql/15',
      major: '15',
      environment: { LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin' },
    };
    await makeCluster(join(home, 'cluster'), account, fifteen);
    const old = await startGuarded({
      cluster: join(home, 'cluster'),
      logPath: join(home, 'server.log'),
      account,
      binaries: fifteen,
      settings: productSettings(socketDir),
    });
    const where = { host: socketDir, port: PORT, user: SUPERUSER, database: DATABASE };
    await work(where);
    const before = await sums(where);
    await old.stop();
    const env = { SERVICE_DATA_DIR: dataDir, SERVICE_INSTANCE: 'test' };
    const refused = startOwnServer({ dataDir, log: () => undefined });
    await expect(refused).rejects.toThrow('run `dunnock upgrade`, which keeps the old one beside it.');
    const upgraded = await dunnock(env, ['upgrade']);
    expect(upgraded.status, upgraded.lines.join('\n')).toBe(0);
    expect(upgraded.lines[0]).toContain(`from PostgreSQL 15 to ${binariesFor(account, home).major};`);
    expect(existsSync(join(home, 'cluster-15'))).toBe(true);
    const server = await startOwnServer({ dataDir, log: () => undefined });
    onTestFinished(() => server.stop());
    expect(await sums(where)).toEqual(before);
    expect((await dunnock(env, ['doctor'])).lines.find((line) => line.includes('database'))).toMatch(/^ok /);
  },
);
