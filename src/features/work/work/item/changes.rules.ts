// What a change of an item comes to, as pure rules: which fields of a card really changed, and which of those a reviewer has
// to see again.
import type { Item } from '../items.contract.ts';

/**
 * The fields of an item that its history keeps. What is read, saved and shown of a changed item is made from this list. Where a
 * card is in its column is the column's matter, not its own.
 */
export const KEPT = [
  'status',
  'title',
  'description',
  'priority',
  'labels',
  'assignee',
  'due_on',
  'parent_id',
  'blocked_by',
  'links',
  'custom',
  'needs_review',
] as const satisfies (keyof Item)[];

export type Field = (typeof KEPT)[number];
/** The column of the same name holds all there is to these. */
export const PLAIN = KEPT.filter(
  (field): field is Exclude<Field, 'assignee' | 'blocked_by'> =>
    field !== 'assignee' && field !== 'blocked_by',
);
export type FieldChange = { field: Field | 'claim'; from: unknown; to: unknown };

/** What really differs between an item and what it is to become. */
export function changesOf(before: Pick<Item, Field>, to: Partial<Pick<Item, Field>>): FieldChange[] {
  return KEPT.filter((field) => to[field] !== undefined && !same(before[field], to[field])).map((field) => ({
    field,
    from: before[field],
    to: to[field],
  }));
}

/** Values of a card are plain JSON; the order of an object's keys says nothing, that of a list does. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}

/** A reviewer has read these: where one of them changes, what waits is superseded (domain.md §1.11). */
const REVIEWED: readonly FieldChange['field'][] = ['title', 'description', 'custom'];

export const reviewedAgain = (changes: FieldChange[]): boolean =>
  changes.some((change) => REVIEWED.includes(change.field));
