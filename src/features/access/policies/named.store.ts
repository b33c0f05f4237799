// Policies as a condition in a query. A list that is filtered after it was read would reveal by its page sizes how much is
// hidden; a list filtered here doesn’t.
import type { PendingQuery, Row } from 'postgres';
import type { Reader } from '../../../kernel/database.ts';
import type { Rights } from '../../../kernel/policy.ts';
import { type NamedResources, spokenOf } from './named.rules.ts';

export type Condition = PendingQuery<Row[]>;

type Column = Condition | { text: Condition };

/**
 * As `decide` does: a deny by any of a thing's names wins, then an allow by any, then deny. `columns`: the noun of each name, and
 * the uuid behind it, or the `text` where it isn’t a uuid; null names nothing. Null: always.
 */
export function allowedBy(
  db: Reader,
  rights: Rights,
  action: string,
  columns: Readonly<Record<string, Column>>,
): Condition | null {
  if (rights.admin) return null;
  const { allow, deny } = spokenOf(rights, action, Object.keys(columns));
  const speaks = (spoken: Record<string, NamedResources>): Condition | boolean => {
    const parts = Object.entries(columns).flatMap(([noun, column]) => named(db, column, spoken[noun]));
    // `*` names everything, whichever of its names it has.
    if (Object.values(spoken).every(({ all }) => all)) return true;
    return parts.length === 0 ? false : parts.reduce((all, part) => db`${all} or ${part}`);
  };
  const [yes, no] = [speaks(allow), speaks(deny)];
  if (yes === false || no === true) return db`false`;
  if (no === false) return yes === true ? null : db`(${yes})`;
  // A name that is null is not denied.
  return yes === true ? db`((${no}) is not true)` : db`((${yes}) and (${no}) is not true)`;
}

function named(db: Reader, column: Column, { all, ids, begin }: NamedResources = NONE): Condition[] {
  const isText = 'text' in column;
  const value = isText ? column.text : column;
  const known = isText ? ids : ids.filter((id) => ID.test(id));
  if (all) return [db`${value} is not null`];
  const one = isText ? db`${value} = any(${known}::text[])` : db`${value} = any(${known}::uuid[])`;
  return [
    ...(known.length === 0 ? [] : [one]),
    ...(begin.length === 0 ? [] : [db`${value}::text ^@ any(${begin}::text[])`]),
  ];
}

/** As uuids are written in names; anything else names none. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const NONE: NamedResources = { all: false, ids: [], begin: [] };
