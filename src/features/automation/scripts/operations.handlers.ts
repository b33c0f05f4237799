// Operations that scripts may call, with their arguments in plain words.
import { z } from 'zod';
import type { AnyOperation } from '../../../kernel/operation.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { bind } from '../../../kernel/context.ts';
import { scriptOperations, type ScriptOperation } from './contract.ts';
import { isClosedToScripts } from './rules.ts';

const known = new WeakMap<readonly AnyOperation[], ScriptOperation[]>();

export const operations = bind(scriptOperations, async ({ app }, { query = '', limit, cursor }) => {
  const all = known.get(app.operations) ?? described(app.operations);
  known.set(app.operations, all);
  const behind = keyIn(cursor, () => z.tuple([z.string().max(100)]))?.[0] ?? '';
  const words = query.toLowerCase().split(/[\s_]+/u);
  const found = all.filter(({ name, says }) => {
    const text = `${name} ${says}`.toLowerCase();
    return name > behind && words.every((word) => text.includes(word));
  });
  return pageOf(found, limit, ({ name }) => [name]);
});

const described = (all: readonly AnyOperation[]): ScriptOperation[] =>
  all
    .filter((op) => !isClosedToScripts(op))
    .map((op) => ({
      name: op.name,
      says: op.says,
      effect: op.effect,
      wire: op.wire !== 'never',
      arguments: argumentsOf(op),
      example: op.example as Record<string, unknown>,
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
};

function argumentsOf(op: AnyOperation): ScriptOperation['arguments'] {
  const { properties = {}, required = [] } = z.toJSONSchema(op.takes, {
    io: 'input',
    unrepresentable: 'any',
  });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: clipped(wordOf(schema as Schema)),
    required: required.includes(name),
  }));
}

const LONGEST = 120;
const clipped = (words: string): string =>
  words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words;

function wordOf({ type, enum: values, const: value, anyOf, oneOf, items }: Schema): string {
  if (value !== undefined) return JSON.stringify(value);
  if (values) return values.map((each) => JSON.stringify(each)).join(' | ');
  const ways = anyOf ?? oneOf;
  if (ways) return [...new Set(ways.map(wordOf))].join(' | ');
  if (type === 'array') return `list of ${items ? wordOf(items) : 'anything'}`;
  return Array.isArray(type) ? type.join(' | ') : type === 'object' ? 'table' : (type ?? 'anything');
}
