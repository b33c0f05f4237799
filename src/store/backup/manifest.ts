// A backup’s description of itself: before the rows, whose it is and which schema it has; after them, what every
// table contained. Its text is SQL that any PostgreSQL reads: comments for these two, and a COPY block for each
// table.
import { CannotStart } from '../cannot-start.ts';

export type Head = {
  format: 1;
  /** SERVICE_INSTANCE of the instance that was backed up: tokens are good there alone, and secrets are sealed to it. */
  instance: string;
  version: string;
  taken_at: string;
  /** Applied to it, in order. */
  migrations: { name: string; sha256: string }[];
};

/** `sha256` is of the table's rows as COPY writes them, in the order of its primary key. */
export type TableSum = { name: string; rows: number; sha256: string };

export type Manifest = {
  tables: TableSum[];
  sequences: { name: string; last_value: number; is_called: boolean }[];
};

const HEAD = '-- dunnock backup ';
const MANIFEST = '-- dunnock manifest ';

export const headLine = (head: Head): string => `${HEAD}${JSON.stringify(head)}\n`;
export const manifestLine = (manifest: Manifest): string => `${MANIFEST}${JSON.stringify(manifest)}\n`;

export const NO_BACKUP = 'That file is no backup of Dunnock: name one that `dunnock backup` wrote.';
export const CUT_SHORT =
  'The backup ends before its last line: it was cut short, so copy it again from where it was kept.';
export const BROKEN = 'The backup is damaged: copy it again from where it was kept, or take another.';

export function readHead(line: string): Head {
  const head = after(line, HEAD) as Head | null;
  if (head === null) throw new CannotStart(NO_BACKUP);
  if (head.format !== 1)
    throw new CannotStart(
      'That backup was written by a newer version of Dunnock: restore it with that version.',
    );
  return head;
}

export const readManifest = (line: string): Manifest | null => after(line, MANIFEST) as Manifest | null;

function after(line: string, opening: string): unknown {
  if (!line.startsWith(opening)) return null;
  try {
    return JSON.parse(line.slice(opening.length)) as unknown;
  } catch {
    return null;
  }
}

/** Tables whose sums differ, by name. */
export function differences(one: readonly TableSum[], other: readonly TableSum[]): string[] {
  const sums = new Map(other.map((each) => [each.name, each]));
  const differing = one.filter(({ name, rows, sha256 }) => {
    const found = sums.get(name);
    return !found || found.rows !== rows || found.sha256 !== sha256;
  });
  const names = new Set(one.map(({ name }) => name));
  return [...differing, ...other.filter(({ name }) => !names.has(name))].map(({ name }) => name);
}
