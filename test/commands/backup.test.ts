// Checks that a backup is the whole instance at one moment, taken while it works, and that it comes back elsewhere
// to the last row, or not at all.
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../../src/store/backup/session.ts';
import { MAIN } from '../support/built.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { dunnock as command, type Said } from './dunnock.ts';
import { temporaryFolder } from './holding.ts';
import { sums } from './sums.ts';

const KEY = 'the key of the test of backups';
const SECRET = 're_a_secret_of_a_provider';

let database: FreshDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  app = await openTestApp({ database, masterKey: createHash('sha256').update(KEY).digest() });
  const project = await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  expect(project.status, JSON.stringify(project.body)).toBe(201);
  await addItems(20);
  const saved = await app.admin.rest('PUT', '/api/admin/providers/resend/keys', {
    keys: { api_key: SECRET },
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const addItem = async (title: string): Promise<void> => {
  const made = await app.admin.rest('POST', '/api/work/items', { project: 'OUT', title });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
};
const ODD = 'tab\t back\\slash \\. "quote" é 漢字 🐦\nline\r\n\\N';
const addItems = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await addItem(n === 0 ? 'Odd' : `Item ${n}`);
  await app.sql`update work_items set description = ${ODD} where title = 'Odd'`;
};

const dunnock = (env: Record<string, string>, ...argv: string[]): Promise<Said> =>
  command({ SERVICE_INSTANCE: 'test', SERVICE_MASTER_KEY: KEY, ...env }, argv);

async function empty(): Promise<FreshDatabase> {
  const made = await freshDatabase();
  const connection = openConnection(made.options);
  await connection.unsafe('drop schema public cascade; create schema public');
  await connection.end();
  onTestFinished(() => made.drop());
  return made;
}

/** With the schema and without a row, which is as good. */
async function migrated(): Promise<FreshDatabase> {
  const made = await freshDatabase();
  onTestFinished(() => made.drop());
  return made;
}

test('a backup that is restored elsewhere has every count and every hash, and keeps letters back until they are released', async () => {
  const file = join(temporaryFolder(), 'whole.backup');
  const before = await sums(database.options);
  const taken = await dunnock({ DATABASE_URL: database.url }, 'backup', file);
  expect(taken).toMatchObject({
    status: 0,
    lines: [expect.stringContaining('rows of'), expect.stringContaining('SERVICE_MASTER_KEY')],
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const target = await empty();
  const restored = await dunnock({ DATABASE_URL: target.url }, 'restore', file);
  expect(restored.status, restored.lines.join('\n')).toBe(0);
  const after = await sums(target.options);
  expect(after['restored']).toMatch(/^1 /);
  expect({ ...after, restored: before['restored'] }).toEqual(before);

  const twin = await openTestApp({
    database: target,
    masterKey: createHash('sha256').update(KEY).digest(),
    setUp: false,
  });
  expect(twin.instance.kept_back).not.toBeNull();
  expect(twin.instance.app.sending.enabled).toBe(false);
  const signedIn = await twin.signIn('ada@example.com', app.admin.password);
  expect(signedIn.status).toBe(200);
  await twin.close();
  expect((await dunnock({ DATABASE_URL: target.url }, 'release-letters')).status).toBe(0);
  const released = await openTestApp({
    database: target,
    masterKey: createHash('sha256').update(KEY).digest(),
    setUp: false,
  });
  expect(released.instance.app.sending.enabled).toBe(true);
  await released.close();
});

test('a backup taken under load is one moment: no card without its project, no act without its audit row', async () => {
  let going = true;
  let written = 0;
  const load = Promise.all(
    [1, 2, 3].map(async (worker) => {
      for (let n = 0; going; n++, written++) await addItem(`Load ${worker} ${n}`);
    }),
  );
  await expect.poll(() => written).toBeGreaterThan(5);
  const file = join(temporaryFolder(), 'load.backup');
  expect((await dunnock({ DATABASE_URL: database.url }, 'backup', file)).status).toBe(0);
  going = false;
  await load;
  const target = await migrated();
  const restored = await dunnock({ DATABASE_URL: target.url }, 'restore', file);
  expect(restored.status, restored.lines.join('\n')).toBe(0);
  const connection = openConnection(target.options);
  const [torn] = await connection<{ items: number; acts: number; whole: number }[]>`
    select (select count(*) from work_items) as items,
      (select count(*) from audit where act = 'item_create' and outcome = 'done') as acts,
      (select count(*) from work_items i join work_projects p on p.id = i.project_id) as whole`;
  await connection.end();
  expect(torn?.items).toBeGreaterThan(20);
  expect([torn?.acts, torn?.whole]).toEqual([torn?.items, torn?.items]);
});

test('secrets stay sealed in a backup, and are restored under their master key alone', async () => {
  const file = join(temporaryFolder(), 'sealed.backup');
  await dunnock({ DATABASE_URL: database.url }, 'backup', file);
  const text = gunzipSync(readFileSync(file)).toString();
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(KEY);
  const target = await migrated();
  const other = { DATABASE_URL: target.url, SERVICE_MASTER_KEY: 'some other key of sixteen' };
  const refused = await dunnock(other, 'restore', file);
  expect(refused).toMatchObject({
    status: 1,
    lines: [
      expect.stringMatching(
        /^The backup’s secrets are encrypted with the master key .* set SERVICE_MASTER_KEY, then restore again\.$/,
      ),
    ],
  });
  expect((await dunnock({ DATABASE_URL: target.url }, 'restore', file)).status).toBe(0);
});

test('a backup is restored under the name of its instance alone, since tokens are good there alone', async () => {
  const file = join(temporaryFolder(), 'name.backup');
  await dunnock({ DATABASE_URL: database.url }, 'backup', file);
  const target = await migrated();
  const refused = await dunnock({ DATABASE_URL: target.url, SERVICE_INSTANCE: 'other' }, 'restore', file);
  expect(refused).toEqual({
    status: 1,
    lines: [
      'This is a backup of instance "test", and its tokens and secrets work only under that name: set SERVICE_INSTANCE=test to restore it.',
    ],
  });
});

test('what is damaged, cut short or no backup is refused in a sentence, and nothing is restored', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'good.backup');
  await dunnock({ DATABASE_URL: database.url }, 'backup', file);
  const text = gunzipSync(readFileSync(file)).toString();
  const target = await migrated();
  const restore = async (bytes: Buffer): Promise<Said> => {
    const broken = join(folder, 'broken.backup');
    writeFileSync(broken, bytes);
    return dunnock({ DATABASE_URL: target.url }, 'restore', broken);
  };
  const sentence = /^[A-Z][^\n]{20,299}\.$/;
  for (const [bytes, says] of [
    [gzipSync(text.replace('Item 7', 'Item 8')), /^Table work_items is not what the backup says it was/],
    [gzipSync(text.slice(0, -200)), /cut short/],
    [readFileSync(file).subarray(0, 4000), /damaged|cut short/],
    [Buffer.from('nothing of the kind'), /damaged/],
    [gzipSync('nothing of the kind\n'), /no backup of Dunnock/],
  ] as const) {
    const refused = await restore(bytes);
    expect(refused.status).toBe(1);
    expect(refused.lines.at(-1)).toMatch(says);
    expect(refused.lines.at(-1)).toMatch(sentence);
  }
  const connection = openConnection(target.options);
  const [left] = await connection<{ count: number }[]>`select count(*) as count from users`;
  await connection.end();
  expect(left?.count).toBe(0);
  const over = await dunnock({ DATABASE_URL: database.url }, 'restore', file);
  expect(over.lines.at(-1)).toMatch(
    /^(Dunnock is running on that database|An instance is in this database already)/,
  );
});

test('a disk that is full ends a backup with a sentence, and leaves no half of one', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'full.backup');
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  // A quota of four kilobytes a file represents the disk.
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$@"`;
  const child = spawn('/bin/sh', ['-c', limited, 'sh', process.execPath, MAIN, 'backup', file], {
    env: { PATH, NODE_COMPILE_CACHE, DATABASE_URL: database.url, SERVICE_MASTER_KEY: KEY },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect([status, said]).toEqual([
    1,
    `No disk space left for ${file}: free some, or choose a file on another disk.\n`,
  ]);
  expect(readdirSync(folder)).toEqual([]);
});
