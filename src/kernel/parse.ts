// Parse once, at the door: turns what came in into typed arguments, or into one 400 that names every bad field.
import type { z } from 'zod';
import { invalid, type Refusal } from './refusal.ts';

type Issue = z.core.$ZodIssue;

/** Parses, or throws a Refusal `invalid` whose sentence names every bad field and whose `details.fields` lists them. */
export function parseArguments<T extends z.ZodObject>(schema: T, given: unknown): z.output<T> {
  const parsed = schema.safeParse(given ?? {});
  if (!parsed.success) throw refusalOf(parsed.error.issues);
  const faults = Object.entries(given ?? {}).flatMap(([name, value]) => {
    const says = unfit(value, DEEPEST);
    return says === null ? [] : [[name, `${name} ${says}`] as const];
  });
  if (faults.length === 0) return parsed.data;
  throw invalid(faults.map(([, says]) => says).join('; '), Object.fromEntries(faults));
}

/** Levels of nesting that an argument may have, whatever its schema says: what walks it afterwards is recursive. */
const DEEPEST = 32;

/** Why no argument may hold this, or null: PostgreSQL takes neither in a text or jsonb column, and would answer with a fault. */
function unfit(value: unknown, levels: number): string | null {
  if (typeof value === 'string')
    return value.includes('\0') || !value.isWellFormed()
      ? 'holds a NUL or half a character, which no text may'
      : null;
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return `is nested deeper than ${DEEPEST} levels`;
  for (const [key, inner] of Object.entries(value)) {
    const says = unfit(key, levels) ?? unfit(inner, levels - 1);
    if (says !== null) return says;
  }
  return null;
}

export function refusalOf(issues: Issue[]): Refusal {
  // A Map: a stray key may be called __proto__ or constructor, and is named like any other.
  const fields = new Map<string, string>();
  for (const issue of issues)
    for (const [name, says] of namedFaults(issue)) if (!fields.has(name)) fields.set(name, says);
  const all = [...fields.values()];
  const shown: string[] = [];
  for (const says of all) {
    if (shown.join('; ').length + says.length > 260) break;
    shown.push(says);
  }
  const left = all.length - shown.length;
  return invalid(
    left > 0 ? `${shown.join('; ')}; and ${left} more` : shown.join('; '),
    Object.fromEntries(fields),
  );
}

function namedFaults(issue: Issue): [name: string, says: string][] {
  const name = issue.path.map(String).join('.');
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
  return [[clipped(name), `${clipped(name)}: ${missing(issue) ? 'it is missing' : plain(issue.message)}`]];
}

const missing = (issue: Issue): boolean => issue.message.endsWith('received undefined');

/** The library's own sentences are short and plain; they only lose their capital. */
const plain = (message: string): string =>
  message.replace(/^Invalid input: /, '').replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());

/** Names of stray keys are the caller's own text: they are shown, but never at length. */
const clipped = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name);
