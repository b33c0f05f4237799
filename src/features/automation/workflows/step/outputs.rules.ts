// Outputs of each kind of step, as shapes: the response of its operation, or what its own kind returns. References
// are checked against them when a workflow is saved. Pure.
import { z } from 'zod';
import { BY_OPERATION, isOperationKind, type OperationKind, type OwnKind } from './kinds.rules.ts';

const OF_THEIR_OWN: Record<OwnKind, z.ZodObject> = {
  condition: z.object({ holds: z.boolean() }),
  http: z.object({ status: z.int(), body: z.unknown() }),
  tag: z.object({ person_id: z.string(), tags: z.array(z.string()) }),
  wait: z.object({ until: z.string() }),
  ask_person: z.object({ approved: z.boolean(), by: z.string(), note: z.string().nullable() }),
  notify: z.object({ users: z.array(z.string()) }),
};

export const outputOf = (kind: OperationKind | OwnKind): z.ZodType =>
  isOperationKind(kind) ? (BY_OPERATION[kind].gives as z.ZodType) : OF_THEIR_OWN[kind];

/** A shape without what only says whether it may be missing. */
function bare(shape: z.ZodType): z.ZodType {
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable || shape instanceof z.ZodDefault)
    return bare(shape.unwrap() as z.ZodType);
  return shape instanceof z.ZodReadonly ? bare(shape.unwrap() as z.ZodType) : shape;
}

const propertiesOf = (shape: z.ZodType): [string, z.ZodType][] => {
  if (shape instanceof z.ZodObject) return Object.entries(shape.shape as Record<string, z.ZodType>);
  return shape instanceof z.ZodUnion
    ? shape.options.flatMap((option) => propertiesOf(bare(option as z.ZodType)))
    : [];
};

/** Whether a path can lead to a value in an output of this shape. */
export function leadsSomewhere(shape: z.ZodType, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  const at = bare(shape);
  if (at instanceof z.ZodArray) return /^\d+$/.test(key) && leadsSomewhere(at.element as z.ZodType, rest);
  if (at instanceof z.ZodRecord) return leadsSomewhere(at.valueType as z.ZodType, rest);
  if (at instanceof z.ZodUnknown || at instanceof z.ZodAny) return true;
  return propertiesOf(at).some(([name, inner]) => name === key && leadsSomewhere(inner, rest));
}

/** Levels of names that a list of paths goes down. */
const DEEP = 2;

/** Paths to its plain values, such as `item.key`; a list or a record is named and not entered. */
export function pathsOf(shape: z.ZodType, deep = DEEP): string[] {
  const found = propertiesOf(bare(shape)).flatMap(([name, inner]) => {
    const below = deep > 1 ? pathsOf(inner, deep - 1) : [];
    return below.length > 0 ? below.map((path) => `${name}.${path}`) : [name];
  });
  return [...new Set(found)];
}
