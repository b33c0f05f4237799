// The whole table of paths and queries through the entry points of a running instance: whatever is refused is refused in the exact
// sentence of its class, and what is admitted never meets the gate. The pure gate has the same table beside it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as says from '../../src/kernel/sentences.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { agentOf, type Agent } from './speak.ts';

type Case = {
  id: string;
  tool: 'api_request' | 'admin_request' | 'resource';
  method?: string;
  path?: unknown;
  uri?: unknown;
  verdict: 'admit' | 'refuse';
  class: string;
  why: string;
};

type QueryCase = {
  id: string;
  query?: unknown;
  queryJson?: string;
  verdict: 'admit' | 'refuse';
  why: string;
};

const table = <T>(name: string): T[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../cases', name), 'utf8')) as T[];

const paths = table<Case>('path-cases.json');
const queries = table<QueryCase>('query-cases.json');

/** Not a Map of the gate's own: the sentence that represents a class is stated here once more. */
const SENTENCES: Record<string, string> = {
  canonical: says.PATH_NOT_CANONICAL,
  argument: says.PATH_NOT_CANONICAL,
  outside_api: says.PATH_OUTSIDE_API,
  admin_reach: says.PATH_OUTSIDE_ADMIN,
  chat: says.CHAT_STREAMS,
  events: says.EVENTS_STREAM,
  attach: says.ATTACH_STREAMS,
  run_events: says.RUN_EVENTS_STREAM,
  mcp: says.NO_API_MCP,
  method: says.METHOD_NOT_ONE_OF,
};

const GATE = new Set(Object.values(SENTENCES));

let app: TestApp;
let agent: Agent;

beforeAll(async () => {
  app = await openTestApp();
  agent = agentOf(app.url, (await app.token()).value);
});

afterAll(() => app.close());

describe.each(['api_request', 'admin_request'] as const)('%s', (tool) => {
  const told = paths.filter((each) => each.tool === tool);

  test.each(told.filter(({ verdict }) => verdict === 'refuse'))(
    '$id: $method $path is refused as $class ($why)',
    async ({ method = 'GET', path, class: expected }) => {
      const { isError, text } = await agent.tool(tool, { method, path });
      expect({ isError, text }).toEqual({ isError: true, text: SENTENCES[expected] });
    },
  );

  test.each(told.filter(({ verdict }) => verdict === 'admit'))(
    '$id: $method $path passes the gate ($why)',
    async ({ method = 'GET', path }) => {
      const { isError, text } = await agent.tool(tool, { method, path });
      expect(GATE).not.toContain(text);
      // What has passed is answered by a route: by its JSON, or by HTTP with a status, and never by a fault.
      if (isError) expect(text).toMatch(/^HTTP 4\d\d: /);
      else expect(() => JSON.parse(text) as unknown).not.toThrow();
    },
  );
});

describe('resources/read', () => {
  const told = paths.filter((each) => each.tool === 'resource');

  test.each(told)('$id: $uri is $class ($why)', async ({ uri, class: expected }) => {
    const { result, error } = await agent.call('resources/read', { uri });
    if (expected === 'argument') expect(error?.code).toBe(-32_602);
    else if (expected === 'no_resource')
      expect(error).toEqual({ code: -32_002, message: `no resource named "${String(uri)}"` });
    // A listed one is served, or is absent because its route answered 404: never any other error.
    else if (result) expect(result.contents).toMatchObject([{ uri, mimeType: 'application/json' }]);
    else expect(error).toEqual({ code: -32_002, message: `no resource named "${String(uri)}"` });
  });
});

describe('query', () => {
  test.each(queries)('$id: $verdict ($why)', async ({ query, queryJson, verdict }) => {
    const given = queryJson ?? JSON.stringify(query);
    const { text } = await agent.tool('api_request', `{"method":"GET","path":"/api/me","query":${given}}`);
    if (verdict === 'refuse') expect(text).toBe(says.QUERY_NOT_FLAT);
    else expect(text).toBe(unknownTo(JSON.parse(given) as object) ?? text);
  });

  /** GET /api/me takes nothing: it names each key that reached it, so a key that became two would show. */
  function unknownTo(query: object): string | null {
    const named = Object.keys(query).map((key) => `there is no argument "${key}"`);
    return named.length === 0 ? null : `HTTP 400: ${named.join('; ')} (it takes no arguments)`;
  }
});

test('the table is whole: 267 paths of fifteen kinds, and 19 queries', () => {
  expect(new Set(paths.map((each) => `${each.tool} ${each.verdict} ${each.class}`)).size).toBe(15);
  expect(paths.length).toBe(267);
  expect(queries.length).toBe(19);
});

test('E1: no refused path reaches a route by any method', async () => {
  const refused = paths.filter(({ tool, verdict }) => tool !== 'resource' && verdict === 'refuse');
  // A write, and a refusal by a route, leave a row in the audit log; the gate alone leaves none.
  const before = await app.sql`select count(*)::int as rows from audit`;
  for (const { id, tool, method = 'GET', path, class: expected } of refused)
    for (const each of method === 'GET' ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : [method])
      expect([id, each, (await agent.tool(tool, { method: each, path })).text]).toEqual([
        id,
        each,
        SENTENCES[expected],
      ]);
  expect(await app.sql`select count(*)::int as rows from audit`).toEqual(before);
});
