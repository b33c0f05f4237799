// Names of schemas in the API document (/openapi.json). A named schema appears there once and is referenced elsewhere. Generated
// clients name their types after it.
import { z } from 'zod';

const byName = new Map<string, z.ZodType>();
const byNames = new WeakMap<z.ZodType, string>();

/** Gives the schema itself. Throws where the name is another schema's, or the schema has another name. */
export function named<T extends z.ZodType>(name: string, schema: T): T {
  if ((byName.get(name) ?? schema) !== schema) throw new Error(`two schemas are named ${name}`);
  if ((byNames.get(schema) ?? name) !== name)
    throw new Error(`a schema is named ${byNames.get(schema)} and ${name}`);
  byName.set(name, schema);
  byNames.set(schema, name);
  return schema;
}

export const nameOf = (schema: z.ZodType): string | undefined => byNames.get(schema);

/** All named schemas, and one more under a name of its own: what `z.toJSONSchema` takes for a whole document. */
export function registryWith(name: string, schema: z.ZodType): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>();
  for (const [id, each] of byName) registry.add(each, { id });
  return registry.add(schema, { id: name });
}
