// Loads a backup into an empty database: its schema, all rows in one transaction, read back and compared with the
// manifest before the commit, and then any migrations that this version adds.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { chainOf } from '../adopt.ts';
import { CannotStart } from '../cannot-start.ts';
import { migrate } from '../migrate.ts';
import { blocksOf, type Block } from './blocks.ts';
import { clearTheWay, migrationsOf, quoted, tablesOf, type Table } from './catalog.ts';
import { BROKEN, CUT_SHORT, differences, NO_BACKUP, readHead, readManifest } from './manifest.ts';
import type { Head, Manifest } from './manifest.ts';
import type { Connection, Session } from './session.ts';
import { sumOf, type Written } from './write.ts';

export type Loading = {
  migrations: string;
  /** Says whether this may be restored here, before anything is written; throws CannotStart where not. */
  admit(head: Head): void;
  log(line: string): void;
  /** In the transaction, after everything was found equal. */
  before_commit?(session: Session, written: Written): Promise<void>;
};

/** @throws CannotStart with one sentence; then the database is as it was, but for empty tables */
export async function loadBackup(
  connection: Connection,
  source: AsyncIterable<Buffer>,
  { migrations, admit, log, before_commit }: Loading,
): Promise<Written> {
  const blocks = blocksOf(source);
  const first = await blocks.next();
  if (first.done || first.value.kind !== 'line') throw new CannotStart(NO_BACKUP);
  const head = readHead(first.value.text);
  admit(head);
  await demandEmpty(connection, head);
  const names = new Set(head.migrations.map(({ name }) => name));
  await migrate(connection, chainOf(migrations, head.migrations), log, names);
  await demandSameSchema(connection, head);
  const written = (await connection.begin(async (tx) => {
    const tables = await tablesOf(tx);
    const putBack = await clearTheWay(tx, tables);
    await tx.unsafe(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
    const manifest = await loadTables(tx, blocks, new Map(tables.map((table) => [table.name, table])));
    await putBack();
    for (const { name, last_value, is_called } of manifest.sequences)
      await tx`select setval(${quoted(name)}::regclass, ${last_value}, ${is_called})`;
    await demandEqual(tx, tables, manifest);
    const done = { head, manifest };
    await before_commit?.(tx, done);
    return done;
  })) as Written;
  await migrate(connection, migrations, log);
  return written;
}

async function demandEmpty(connection: Connection, head: Head): Promise<void> {
  const known = new Set(head.migrations.map(({ name }) => name));
  const applied = await migrationsOf(connection);
  if (applied.length === 0) {
    const [row] = await connection<{ count: number }[]>`
      select count(*)::int as count from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> 'schema_migrations'`;
    if (row && row.count > 0)
      throw new CannotStart(
        'The database holds tables of something else: make an empty one for Dunnock, and restore there.',
      );
    return;
  }
  const [row] = await connection<{ count: number }[]>`select count(*)::int as count from users`;
  if (row && row.count > 0)
    throw new CannotStart(
      'An instance is in this database already, and restoring would overwrite it: set DATABASE_URL to an empty database, or SERVICE_DATA_DIR to a new folder.',
    );
  const newer = applied.find(({ name }) => !known.has(name));
  if (newer)
    throw new CannotStart(
      'The database was set up by a newer version than the backup: restore into a database without any tables, and it is brought up to date afterwards.',
    );
}

async function demandSameSchema(connection: Connection, head: Head): Promise<void> {
  const applied = new Map((await migrationsOf(connection)).map(({ name, sha256 }) => [name, sha256]));
  const other = head.migrations.find(({ name, sha256 }) => applied.get(name) !== sha256);
  if (other)
    throw new CannotStart(
      `The backup has had migration ${other.name}, which this version of the product does not know in that form: restore it with the version that wrote it, or a newer one.`,
    );
}

async function loadTables(
  session: Session,
  blocks: AsyncGenerator<Block>,
  tables: ReadonlyMap<string, Table>,
): Promise<Manifest> {
  for (let block = await blocks.next(); !block.done; block = await blocks.next()) {
    if (block.value.kind !== 'line') throw new CannotStart(BROKEN);
    const manifest = readManifest(block.value.text);
    if (manifest) return manifest;
    const name = /^copy "([a-z0-9_]+)" \((?:"[a-z0-9_]+"(?:, )?)+\) from stdin;$/.exec(block.value.text)?.[1];
    if (name === undefined || !tables.has(name)) throw new CannotStart(BROKEN);
    const copy = await session.unsafe(block.value.text.slice(0, -1)).writable();
    await pipeline(Readable.from(rowsOf(blocks), { objectMode: false }), copy).catch((error: unknown) => {
      throw error instanceof CannotStart ? error : new CannotStart(BROKEN, { cause: error });
    });
  }
  throw new CannotStart(CUT_SHORT);
}

async function* rowsOf(blocks: AsyncGenerator<Block>): AsyncGenerator<Buffer> {
  for (let block = await blocks.next(); ; block = await blocks.next()) {
    if (block.done) throw new CannotStart(CUT_SHORT);
    if (block.value.kind === 'end_of_table') return;
    if (block.value.kind === 'line') throw new CannotStart(BROKEN);
    yield block.value.bytes;
  }
}

async function demandEqual(session: Session, tables: readonly Table[], manifest: Manifest): Promise<void> {
  const found = [];
  for (const table of tables) found.push(await sumOf(session, table));
  const [differing] = differences(manifest.tables, found);
  if (differing !== undefined)
    throw new CannotStart(
      `Table ${differing} is not what the backup says it was: the file is damaged, and nothing was restored; copy it again, or take another backup.`,
    );
}
