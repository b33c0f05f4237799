// Owns the schema's way forward: plain SQL files `migrations/NNNN_name.sql`, each applied once, in order, in
// a transaction of its own, and written down in schema_migrations with the hash of its bytes. There is no way
// back: a mistake is fixed by the next file. A file may not contain BEGIN or COMMIT.
//
// Processes of the version before run on beside this one, and may be started again, as long as every file that they do not
// know only adds. One that takes away, or asks what they do not do, opens with the line `-- not additive`.
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { adopt, isFromBefore } from './adopt.ts';
import { CannotStart, noAnswer } from './cannot-start.ts';
import { migrationsIn, type Migration } from './migration-files.ts';

type Applied = { name: string; sha256: string; additive: boolean };

/** Any number that is ours alone on the server; the same for every version of the product. */
const LOCK_KEY = 4_871_150_926;
const LOCK_POLL_MS = 100;
const LOCK_LIMIT_MS = 10 * 60_000;
const OLDEST_SERVER = 15;

type Comparison = { pending: Migration[] } | { refusal: string };

/** What is left to do, or why nothing may be done. Pure. */
function compare(files: Migration[], applied: Applied[]): Comparison {
  // Its chain has other names: nothing in it says that a newer version has been here.
  if (isFromBefore(applied) && !isFromBefore(files)) return { pending: files };
  const byName = new Map(files.map((file) => [file.name, file]));
  for (const { name, sha256, additive } of applied) {
    const file = byName.get(name);
    if (!file && additive) continue;
    if (!file) {
      return {
        refusal: `The database has had migration ${name}, which this version of the product does not know: a newer version has been here, so start that one.`,
      };
    }
    if (file.sha256 !== sha256) {
      return {
        refusal: `Migration ${name} has been changed since it was applied to this database: restore the file as it was and put the change into a new migration.`,
      };
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  const pending = files.filter((file) => !done.has(file.name));
  const last = applied
    .filter(({ name }) => byName.has(name))
    .map(({ name }) => name)
    .toSorted()
    .at(-1);
  const late = last && pending.find((file) => file.name < last);
  if (late) {
    return {
      refusal: `Migration ${late.name} comes before ${last}, which this database has had already: give it the next free number.`,
    };
  }
  return { pending };
}

async function hasTable(sql: postgres.Sql): Promise<boolean> {
  const [found] = await sql<
    { there: boolean }[]
  >`select to_regclass('schema_migrations') is not null as there`;
  return found?.there ?? false;
}

async function hasAdditive(sql: postgres.Sql): Promise<boolean> {
  const rows = await sql`
    select 1 from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'additive'`;
  return rows.length > 0;
}

async function appliedIn(sql: postgres.Sql): Promise<Applied[]> {
  if (!(await hasTable(sql))) return [];
  // A database that was made before this column existed had only what adds.
  return await sql<Applied[]>`
    select name, sha256, coalesce((to_jsonb(m) ->> 'additive')::boolean, true) as additive
    from schema_migrations m order by name`;
}

/** Puts what PostgreSQL said into a sentence with the next step; any other error is a fault and stays one. */
function inWords(error: unknown, doing: string): unknown {
  if (!(error instanceof postgres.PostgresError)) return error;
  if (error.code === '42501') {
    return new CannotStart(
      `The database user may not change the schema (${error.message}): make it the owner of the database, then start again.`,
    );
  }
  return new CannotStart(`${doing}: ${error.message}.`);
}

/** Two processes may boot at once: one applies, the other waits here and then finds nothing left to do. */
async function takeLock(sql: postgres.Sql, log: (line: string) => void): Promise<void> {
  const until = performance.now() + LOCK_LIMIT_MS;
  for (let told = false; ; told = true) {
    const [got] = await sql<{ ours: boolean }[]>`select pg_try_advisory_lock(${LOCK_KEY}) as ours`;
    if (got?.ours) return;
    if (performance.now() > until) {
      throw new CannotStart(
        'Another process has been changing the schema of this database for ten minutes: wait for it or stop it, then start again.',
      );
    }
    if (!told) log('Another process is changing the schema of this database; waiting for it.');
    await sleep(LOCK_POLL_MS);
  }
}

async function apply(sql: postgres.Sql, migration: Migration): Promise<void> {
  try {
    // The pool's statement timeout is for requests; a migration takes what it takes.
    await sql.unsafe('begin; set local statement_timeout = 0');
    await sql.unsafe(migration.text);
    const { name, sha256, additive } = migration;
    await sql`insert into schema_migrations ${sql({ name, sha256, additive })}`;
    await sql.unsafe('commit');
  } catch (error) {
    await sql.unsafe('rollback').catch(() => undefined);
    throw inWords(error, `Migration ${migration.name} failed and was undone`);
  }
}

/**
 * Brings the database to this version's schema, or as far as `these` files go. `sql` may write; `folder` holds the files.
 * @returns the names of the migrations applied now, in order
 * @throws CannotStart with one sentence
 */
export async function migrate(
  sql: postgres.Sql,
  folder: string,
  log: (line: string) => void = () => undefined,
  these: ReadonlySet<string> | null = null,
): Promise<string[]> {
  const files = migrationsIn(folder).filter(({ name }) => these === null || these.has(name));
  const session = await sql.reserve().catch((error: unknown) => {
    throw noAnswer(error);
  });
  try {
    const [server] = await session<{ number: number }[]>`
      select current_setting('server_version_num')::int as number`;
    const major = Math.floor((server?.number ?? 0) / 10_000);
    if (major < OLDEST_SERVER) {
      throw new CannotStart(
        `DATABASE_URL leads to PostgreSQL ${major}: version ${OLDEST_SERVER} or later is needed.`,
      );
    }
    await takeLock(session, log);
    try {
      if (!(await hasTable(session))) {
        await session`create table schema_migrations (
          name text primary key,
          sha256 text not null,
          applied_at timestamptz not null default now(),
          additive boolean not null default true
        )`;
      }
      if (!(await hasAdditive(session)))
        await session`alter table schema_migrations add column additive boolean not null default true`;
      const adopted =
        isFromBefore(await appliedIn(session)) && !isFromBefore(files)
          ? await adopt(session, folder, log)
          : [];
      const todo = compare(files, await appliedIn(session));
      if ('refusal' in todo) throw new CannotStart(todo.refusal);
      for (const migration of todo.pending) {
        log(`Applying migration ${migration.name}.`);
        await apply(session, migration);
      }
      return [...adopted, ...todo.pending.map(({ name }) => name)];
    } finally {
      await session`select pg_advisory_unlock(${LOCK_KEY})`;
    }
  } catch (error) {
    throw inWords(error, 'The schema of the database could not be brought up to date');
  } finally {
    session.release();
  }
}

type Schema = { ok: true } | { ok: false; reason: string };

/** Whether the database has all that this version's schema has. Reads only. */
export const schemaIsCurrent = (sql: postgres.Sql, folder: string): Promise<Schema> =>
  lookAt(sql, migrationsIn(folder));

async function lookAt(sql: postgres.Sql, files: Migration[]): Promise<Schema> {
  const state = compare(files, await appliedIn(sql));
  if ('refusal' in state) return { ok: false, reason: state.refusal };
  const next = state.pending[0];
  if (next) return { ok: false, reason: `Migration ${next.name} has not been applied: restart the product.` };
  return { ok: true };
}

/**
 * The same for health checks, which anyone may ask for as often as they like: the files are read once, and whoever asks while
 * an answer is on its way gets that one.
 */
export function openSchemaCheck(sql: postgres.Sql, folder: string): () => Promise<Schema> {
  const files = migrationsIn(folder);
  let answer: Promise<Schema> | null = null;
  return () =>
    (answer ??= lookAt(sql, files).finally(() => {
      answer = null;
    }));
}
