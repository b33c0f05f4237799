// Parse once, at the door: turns what came in into typed arguments, or into one 400 that names every bad field.
import type { z } from 'zod';
import { invalid, type Refusal } from './refusal.ts';

type Issue = z.core.$ZodIssue;

/** Parses, or throws a Refusal `invalid` whose sentence names every bad field and whose `details.fields` lists them. */
export function parseArguments<T extends z.ZodObject>(schema: T, given: unknown): z.output<T> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  throw refusalOf(parsed.error.issues);
}

export function refusalOf(issues: Issue[]): Refusal {
  const fields: Record<string, string> = {};
  for (const issue of issues) for (const [name, says] of namedFaults(issue)) fields[name] ??= says;
  const all = Object.values(fields);
  const shown: string[] = [];
  for (const says of all) {
    if (shown.join('; ').length + says.length > 260) break;
    shown.push(says);
  }
  const left = all.length - shown.length;
  return invalid(left > 0 ? `${shown.join('; ')}; and ${left} more` : shown.join('; '), fields);
}

function namedFaults(issue: Issue): [name: string, says: string][] {
  const name = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const full = name ? `${name}.${clipped(key)}` : clipped(key);
      return [full, `there is no argument "${full}"`];
    });
  if (name === '') return [['body', issue.code === 'invalid_type' ? 'the arguments must be one JSON object' : issue.message]];
  if (issue.message.startsWith(`${name} `)) return [[name, issue.message]];
  return [[clipped(name), `${clipped(name)}: ${missing(issue) ? 'it is missing' : plain(issue.message)}`]];
}

const missing = (issue: Issue): boolean => issue.message.endsWith('received undefined');

/** The library's own sentences are short and plain; they only lose their capital. */
const plain = (message: string): string => message.replace(/^Invalid input: /, '').replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());

/** Names of stray keys are the caller's own text: they are shown, but never at length. */
const clipped = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name);
