// Every released version: its migrations are as they were released, and a desk that it wrote is read by this version as it was
// read by that one. Each is in a folder with its number, which scripts/release.ts wrote.
import { appendFileSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../../src/store/backup/session.ts';
import { migrate, schemaIsCurrent } from '../../src/store/migrate.ts';
import { migrationsIn } from '../../src/store/migration-files.ts';
import { keyOfText } from '../../src/store/seal.ts';
import { dunnock } from '../commands/dunnock.ts';
import { temporaryFolder } from '../commands/holding.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp } from '../support/app.ts';
import { ADMIN, MASTER_KEY, NAME, seenBy, unreadable, type Seen } from './desk.ts';

const ROOT = join(import.meta.dirname, '../..');
const versions = readdirSync(import.meta.dirname).filter((name) => /^\d+\.\d+\.\d+$/.test(name));

const json = <T>(version: string, file: string): T =>
  JSON.parse(readFileSync(join(import.meta.dirname, version, file), 'utf8')) as T;
const releasedIn = (version: string) => json<{ name: string; sha256: string }[]>(version, 'migrations.json');

async function without(database: FreshDatabase): Promise<FreshDatabase> {
  const connection = openConnection(database.options);
  await connection.unsafe('drop schema public cascade; create schema public');
  await connection.end();
  onTestFinished(() => database.drop());
  return database;
}

/** Its migrations are the chain that before.test.ts holds. */
const BEFORE_RELEASES = '0.1.0';

test('CHANGELOG.md names each version with its last migration, and each it names has a folder here', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(versions).toContain(version);
  const changes = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const named = [...changes.matchAll(/^## (\d\S*)/gm)].map(([, each]) => each);
  expect(named.toSorted()).toEqual([BEFORE_RELEASES, ...versions].toSorted());
  for (const each of versions) {
    const [, chapter = ''] = changes.split(`\n## ${each}\n`);
    expect(chapter.split('\n## ')[0], each).toContain(`\`${releasedIn(each).at(-1)?.name}\``);
  }
});

test('what is installed beside an agent has the version of the product', () => {
  const versionIn = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')).version as string;
  expect(versionIn('client/.claude-plugin/plugin.json')).toBe(versionIn('package.json'));
});

test.for(versions)('a start is refused where a migration of %s was changed by one byte', async (version) => {
  const folder = temporaryFolder();
  cpSync(join(ROOT, 'migrations'), folder, { recursive: true });
  const database = await without(await freshDatabase());
  const sql = postgres({ ...database.options, onnotice: () => undefined });
  onTestFinished(() => sql.end());
  await migrate(sql, folder);
  const { name = '' } = releasedIn(version).at(-1) ?? {};
  appendFileSync(join(folder, name), ' ');
  const sentence = `Migration ${name} has been changed since it was applied to this database: restore the file as it was and put the change into a new migration.`;
  await expect(migrate(sql, folder)).rejects.toThrow(sentence);
  expect(await schemaIsCurrent(sql, folder)).toEqual({ ok: false, reason: sentence });
});

test.for(versions)('migrations of %s are as they were released', (version) => {
  const now = new Map(migrationsIn(join(ROOT, 'migrations')).map(({ name, sha256 }) => [name, sha256]));
  const changed = releasedIn(version).filter(({ name, sha256 }) => now.get(name) !== sha256);
  expect(changed, 'a released migration never changes: put the change into a new one').toEqual([]);
});

test.for(versions)('what comes after %s has a higher number', (version) => {
  const released = releasedIn(version).map(({ name }) => name);
  const after = migrationsIn(join(ROOT, 'migrations')).filter(({ name }) => !released.includes(name));
  expect(after.filter(({ name }) => name < (released.at(-1) ?? ''))).toEqual([]);
});

test.for(versions)('a desk of %s is restored, brought up to date, and reads as it did', async (version) => {
  const database = await without(await freshDatabase());
  const env = { DATABASE_URL: database.url, SERVICE_INSTANCE: NAME, SERVICE_MASTER_KEY: MASTER_KEY };
  const restored = await dunnock(env, ['restore', join(import.meta.dirname, version, 'desk.backup')]);
  expect(restored.status, restored.lines.join('\n')).toBe(0);
  const app = await openTestApp({ name: NAME, database, masterKey: keyOfText(MASTER_KEY), setUp: false });
  onTestFinished(() => app.close());
  const { status, cookie } = await app.signIn(ADMIN.email, ADMIN.password);
  expect(status).toBe(200);
  const get = async (path: string) => {
    const answer = await fetch(app.url + path, { headers: { cookie: cookie ?? '' } });
    return { status: answer.status, body: await answer.json() };
  };
  const seen = await seenBy(get);
  const before = json<Seen>(version, 'seen.json');
  expect(Object.keys(before).length).toBeGreaterThan(25);
  for (const [path, { records }] of Object.entries(before)) {
    expect(seen[path]?.status, path).toBe(200);
    // Signing in wrote to the audit log since, which moved the last one to the next page.
    if (path === '/api/admin/audit') expect(seen[path]?.records.slice(1)).toEqual(records.slice(0, -1));
    else expect(seen[path]?.records, path).toEqual(records);
  }
  expect(await unreadable(get)).toEqual([]);
});
