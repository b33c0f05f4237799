// Writes a backup: every table from one snapshot, so that it shows the instance at one moment, whatever happens
// meanwhile. No one’s work waits for it.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { migrationsOf, quoted, sequencesOf, tablesOf, type Table } from './catalog.ts';
import { headLine, manifestLine, type Head, type Manifest, type TableSum } from './manifest.ts';
import type { Connection, Session } from './session.ts';

export type Written = { head: Head; manifest: Manifest };

const NEWLINE = 10;
const GATHER_BYTES = 256 * 1024;

/** Gives what it wrote. `out` is not ended. */
export async function writeBackup(
  connection: Connection,
  out: Writable,
  of: Pick<Head, 'instance' | 'version'>,
): Promise<Written> {
  const written = await connection.begin('isolation level repeatable read read only', async (tx) => {
    const [clock] = await tx<{ now: Date }[]>`select now()`;
    const head: Head = {
      format: 1,
      ...of,
      taken_at: (clock?.now ?? new Date(0)).toISOString(),
      migrations: await migrationsOf(tx),
    };
    await put(out, headLine(head));
    const tables: TableSum[] = [];
    for (const table of await tablesOf(tx)) {
      await put(out, `copy ${quoted(table.name)} (${table.columns.map(quoted).join(', ')}) from stdin;\n`);
      tables.push(await sumOf(tx, table, (bytes) => put(out, bytes)));
      await put(out, '\\.\n');
    }
    const manifest = { tables, sequences: await sequencesOf(tx) };
    await put(out, manifestLine(manifest));
    return { head, manifest };
  });
  return written as Written;
}

/** Counts and hashes the rows of a table, and hands on their bytes. */
export async function sumOf(
  session: Session,
  { name, columns, order }: Table,
  take: (bytes: Buffer) => Promise<void> = async () => undefined,
): Promise<TableSum> {
  const rows = await session
    .unsafe(
      `copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)} order by ${order}) to stdout`,
    )
    .readable();
  const hash = createHash('sha256');
  let count = 0;
  let gathered: Buffer[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (bytes > 0) await take(Buffer.concat(gathered));
    gathered = [];
    bytes = 0;
  };
  let broken: { error: unknown } | null = null;
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    // Whoever takes the bytes cannot: the rest is read nevertheless, or the connection would never hear its rollback.
    if (broken) continue;
    hash.update(chunk);
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
    gathered.push(chunk);
    bytes += chunk.length;
    if (bytes >= GATHER_BYTES) await flush().catch((error: unknown) => void (broken = { error }));
  }
  if (broken) throw (broken as { error: unknown }).error;
  await flush();
  return { name, rows: count, sha256: hash.digest('hex') };
}

async function put(out: Writable, bytes: Buffer | string): Promise<void> {
  if (out.errored) throw out.errored;
  if (!out.write(bytes)) await once(out, 'drain');
}
