// Takes over an instance from before version 0.2.0, whose schema had its own chain of migrations: the rest of that
// chain is applied, the result is compared with the baseline, and from then on the instance counts as having had the
// baseline. All of it or nothing.
import { join } from 'node:path';
import type postgres from 'postgres';
import { CannotStart } from './cannot-start.ts';
import { describe } from './describe.ts';
import { migrationsIn, type Migration } from './migration-files.ts';

/** The chain from before 0.2.0, for instances and backups that have had any of it. Beside the baseline in `migrations/`. */
const CHAIN_BEFORE = 'before-0.2.0';
const FIRST_BEFORE = '0001_ground.sql';
const INSUFFICIENT_PRIVILEGE = '42501';
/** Where the baseline is made for comparison; gone when the transaction ends. */
const COMPARED = 'dunnock_baseline';

export const isFromBefore = (chain: readonly { name: string }[]): boolean =>
  chain.some(({ name }) => name === FIRST_BEFORE);

/** The folder with the files of the chain that a backup has had. */
export const chainOf = (folder: string, had: readonly { name: string }[]): string =>
  isFromBefore(had) ? join(folder, CHAIN_BEFORE) : folder;

/**
 * @returns the name of the baseline
 * @throws CannotStart with one sentence; then the database is as it was
 */
export async function adopt(
  session: postgres.ReservedSql,
  folder: string,
  log: (line: string) => void,
): Promise<string[]> {
  const [baseline] = migrationsIn(folder);
  if (!baseline) throw new CannotStart(`There is no migration in ${folder}: install the product again.`);
  log('Taking over an instance that was made before version 0.2.0.');
  try {
    await session.unsafe('begin; set local statement_timeout = 0');
    await finish(session, migrationsIn(join(folder, CHAIN_BEFORE)));
    const difference = await differenceFrom(session, baseline);
    if (difference) throw strange(difference);
    await session`delete from schema_migrations`;
    const { name, sha256, additive } = baseline;
    await session`insert into schema_migrations ${session({ name, sha256, additive })}`;
    await session.unsafe('commit');
    return [name];
  } catch (error) {
    await session.unsafe('rollback').catch(() => undefined);
    throw error;
  }
}

async function finish(session: postgres.ReservedSql, chain: readonly Migration[]): Promise<void> {
  const rows = await session<{ name: string }[]>`select name from schema_migrations`;
  const done = new Set(rows.map(({ name }) => name));
  for (const { name, text } of chain.filter((file) => !done.has(file.name)))
    await session.unsafe(text).catch((error: Error & { code?: string }) => {
      throw isOfSchema(error) ? strange(`${name}: ${error.message}`) : error;
    });
}

/** PostgreSQL's class 42: what a file names isn't as it expects. A full disk or a lost lock says nothing about the schema. */
const isOfSchema = ({ code }: { code?: string }): boolean =>
  code?.startsWith('42') === true && code !== INSUFFICIENT_PRIVILEGE;

/** Rights that an operator gave, and what an extension brought, are theirs: only the product's own schema is compared. */
const isOurs = (line: string): boolean => !line.startsWith('grant on ');

/** The first line in which the schema of this instance differs from the baseline's. */
async function differenceFrom(session: postgres.ReservedSql, baseline: Migration): Promise<string | null> {
  const [path] = await session<{ search_path: string }[]>`show search_path`;
  const found = await describe(session);
  await session.unsafe(`create schema ${COMPARED}; set local search_path = ${COMPARED}`);
  await session.unsafe(baseline.text);
  const wanted = await describe(session);
  await session.unsafe(`set local search_path = ${path?.search_path}; drop schema ${COMPARED} cascade`);
  const [one, other] = [new Set(found), new Set(wanted)];
  return (
    wanted.filter(isOurs).find((line) => !one.has(line)) ??
    found.filter(isOurs).find((line) => !other.has(line)) ??
    null
  );
}

/** What a line of a schema is about, without how it is defined: long definitions hide the name. */
const named = (line: string): string =>
  /^(constraint|column|function|table|view|sequence|type) \S+/.exec(line)?.[0] ??
  line.replace(/^(index|trigger) CREATE (?:UNIQUE )?(?:CONSTRAINT )?(?:INDEX|TRIGGER) (\S+).*$/s, '$1 $2');

const strange = (difference: string): CannotStart =>
  new CannotStart(
    `This instance was made before version 0.2.0 with a schema that no release has had (${named(difference)}): export its people and companies as CSV with the version that made it, set up a new instance, and import them there.`,
  );
