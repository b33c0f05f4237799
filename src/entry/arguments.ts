// From what a path, a query and a body say to the flat arguments of one operation. A key may be given once; the text of a
// query is read as the type that the operation's schema states for it.
import { z } from 'zod';
import type { AnyOperation } from '../kernel/operation.ts';
import { clipped, refusalNaming } from '../kernel/parse.ts';
import { invalid } from '../kernel/refusal.ts';

export type Sources = { params: Record<string, string>; query: Iterable<[string, string]>; body: unknown };

/** Joins the three sources. Throws 400 where the body is no object, or a key is given twice. */
export function joinArguments(op: AnyOperation, { params, query, body }: Sources): Record<string, unknown> {
  const joined = new Map<string, unknown>();
  const twice = new Set<string>();
  const put = (key: string, value: unknown): void => {
    if (joined.has(key)) twice.add(key);
    joined.set(key, value);
  };
  for (const [key, value] of Object.entries(params)) put(key, value);
  for (const [key, value] of query) put(key, readText(kindsOf(op).get(key), value));
  if (body !== undefined && body !== null) {
    if (typeof body !== 'object' || Array.isArray(body)) throw invalid('the body must be one JSON object');
    for (const [key, value] of Object.entries(body)) put(key, value);
  }
  if (twice.size > 0)
    throw refusalNaming([...twice].map((key) => [clipped(key), `${clipped(key)} is given twice`]));
  // fromEntries makes own properties, so that a key like __proto__ stays a key and is refused as unknown.
  return Object.fromEntries(joined);
}

type Kind = { types: Set<string>; items: Kind | null };
type JsonSchema = {
  type?: string | string[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
};

const kinds = new WeakMap<AnyOperation, Map<string, Kind>>();

function kindsOf(op: AnyOperation): Map<string, Kind> {
  const known = kinds.get(op);
  if (known) return known;
  const schema = z.toJSONSchema(op.takes, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, JsonSchema>;
  };
  const made = new Map(Object.entries(schema.properties ?? {}).map(([key, each]) => [key, kindOf(each)]));
  kinds.set(op, made);
  return made;
}

function kindOf(schema: JsonSchema): Kind {
  const types = new Set<string>();
  let items: Kind | null = schema.items ? kindOf(schema.items) : null;
  for (const type of [schema.type ?? []].flat()) types.add(type);
  for (const value of schema.enum ?? []) types.add(typeof value);
  if (schema.const !== undefined) types.add(typeof schema.const);
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    const inner = kindOf(one);
    inner.types.forEach((type) => types.add(type));
    items ??= inner.items;
  }
  return { types, items };
}

/** Several values are comma-separated; a number or a boolean is read where the schema takes no text. */
function readText(kind: Kind | undefined, text: string): unknown {
  if (!kind || kind.types.has('string')) return text;
  if (kind.types.has('array'))
    return text === '' ? [] : text.split(',').map((one) => readText(kind.items ?? undefined, one));
  if ((kind.types.has('integer') || kind.types.has('number')) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text))
    return Number(text);
  if (kind.types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
