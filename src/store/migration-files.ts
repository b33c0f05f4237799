// The files of a chain of migrations, in order: `NNNN_name.sql`, each identified by the hash of its bytes.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from './cannot-start.ts';

export type Migration = { name: string; text: string; sha256: string; additive: boolean };

const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;
const NOT_ADDITIVE = '-- not additive';

export function migrationsIn(folder: string): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  return names.map((name, at) => {
    if (!FILE_NAME.test(name)) {
      throw new CannotStart(`Migration ${name} is not named like 0001_what_it_does.sql: rename it.`);
    }
    if (names[at - 1]?.slice(0, 4) === name.slice(0, 4)) {
      throw new CannotStart(
        `Migrations ${names[at - 1]} and ${name} have the same number: rename the newer one.`,
      );
    }
    // A checkout may have turned line ends; what the database was told is the same.
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    const sha256 = createHash('sha256').update(text).digest('hex');
    return { name, text, sha256, additive: !text.startsWith(NOT_ADDITIVE) };
  });
}
