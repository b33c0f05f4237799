// Parses once, at the entry point: turns input into typed arguments, or into one 400 that names every bad field.
import type { z } from 'zod';
import { invalid, Refusal } from './refusal.ts';

type Issue = z.core.$ZodIssue;

/** Levels of nesting, and values in all, that arguments may have whatever their schema says: what walks them is recursive, and takes time. */
const DEEPEST = 32;
const MOST_VALUES = 10_000;
/** Bad fields that one answer names. */
const MOST_NAMED = 100;

/** Parses, or throws a Refusal `invalid` whose sentence names every bad field and whose `details.fields` lists them. */
export function parseArguments<T extends z.ZodObject>(schema: T, given: unknown): z.output<T> {
  demandModest(given, DEEPEST, { left: MOST_VALUES });
  const parsed = schema.safeParse(given ?? {});
  if (!parsed.success) {
    const stray = parsed.error.issues.some(
      ({ code, path }) => code === 'unrecognized_keys' && path.length === 0,
    );
    const refused = refusalNaming(parsed.error.issues.flatMap(namedFaults));
    throw stray ? listing(refused, Object.keys(schema.shape)) : refused;
  }
  const unfit = Object.entries(given ?? {}).filter(([, value]) => holdsUnstorable(value));
  if (unfit.length === 0) return parsed.data;
  const says = unfit.map(([name]) => [name, `${name} contains a NUL or an unpaired surrogate`] as const);
  throw invalid(says.map(([, sentence]) => sentence).join('; '), Object.fromEntries(says));
}

/** Refuses before the schema is asked: it looks at every value, and names every one that is wrong. */
function demandModest(value: unknown, levels: number, values: { left: number }): void {
  if (--values.left < 0) throw invalid(`the arguments contain more than ${MOST_VALUES} values`);
  if (typeof value !== 'object' || value === null) return;
  if (levels < 0) throw invalid(`the arguments are nested deeper than ${DEEPEST} levels`);
  for (const inner of Object.values(value)) demandModest(inner, levels - 1, values);
}

/** Text that PostgreSQL takes in no text or jsonb column, and would answer with a fault. */
function holdsUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => holdsUnstorable(key) || holdsUnstorable(inner));
}

/** Whoever used a name that is not there is told those that are: as many as fit, and all of them in the details. */
function listing(refused: Refusal, names: string[]): Refusal {
  let list = '';
  for (const name of names) {
    const longer = list === '' ? name : `${list}, ${name}`;
    if (refused.sentence.length + longer.length > LISTED_CHARS) break;
    list = longer;
  }
  const left = names.length - (list === '' ? 0 : list.split(', ').length);
  const says = left === 0 ? list : `${list}, …${left} more`;
  if (left > 0 && left * 2 >= names.length) return refused;
  const all = names.length === 0 ? 'it takes no arguments' : `arguments: ${says}`;
  return new Refusal(refused.status, refused.code, `${refused.sentence} (${all})`, {
    ...refused.details,
    arguments: names,
  });
}

/** A refusal is shorter than 300 characters, with the words around the list. */
const LISTED_CHARS = 265;

/** One sentence however many faults there are, and the first hundred by name. */
export function refusalNaming(faults: [name: string, says: string][]): Refusal {
  // A Map: a stray key may be called __proto__ or constructor, and is named like any other.
  const fields = new Map<string, string>();
  let all = 0;
  for (const [name, says] of faults) {
    if (fields.has(name)) continue;
    all += 1;
    if (all <= MOST_NAMED) fields.set(name, says);
  }
  const shown: string[] = [];
  for (const says of fields.values()) {
    if (shown.join('; ').length + says.length > 260) break;
    shown.push(says);
  }
  const left = all - shown.length;
  return invalid(
    left > 0 ? `${shown.join('; ')}; and ${left} more` : shown.join('; '),
    Object.fromEntries(fields),
  );
}

function namedFaults(issue: Issue): [name: string, says: string][] {
  const name = keepable(issue.path.map(String).join('.'));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const full = name ? `${name}.${clipped(key)}` : clipped(key);
      return [full, `there is no argument "${full}"`];
    });
  if (name === '')
    return [
      ['body', issue.code === 'invalid_type' ? 'the arguments must be one JSON object' : issue.message],
    ];
  if (issue.message.startsWith(`${name} `)) return [[name, issue.message]];
  return [[clipped(name), `${clipped(name)}: ${missing(issue) ? 'it is missing' : plain(issue)}`]];
}

const missing = (issue: Issue): boolean => issue.message.endsWith('received undefined');

const UNITS: Record<string, [one: string, more: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

/** The library's own sentences about length, choice and ids in everyday words; any other only loses its capital. */
function plain(issue: Issue): string {
  const { code, message } = issue;
  if (code === 'too_small' && message.startsWith('Too small: '))
    return issue.minimum === 1 && issue.origin in UNITS
      ? 'it can’t be empty'
      : bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
  if (code === 'too_big' && message.startsWith('Too big: '))
    return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
  if (code === 'invalid_value' && issue.values.length > 1 && message.startsWith('Invalid option: '))
    return `it must be one of ${issue.values.map(String).join(', ')}`;
  if (message === 'Invalid GUID') return 'it must be an id';
  return message.replace(/^Invalid input: /, '').replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());
}

function bound(origin: string, than: string, limit: number | bigint): string {
  const [one, more] = UNITS[origin] ?? [];
  return more
    ? `it must have ${than} ${limit} ${Number(limit) === 1 ? one : more}`
    : `it must be ${than} ${limit}`;
}

/** Names of stray keys are the caller's own text: they are shown, but never at length, and without what no table keeps. */
export const clipped = (name: string): string => keepable(name.length > 60 ? `${name.slice(0, 60)}…` : name);

/** Control characters and halves of a letter become a mark: a sentence that holds one could not be written down. */
export const keepable = (text: string): string => text.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD');
