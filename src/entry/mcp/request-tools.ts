// api_request and admin_request: a REST call in-process, as the calling token on an agent's turn. The path resolves to an
// operation; no inner URL is ever built, so there is nothing to parse a second time.
import { z } from 'zod';
import type { Caller } from '../../kernel/caller.ts';
import type { App } from '../../kernel/app.ts';
import { invoke } from '../../kernel/invoke.ts';
import { withLinks } from '../../kernel/open-at.ts';
import { brief, FIELDS, fieldsIn, isList, withFields } from '../../kernel/lean.ts';
import { invalid, Refusal } from '../../kernel/refusal.ts';
import type { RequestFacts } from '../../kernel/context.ts';
import { noRoute } from '../../kernel/route-finder.ts';
import * as says from '../../kernel/sentences.ts';
import { understood } from '../../kernel/understood.ts';
import { joinArguments } from '../arguments.ts';
import type { Router } from '../router.ts';
import { pathGate, type RequestTool } from './path-gate.ts';
import { named, told } from './repeated.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The largest JSON body a request tool sends, in bytes of its compact form. */
const BODY_BYTES = 1_048_576;

export const requestArguments = z.strictObject({
  method: z.enum(METHODS),
  path: z.string(),
  query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  body: z.record(z.string(), z.unknown()).optional(),
  /** A repeated call with this key and the same arguments gets the first answer. */
  key: z.string().optional(),
});

/** A refusal of the tool itself (path, query, method, size, stream): its sentence is alone, without an HTTP status. */
export class ToolRefusal extends Refusal {
  constructor(sentence: string) {
    super(400, 'invalid', sentence);
  }
}

/** The route's answer as JSON text; a Refusal is thrown by the route, a ToolRefusal by the tool. */
export async function requestRoute(
  app: App,
  router: Router,
  tool: RequestTool,
  caller: Caller,
  given: Record<string, unknown>,
  facts: RequestFacts,
): Promise<string> {
  const stray = Object.keys(given).filter((key) => !Object.hasOwn(requestArguments.shape, key));
  if (stray.length > 0)
    throw new ToolRefusal(
      `there is no argument "${stray.slice(0, 5).join('", "').slice(0, 100)}": ${tool} takes method, path, query, body and key`,
    );
  const { method } = given;
  if (!METHODS.some((each) => each === method)) throw new ToolRefusal(says.METHOD_NOT_ONE_OF);
  const verdict = pathGate(tool, method as string, given['path']);
  if (!verdict.admitted) throw new ToolRefusal(verdict.sentence);
  const asked = flatQuery(given['query']);
  const body = jsonBody(method as string, given['body']);
  const route = router.resolve(method as string, verdict.path);
  if ('allowed' in route) throw notServed(app, method as string, verdict.path, route.allowed);
  const { operation, params } = route;
  if (!('json' in operation.answers)) throw new ToolRefusal(operation.answers.instead);
  const fields = isList(operation) ? asked.find(([key]) => key === FIELDS)?.[1] : undefined;
  const query = fields === undefined ? asked : asked.filter(([key]) => key !== FIELDS);
  const outcome = await invoke(
    app,
    operation,
    caller,
    () => {
      if (fields !== undefined) fieldsIn(operation, fields);
      return understood(app, operation, caller, joinArguments(operation, { params, query, body }));
    },
    {
      ...facts,
      ...(given['key'] !== undefined && operation.effect !== 'read' && named(caller, given['key'])),
    },
  );
  const lean =
    fields === undefined
      ? brief(operation, outcome.answer)
      : withFields(outcome.answer, fieldsIn(operation, fields));
  return JSON.stringify(told({ ...outcome, answer: withLinks(app.instance, lean) }));
}

function flatQuery(query: unknown): [string, string][] {
  if (query === undefined) return [];
  const plain = (value: unknown): boolean =>
    ['string', 'boolean'].includes(typeof value) || (typeof value === 'number' && Number.isFinite(value));
  if (typeof query !== 'object' || query === null || Array.isArray(query))
    throw new ToolRefusal(says.QUERY_NOT_FLAT);
  const entries = Object.entries(query);
  if (!entries.every(([, value]) => plain(value))) throw new ToolRefusal(says.QUERY_NOT_FLAT);
  return entries.map(([key, value]) => [key, String(value)]);
}

function jsonBody(method: string, body: unknown): unknown {
  if (body === undefined || body === null) return undefined;
  if (typeof body !== 'object' || Array.isArray(body)) throw invalid('body must be one JSON object');
  if (method === 'GET') throw new ToolRefusal('a GET request can’t have a body: put its parameters in query');
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes > BODY_BYTES) throw new ToolRefusal(says.bodyTooLarge(bytes));
  return body;
}

function notServed(app: App, method: string, path: string, allowed: string[]): Refusal {
  if (allowed.length === 0) return noRoute(app.operations, method, path);
  const short = path.length > 120 ? `${path.slice(0, 120)}…` : path;
  return new Refusal(405, 'invalid', `${short} doesn’t support ${method}: it supports ${allowed.join(', ')}`);
}
