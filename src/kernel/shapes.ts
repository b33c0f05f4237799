// Schemas that many declarations share: ids, times, pages, principals. A field that several features return or take is defined
// once, here.
import { z } from 'zod';
import { named, nameOf } from './names.ts';

/** Any UUID form; `z.uuid()` would check version bits and refuse other makers' ids. */
export const id = named('Id', z.guid());
/** No year 0, in times and in days: the database knows none. */
const hasYear = (said: string) => !said.startsWith('0000');
const TIMES =
  'give a time, 2026-11-16T09:00:00Z; a day, 2026-11-16; yesterday, today, tomorrow; or a span, 7d, 24h';
export const time = named('Time', z.iso.datetime(TIMES).refine(hasYear, 'the year can’t be 0'));
export const date = named(
  'Day',
  z.iso
    .date('give a day, 2026-11-16; yesterday, today, tomorrow; or a span, 7d')
    .refine(hasYear, 'the year can’t be 0'),
);
/**
 * A time, or the beginning of a day in UTC. There is no year 0: the database knows none. Entry points also take `yesterday`
 * and `7d` (kernel/spoken-time.ts).
 */
export const moment = z
  .union([time, date.transform((day) => `${day}T00:00:00Z`)], TIMES)
  .refine(hasYear, 'the year can’t be 0');
/** Counted in 32 bits, as the database keeps it. */
export const revision = named('Revision', z.int().min(1).max(2_147_483_647));

export const SEEN_IN = 'x-seen-in';

/** The `seen` of what was read before this act: another one is refused with 409. `operation` is what answers with it (kernel/seen.ts). */
export const seenIn = (operation: string) =>
  z
    .string()
    .min(1)
    .max(80)
    .optional()
    .meta({
      [SEEN_IN]: operation,
      description: `The seen value that ${operation} returned: the act is refused with 409 if something changed since.`,
    });

export const text = (max: number) => z.string().trim().min(1).max(max);

/** `limit` and `cursor` of every list: at most 200 rows, 50 where nothing is said. */
export const page = {
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().max(400).optional(),
};

type ListOf<T extends z.ZodType> = z.ZodObject<{
  items: z.ZodArray<T>;
  next_cursor: z.ZodNullable<z.ZodString>;
}>;

const lists = new WeakMap<z.ZodType, z.ZodType>();

/** One schema for all lists of an item; `ListOf…` where the item has a name. */
export function listOf<T extends z.ZodType>(item: T): ListOf<T> {
  const known = lists.get(item);
  if (known) return known as ListOf<T>;
  const list = z.object({ items: z.array(item), next_cursor: z.string().nullable() });
  lists.set(item, list);
  const name = nameOf(item);
  return name === undefined ? list : named(`ListOf${name}`, list);
}

export const principal = z.object({
  kind: z.enum(['person', 'agent', 'service', 'system']),
  id: z.string(),
  name: z.string(),
  /** The person for whom an agent acts. */
  on_behalf_of: z.object({ kind: z.literal('person'), id: z.string(), name: z.string() }).exactOptional(),
});
named('Principal', principal);

/** A name as people write it. */
export const personName = text(120);

/** An address as it is typed; it is normalised before it is compared or stored beside `email`. */
export const email = named('Email', z.email().max(254));

export const done = named('Done', z.object({ ok: z.literal(true) }));
