// The JSON Schema of a tool's arguments, in the part of the language that every client and model provider maps: one type at
// a place, and no schema that says nothing. What it leaves out the parser still holds; each key here is paid for by every
// model at every start.
import { z } from 'zod';

type Json = Record<string, unknown>;

export function portableSchema(takes: z.ZodObject): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(takes, { io: 'input', unrepresentable: 'any' });
  return portable(schema) as Json;
}

function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, inner]) => !saysNothing(key, inner));
  const { type, ...rest } = Object.fromEntries(kept.map(([key, inner]) => [key, portable(inner)])) as Json;
  if (Array.isArray(type)) return { ...rest, anyOf: type.map((each: unknown) => ({ type: each })) };
  return type === undefined ? rest : { type, ...rest };
}

/** The names of any object are strings, whole numbers are safe ones, and anything goes where nothing is said. */
function saysNothing(key: string, value: unknown): boolean {
  if (key === 'propertyNames') return JSON.stringify(value) === '{"type":"string"}';
  if (key === 'additionalProperties') return JSON.stringify(value) === '{}';
  return value === Number.MIN_SAFE_INTEGER || value === Number.MAX_SAFE_INTEGER;
}
