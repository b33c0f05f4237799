// A project's own fields and what a change of an item comes to, as pure rules: which values a field takes, which fields of a
// card really changed, and which of those a reviewer has to see again.
import { z } from 'zod';
import { invalid, type Refusal } from '../../kernel/refusal.ts';
import type { CustomField } from './contract.ts';
import type { Item } from './items.contract.ts';

/** What an item's custom values are after `given` was laid over them; null takes a value away. */
export function mergedCustom(
  before: Record<string, unknown>,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const merged = Object.entries({ ...before, ...given }).filter(([, value]) => value !== null);
  return Object.fromEntries(merged);
}

/** Names every given value that the project has no field for, or whose kind is another. */
export function refusedCustom(fields: CustomField[], given: Record<string, unknown>): Refusal | null {
  const faults: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    const field = fields.find((f) => f.key === key);
    const name = `custom.${key}`;
    if (!field) faults[name] = `${name} is no field of this project`;
    else if (value !== null && !valueOf(field).safeParse(value).success)
      faults[name] = `${name} takes ${TAKES[field.kind]}`;
  }
  return asRefusal(faults);
}

/** A definition that could hold nothing, or two of one key. */
export function refusedDefinitions(fields: CustomField[]): Refusal | null {
  const faults: Record<string, string> = {};
  for (const [at, field] of fields.entries()) {
    const chooses = field.kind === 'select' || field.kind === 'multiselect';
    if (chooses !== (field.options ?? []).length > 0)
      faults[`custom_fields.${at}`] =
        `custom_fields.${at}: ${chooses ? `a ${field.kind} needs options` : `a ${field.kind} has no options`}`;
    if (fields.findIndex((f) => f.key === field.key) !== at)
      faults[`custom_fields.${at}`] = `custom_fields.${at}: the key ${field.key} stands twice`;
  }
  return asRefusal(faults);
}

const TAKES: Record<CustomField['kind'], string> = {
  text: 'a text of at most 2000 characters',
  number: 'a number',
  date: 'a date as 2026-03-02',
  bool: 'true or false',
  select: 'one of its options',
  multiselect: 'a list of its options, each once',
  url: 'an http:// or https:// address',
};

function valueOf(field: CustomField): z.ZodType {
  const option = z.string().refine((value) => (field.options ?? []).includes(value));
  const kinds: Record<CustomField['kind'], z.ZodType> = {
    text: z.string().max(2000),
    number: z.number(),
    date: z.iso.date(),
    bool: z.boolean(),
    select: option,
    multiselect: z.array(option).refine((all) => new Set(all).size === all.length),
    url: z.url({ protocol: /^https?$/ }).max(2000),
  };
  return kinds[field.kind];
}

export function asRefusal(faults: Record<string, string>): Refusal | null {
  const all = Object.values(faults);
  return all.length > 0 ? invalid(all.join('; ').slice(0, 290), faults) : null;
}

/** The fields of an item that its history keeps. Where a card stands in its column is the column's matter, not its own. */
const KEPT = [
  'title',
  'description',
  'status',
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
