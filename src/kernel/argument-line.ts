// The arguments of an operation on one compact line: `item_id* id, status* backlog|todo|done, note text`. Models pay for every
// character. A star marks a required argument; long choices are cut, and patterns are left out.
import { z } from 'zod';
import type { AnyOperation } from './operation.ts';
import { page } from './shapes.ts';

type Schema = {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
};

/** One argument: its name, the whole of what the line says of it, and whether a call without it is refused. */
export type ArgumentWord = { name: string; says: string; required: boolean };

const known = new WeakMap<AnyOperation, ArgumentWord[]>();

/** The required ones first; `limit` and `cursor`, which every list takes, are not among them. */
export function argumentWords(op: AnyOperation): ArgumentWord[] {
  const made = known.get(op);
  if (made) return made;
  const { properties = {}, required = [] } = z.toJSONSchema(op.takes, {
    io: 'input',
    unrepresentable: 'any',
  });
  const words = Object.entries(properties)
    .filter(([name]) => op.takes.shape[name] !== page.limit && op.takes.shape[name] !== page.cursor)
    .map(([name, schema]) => {
      const isRequired = required.includes(name);
      return {
        name,
        says: `${name}${isRequired ? '*' : ''} ${wordOf(schema as Schema)}`,
        required: isRequired,
      };
    })
    .toSorted((a, b) => Number(b.required) - Number(a.required));
  known.set(op, words);
  return words;
}

/** The line in at most `chars`; what does not fit is counted. Required arguments are never left out. */
export function argumentLine(op: AnyOperation, chars: number): string {
  const words = argumentWords(op);
  const shown: string[] = [];
  let length = 0;
  for (const { says, required } of words) {
    length += says.length + 2;
    if (!required && length > chars) break;
    shown.push(says);
  }
  const left = words.length - shown.length;
  return [...shown, ...(left > 0 ? [`…${left} more`] : [])].join(', ');
}

const FORMATS: Record<string, string> = { uuid: 'id', 'date-time': 'time', date: 'day', email: 'address' };
const TYPES: Record<string, string> = { string: 'text', integer: 'int', boolean: 'bool', null: '' };
/** Of a choice, in characters: longer ones are cut. */
const LONGEST_CHOICE = 60;

function wordOf({ type, format, enum: values, const: value, anyOf, oneOf, items }: Schema): string {
  if (value !== undefined) return JSON.stringify(value).replaceAll('"', '');
  if (values) return choice(values.map(String));
  const ways = anyOf ?? oneOf;
  if (ways) return choice([...new Set(ways.map(wordOf).filter(Boolean))]);
  if (type === 'array') return `[${items ? wordOf(items) : ''}]`;
  if (Array.isArray(type)) return choice(type.map((each) => TYPES[each] ?? each).filter(Boolean));
  return (format !== undefined && FORMATS[format]) || (type === undefined ? 'any' : (TYPES[type] ?? type));
}

function choice(values: string[]): string {
  const shown = values.filter((_, at) => values.slice(0, at + 1).join('|').length <= LONGEST_CHOICE);
  return shown.length === values.length ? values.join('|') : `${shown.join('|')}|…`;
}
