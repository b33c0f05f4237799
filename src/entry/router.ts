// One table of routes for every entry point that takes a path: REST, the request tools and resources resolve to the same operation.
// The table is case-sensitive and knows no slash tricks; a path that is not canonical reaches nothing.
import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { AnyOperation, Method } from '../kernel/operation.ts';

const SEGMENT = '[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*';
const CANONICAL = new RegExp(`^(?:/${SEGMENT})+$`);
const LONGEST_PATH = 2_048;

/** Segments of letters, digits, `-` and `_`, dots only inside a segment, at most 2,048 characters (domain.md §4). */
export function isCanonical(path: string): boolean {
  return path.length <= LONGEST_PATH && CANONICAL.test(path);
}

/** One id in a path or in a resource's URI. */
export function isSegment(text: string): boolean {
  return isCanonical(`/${text}`) && !text.includes('/');
}

export type Route = { operation: AnyOperation; params: Record<string, string> };

export type Router = {
  /** The operation at method and path, byte for byte, or the methods that this path does have (none: no such path). */
  resolve(method: string, path: string): Route | { allowed: Method[] };
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function routerOf(operations: AnyOperation[]): Router {
  const table = findMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: false,
    ignoreDuplicateSlashes: false,
    maxParamLength: LONGEST_PATH,
  });
  for (const op of operations) table.on(op.method, op.path, () => undefined, op);
  const find = (method: string, path: string): Route | null => {
    const found = table.find(method as HTTPMethod, path);
    return found
      ? { operation: found.store as AnyOperation, params: found.params as Record<string, string> }
      : null;
  };
  return {
    resolve(method, path) {
      if (!isCanonical(path)) return { allowed: [] };
      return find(method, path) ?? { allowed: METHODS.filter((each) => find(each, path) !== null) };
    },
  };
}
