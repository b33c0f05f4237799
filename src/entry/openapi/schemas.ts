// The schemas of the API document: of all operations at once and once for each direction, so that what is named
// (kernel/names.ts) is under components and everywhere else as a reference. What is read otherwise than it is written (a
// default, a transformed text) is two components, the one that is sent with `Input` behind its name.
import { z } from 'zod';
import { registryWith } from '../../kernel/names.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { errorBody } from '../errors.ts';

export type Json = Record<string, unknown>;

/** What one operation takes or gives, as JSON Schema; references lead to components. */
type OfOperations = ReadonlyMap<string, Json>;

export type Schemas = { takes: OfOperations; gives: OfOperations; components: Record<string, Json> };

type Direction = { of: OfOperations; named: Map<string, Json> };

const TO = '#/components/schemas/';

export function schemasOf(operations: readonly AnyOperation[]): Schemas {
  const input = emitted(operations, 'takes');
  const output = emitted(operations, 'gives');
  const asInput = renaming(namesOfTwo(input, output));
  const components = new Map(output.named);
  for (const [name, schema] of input.named) components.set(asInput.name(name), asInput.within(schema));
  return {
    takes: new Map([...input.of].map(([name, schema]) => [name, asInput.within(schema)])),
    gives: output.of,
    components: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const ALL = 'the operations';
/** No operation's name: what any of them may answer instead. */
const REFUSED = 'a refusal';

function emitted(operations: readonly AnyOperation[], side: 'takes' | 'gives'): Direction {
  const each = Object.fromEntries(operations.map((op) => [op.name, op[side]]));
  const all = z.object({ ...each, ...(side === 'gives' && { [REFUSED]: errorBody }) });
  const { schemas } = z.toJSONSchema(registryWith(ALL, all), {
    io: side === 'takes' ? 'input' : 'output',
    unrepresentable: 'any',
    uri: (name) => `${TO}${name}`,
    override: ({ zodSchema, jsonSchema }) => sayingLess(zodSchema, jsonSchema),
  }) as { schemas: Record<string, Json> };
  if (schemas['__shared']) throw new Error('a schema that holds itself needs a name: kernel/names.ts');
  const of = (schemas[ALL] as { properties: Record<string, Json> }).properties;
  return { of: new Map(Object.entries(of)), named: reachable(schemas, of) };
}

/** Whole numbers are safe ones, keys are text; and an answer may have more tomorrow than it has today. */
function sayingLess(schema: z.core.$ZodTypes, json: z.core.JSONSchema.BaseSchema): void {
  const { def } = schema._zod;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (def.type === 'object' && !def.catchall) delete json.additionalProperties;
  // A format says it in one word; the pattern behind it is up to 250 characters that no client and no model reads.
  if (json.format !== undefined) delete json.pattern;
  if (JSON.stringify(json.propertyNames) === '{"type":"string"}') delete json.propertyNames;
}

/** Named schemas that the operations come to, without what they say of themselves as documents of their own. */
function reachable(schemas: Record<string, Json>, from: unknown): Map<string, Json> {
  const found = new Map<string, Json>();
  const follow = (value: unknown): void => {
    for (const name of namesIn(value)) {
      if (found.has(name)) continue;
      const { $schema: _, $id: __, ...schema } = schemas[name] as Json;
      found.set(name, schema);
      follow(schema);
    }
  };
  follow(from);
  return found;
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner.slice(TO.length)] : namesIn(inner),
  );
}

/** Names that represent one thing when sent and for another when answered, by themselves or by what they hold. */
function namesOfTwo(input: Direction, output: Direction): Set<string> {
  const both = [...input.named.keys()].filter((name) => output.named.has(name));
  const two = new Set(
    both.filter((name) => JSON.stringify(input.named.get(name)) !== JSON.stringify(output.named.get(name))),
  );
  for (let before = -1; before !== two.size;) {
    before = two.size;
    for (const name of both)
      if (namesIn(input.named.get(name)).some((inner) => two.has(inner))) two.add(name);
  }
  return two;
}

function renaming(two: ReadonlySet<string>): { name(name: string): string; within(schema: Json): Json } {
  const name = (said: string): string => (two.has(said) ? `${said}Input` : said);
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) =>
        key === '$ref' && typeof inner === 'string'
          ? [key, `${TO}${name(inner.slice(TO.length))}`]
          : [key, within(inner)],
      ),
    );
  };
  return { name, within: (schema) => within(schema) as Json };
}
