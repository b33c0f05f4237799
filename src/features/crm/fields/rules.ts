// Custom fields as pure rules: which values a field takes, what definitions can be, and what replacing definitions comes
// to. They hold for the fields of the whole instance and for a project's own.
import { z } from 'zod';
import { conflict, invalid, type Refusal } from '../../../kernel/refusal.ts';
import { date } from '../../../kernel/shapes.ts';
import type { CustomField } from './contract.ts';

/** What a record's custom values are after `given` was laid over them; null takes a value away. */
export function mergedCustom(
  before: Record<string, unknown>,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const merged = Object.entries({ ...before, ...given }).filter(([, value]) => value !== null);
  return Object.fromEntries(merged);
}

/** Names every given value that there is no field for, or whose kind is another. `of` says whose fields: `a person`. */
export function refusedCustom(
  fields: readonly CustomField[],
  given: Record<string, unknown>,
  of: string,
): Refusal | null {
  const faults: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    const field = fields.find((f) => f.key === key);
    const name = `custom.${key}`;
    if (!field) faults[name] = `${name} isn’t a field of ${of}`;
    else if (value !== null && !valueOf(field).safeParse(value).success)
      faults[name] = `${name} takes ${TAKES[field.kind]}`;
  }
  return asRefusal(faults);
}

/** A definition that could hold nothing, or two of one key. `at` names the argument. */
export function refusedDefinitions(
  fields: readonly CustomField[],
  at: 'fields' | 'custom_fields',
): Refusal | null {
  const faults: Record<string, string> = {};
  for (const [index, field] of fields.entries()) {
    const name = `${at}.${index}`;
    const chooses = field.kind === 'select' || field.kind === 'multiselect';
    const options = field.options ?? [];
    if (chooses !== options.length > 0)
      faults[name] =
        `${name}: ${chooses ? `a ${field.kind} needs options` : `a ${field.kind} has no options`}`;
    if (fields.findIndex((f) => f.key === field.key) !== index)
      faults[name] = `${name}: the key ${field.key} is used twice`;
  }
  return asRefusal(faults);
}

/** The fields of a record that has some of its own beside those of the instance: of two with one key, its own holds. */
export function fieldsTogether(
  own: readonly CustomField[],
  everywhere: readonly CustomField[],
): CustomField[] {
  return [...own, ...everywhere.filter((field) => !own.some((mine) => mine.key === field.key))];
}

/** Definitions of one noun fit into one answer. */
export const DEFINITIONS_MAX_CHARS = 40_000;

export function refusedAsTooMuch(fields: readonly CustomField[]): Refusal | null {
  const chars = JSON.stringify(fields).length;
  return chars > DEFINITIONS_MAX_CHARS
    ? invalid(
        `these fields are ${chars} characters and the limit is ${DEFINITIONS_MAX_CHARS}: shorten titles or options`,
        { fields: 'fields: too many characters together' },
      )
    : null;
}

/** What is no longer there, and what would be of another kind. */
export function goneAndTurned(
  before: readonly CustomField[],
  to: readonly CustomField[],
): { gone: CustomField[]; turned: CustomField[] } {
  const became = (field: CustomField) => to.find((other) => other.key === field.key);
  return {
    gone: before.filter((field) => !became(field)),
    turned: before.filter((field) => (became(field)?.kind ?? field.kind) !== field.kind),
  };
}

type Held = { key: string; count: number };

/** `held` says how many records hold a value of each field; those that none holds may go and turn freely. */
export function refusedToReplace(
  { gone, turned }: { gone: CustomField[]; turned: CustomField[] },
  held: Held[],
  drop_values: boolean,
): Refusal | null {
  const among = (fields: CustomField[]) =>
    held.filter(({ key, count }) => count > 0 && fields.some((field) => field.key === key));
  const named = (all: Held[]) =>
    all
      .slice(0, 2)
      .map(({ key, count }) => `${key} (${count} ${count === 1 ? 'record' : 'records'})`)
      .join(', ') + (all.length > 2 ? ` and ${all.length - 2} more` : '');
  const values = (all: Held[]) => ({ held: Object.fromEntries(all.map(({ key, count }) => [key, count])) });
  const kept = among(turned);
  if (kept.length > 0)
    return conflict(
      `records have values for ${named(kept)}, which the new kind can’t hold: remove the field and its values first, or add a field under another key`,
      values(kept),
    );
  const lost = drop_values ? [] : among(gone);
  return lost.length > 0
    ? conflict(
        `records have values for ${named(lost)}: send drop_values true to delete the field and those values permanently`,
        values(lost),
      )
    : null;
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

/** What a value of this field must be. */
export function valueOf(field: CustomField): z.ZodType {
  const option = z.string().refine((value) => (field.options ?? []).includes(value));
  const kinds: Record<CustomField['kind'], z.ZodType> = {
    text: z.string().max(2000),
    number: z.number(),
    date,
    bool: z.boolean(),
    select: option,
    multiselect: z.array(option).refine((all) => new Set(all).size === all.length),
    url: z.url({ protocol: /^https?$/ }).max(2000),
  };
  return kinds[field.kind];
}

/** One refusal that names every fault, or null where there is none. */
export function asRefusal(faults: Record<string, string>): Refusal | null {
  const all = Object.values(faults);
  return all.length > 0 ? invalid(all.join('; ').slice(0, 290), faults) : null;
}
