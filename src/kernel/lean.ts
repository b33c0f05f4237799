// Shorter lists: the fields that were asked for or, for an agent that asked for none, the operation’s brief fields. A field is a
// path: `company.name` is the name inside `company`, `addresses.value` a list of values, and `key:subject.key` renames what it
// finds.
import { z } from 'zod';
import type { AnyOperation } from './operation.ts';
import { invalid } from './refusal.ts';

/** The argument that every list takes beside its own; `all` gives whole rows. */
export const FIELDS = 'fields';
const ALL = 'all';
const MOST_FIELDS = 40;
/** So many rows share a value before it is said once. */
const SHARED_BY = 3;

type Row = Record<string, unknown>;
type Rows = { items: unknown[] };

/** The shape of one row, or null where the operation answers no list. */
function rowOf(op: AnyOperation): z.ZodType | null {
  if (op.method !== 'GET' || !('json' in op.answers) || !(op.gives instanceof z.ZodObject)) return null;
  const { items, next_cursor } = op.gives.shape as Record<string, z.ZodType>;
  return next_cursor && items instanceof z.ZodArray ? (items.element as z.ZodType) : null;
}

export const isList = (op: AnyOperation): boolean =>
  rowOf(op) !== null && !Object.hasOwn(op.takes.shape, FIELDS);

/** The paths in `fields=id,company.name`. Throws where the row has no such field, naming those that it has. */
export function fieldsIn(op: AnyOperation, said: unknown): readonly string[] {
  const row = rowOf(op);
  const known = row instanceof z.ZodObject ? Object.keys(row.shape) : null;
  const paths =
    typeof said === 'string'
      ? said
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean)
      : [];
  const list = known === null ? '' : `, such as ${known.slice(0, 12).join(', ')}`;
  const says = `fields: give names of fields with commas between them${list}; or all`;
  if (paths.length === 0 || paths.length > MOST_FIELDS) throw invalid(says, { [FIELDS]: says });
  const stray =
    known &&
    paths.find((path) => path !== ALL && !known.includes(path.split(':').at(-1)?.split('.')[0] ?? ''));
  if (stray)
    throw invalid(`fields: a row has no "${stray.slice(0, 40)}"; it has ${known.join(', ')}`, {
      [FIELDS]: says,
    });
  return paths;
}

/** The answer with these fields of each row alone. */
export function withFields(answer: unknown, paths: readonly string[]): unknown {
  if (paths.includes(ALL)) return answer;
  const { items, ...rest } = answer as Rows;
  return { items: items.map((row) => picked(row, paths)), ...rest };
}

/** For an agent: the brief fields of an operation, without those that say nothing; what all rows share is said once. */
export function brief(op: AnyOperation, answer: unknown): unknown {
  if (!op.brief) return answer;
  const { items, ...rest } = withFields(answer, op.brief) as { items: Row[] };
  const rows = items.map(telling);
  const [first] = rows;
  const shared = Object.entries(first && rows.length >= SHARED_BY ? first : {}).filter(
    ([key, value]) => key !== 'id' && rows.every((row) => JSON.stringify(row[key]) === JSON.stringify(value)),
  );
  if (shared.length === 0) return { items: rows, ...rest };
  const keys = new Set(shared.map(([key]) => key));
  const own = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([key]) => !keys.has(key)));
  return { all_have: Object.fromEntries(shared), items: rows.map(own), ...rest };
}

/** The answer without what says nothing, at every depth; a text that is in its letter is there alone. */
export function sparse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sparse);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(once(value as Row)).map(([key, each]) => [key, sparse(each)] as const);
  return Object.fromEntries(inner.filter(([, each]) => !saysNothing(each) && JSON.stringify(each) !== '{}'));
}

/** What is written with a signature below it says the text a second time. */
function once(record: Row): Row {
  const { text, letter, ...rest } = record;
  const whole = typeof letter === 'object' && letter !== null ? (letter as Row)['text'] : undefined;
  const isTwice = typeof text === 'string' && typeof whole === 'string' && whole.startsWith(text);
  return isTwice ? { ...rest, letter } : record;
}

const telling = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => !saysNothing(value)));

const saysNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

function picked(row: unknown, paths: readonly string[]): Row {
  return Object.fromEntries(
    paths.map((path) => {
      const [name = '', at = name] = path.split(':');
      const [key = '', ...deeper] = at.split('.');
      return [name.split('.')[0] ?? name, valueAt((row as Row)[key], deeper)];
    }),
  );
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [key, ...deeper] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map((each) => valueAt(each, path));
  return Object.hasOwn(value, key) ? valueAt((value as Row)[key], deeper) : null;
}
