// Every row that a released version wrote, column by column as it wrote it, after every migration that came since.
import { cpSync, createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { loadBackup } from '../../src/store/backup/load.ts';
import { openConnection } from '../../src/store/backup/session.ts';
import { writeBackup } from '../../src/store/backup/write.ts';
import { temporaryFolder } from '../commands/holding.ts';
import { freshDatabase } from '../support/database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
const versions = readdirSync(import.meta.dirname).filter((name) => /^\d+\.\d+\.\d+$/.test(name));

/** What a later migration takes away or writes again, `table` or `table.column`, with the migration that does it. */
const CHANGED: Readonly<Record<string, string>> = {
  // Counts everyone also at the stages that they passed over.
  'stages_reached.people': '0026_stages_ever_reached.sql',
};

/** Tables of which a version's desk has no row. A new version's list has no more than the one before, and its new tables have rows. */
const EMPTY: Readonly<Record<string, readonly string[]>> = {
  '0.2.0': [
    'activity_reads',
    'chat_actions',
    'import_batch_sends',
    'import_chunks',
    'letters_to_remake',
    'mailboxes',
    'pass_runs',
    'restored',
    'sender_lanes',
    'sent_copies',
    'sent_folders',
    'vendor_events',
    'vendor_letters',
    'vendor_mails',
    'work_project_members',
    'workflow_events',
  ],
};

type Table = { columns: string[]; rows: string[][] };
type Tables = Map<string, Table>;

const HEAD = /^copy "(\w+)" \((.+)\) from stdin;$/;

/** The tables of a backup; a cell is text as the backup has it. */
async function tablesIn(backup: Readable): Promise<Tables> {
  const tables: Tables = new Map();
  let open: Table | null = null;
  for (const line of (await backup.setEncoding('utf8').toArray()).join('').split('\n')) {
    const [, name, columns = ''] = HEAD.exec(line) ?? [];
    if (line === String.raw`\.`) open = null;
    else if (open) open.rows.push(line.split('\t'));
    else if (name) {
      open = { columns: columns.split(', ').map((column) => column.slice(1, -1)), rows: [] };
      tables.set(name, open);
    }
  }
  return tables;
}

const backupOf = (version: string): Readable =>
  createReadStream(join(import.meta.dirname, version, 'desk.backup')).pipe(createGunzip());

/** The rows of a version after the migrations of this folder. */
async function migrated(version: string, migrations: string): Promise<Tables> {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const connection = openConnection(database.options);
  await connection.unsafe('drop schema public cascade; create schema public');
  const quiet = () => undefined;
  await loadBackup(connection, backupOf(version), { migrations, admit: quiet, log: quiet });
  const pieces: Buffer[] = [];
  const out = new Writable({
    write(piece: Buffer, _, done) {
      pieces.push(Buffer.from(piece));
      done();
    },
  });
  await writeBackup(connection, out, { instance: 'released', version });
  await connection.end();
  return tablesIn(Readable.from([Buffer.concat(pieces).toString()]));
}

/** What of the rows is no longer as it was written, a line each. */
function lost(before: Tables, after: Tables, changed: Readonly<Record<string, string>> = CHANGED): string[] {
  const found: string[] = [];
  for (const [name, { columns, rows }] of before) {
    const now = after.get(name);
    if (rows.length === 0 || name in changed) continue;
    if (!now) {
      found.push(name);
      continue;
    }
    const kept = columns.filter((column) => !(`${name}.${column}` in changed));
    const gone = kept.filter((column) => !now.columns.includes(column));
    found.push(...gone.map((column) => `${name}.${column}`));
    const compared = kept.filter((column) => !gone.includes(column));
    for (const column of compared) {
      const there = new Map<string, number>();
      const cell = (at: Table, row: string[]) =>
        JSON.stringify(['id', column].map((each) => row[at.columns.indexOf(each)] ?? ''));
      for (const row of now.rows) there.set(cell(now, row), (there.get(cell(now, row)) ?? 0) + 1);
      const missing = rows.find((row) => {
        const left = there.get(cell({ columns, rows }, row)) ?? 0;
        there.set(cell({ columns, rows }, row), left - 1);
        return left === 0;
      });
      if (missing) found.push(`${name}.${column}: ${missing[columns.indexOf(column)]}`);
    }
  }
  return found;
}

test.for(versions)('the desk of %s has rows in every table but those listed', async (version) => {
  const empty = [...(await tablesIn(backupOf(version)))].filter(([, { rows }]) => rows.length === 0);
  expect(empty.map(([name]) => name)).toEqual(EMPTY[version]);
});

test.for(versions)('every column of every row that %s wrote is as it was', async (version) => {
  const before = await tablesIn(backupOf(version));
  expect(lost(before, await migrated(version, MIGRATIONS))).toEqual([]);
});

test.for([
  ['drops a column', 'alter table people drop column title;', 'people.title'],
  ['drops a table', 'drop table snippets cascade;', 'snippets'],
  [
    'rewrites a column',
    "update companies set name = 'Other' where name = 'Acme Works';",
    'companies.name: Acme Works',
  ],
  ['removes a row', 'delete from list_views;', 'list_views.id'],
])('a migration that %s is seen', async ([, statement = '', named = '']) => {
  const folder = temporaryFolder();
  cpSync(MIGRATIONS, folder, { recursive: true });
  writeFileSync(join(folder, '9999_careless.sql'), statement);
  const version = versions[0] ?? '';
  const found = lost(await tablesIn(backupOf(version)), await migrated(version, folder));
  expect(
    found.some((line) => line.startsWith(named)),
    found.join('\n'),
  ).toBe(true);
});
