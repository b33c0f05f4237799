// The path gate against the whole table of paths, and against paths that no one thought of.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { OK, operation, type AnyOperation } from '../../kernel/operation.ts';
import * as says from '../../kernel/sentences.ts';
import { routerOf } from '../router.ts';
import { METHODS } from './request-tools.ts';
import { pathGate } from './path-gate.ts';

type Case = {
  id: string;
  tool: 'api_request' | 'admin_request' | 'resource';
  method?: string;
  path?: unknown;
  verdict: string;
  class: string;
  alt?: string;
  why: string;
};

const cases = JSON.parse(
  readFileSync(new URL('../../../test/cases/path-cases.json', import.meta.url), 'utf8'),
) as Case[];

const SENTENCE_OF: Record<string, string> = {
  canonical: says.PATH_NOT_CANONICAL,
  argument: says.PATH_NOT_CANONICAL,
  outside_api: says.PATH_OUTSIDE_API,
  admin_reach: says.PATH_OUTSIDE_ADMIN,
  chat: says.CHAT_STREAMS,
  events: says.EVENTS_STREAM,
  attach: says.ATTACH_STREAMS,
  run_events: says.RUN_EVENTS_STREAM,
  mcp: says.NO_API_MCP,
};

describe('the path gate admits and refuses as the table says', () => {
  const told = cases.filter((each) => each.tool !== 'resource' && each.class !== 'method');
  test.each(told)(
    '$id: $tool $method $path ($why)',
    ({ tool, method = 'GET', path, verdict, class: expected }) => {
      const given = pathGate(tool as 'api_request', method, path);
      if (verdict === 'admit') expect(given).toEqual({ admitted: true, path });
      else expect(given).toEqual({ admitted: false, sentence: SENTENCE_OF[expected] });
    },
  );
});

test('a path of more than 2,048 characters is refused, and a very long one in linear time', () => {
  expect(pathGate('api_request', 'GET', `/api/${'a'.repeat(2_044)}`).admitted).toBe(false);
  expect(pathGate('api_request', 'GET', `/api/${'a.'.repeat(2_000_000)}!`).admitted).toBe(false);
});

describe('random strings never reach an operation whose path differs from the given one byte for byte', () => {
  const declared = [
    '/api/work/items',
    '/api/work/items/:item_id',
    '/api/work/projects/:project/board',
    '/api/admin/users/invite',
    '/api/admin/users/:user',
    '/api/inbox',
  ] as const;
  const operations: AnyOperation[] = declared.flatMap((path) =>
    METHODS.map((method) =>
      operation({
        name: `${method}_${path}`,
        says: '',
        method,
        path,
        takes: z.object({}),
        gives: z.object({}),
        example: {},
        effect: 'read',
        needs: { open: '' },
        who: 'anyone',
        step_up: 'no',
        wire: 'never',
        answers: OK,
      }),
    ),
  );
  const router = routerOf(operations);
  const pieces = fc.constantFrom(
    '/',
    '//',
    'api',
    'work',
    'items',
    'admin',
    'users',
    'invite',
    'inbox',
    '..',
    '.',
    '%2e',
    '%2F',
    '?',
    '#',
    ';',
    '\\',
    'A',
    'é',
    '\u0000',
    ' ',
    '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  );
  const path = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.array(pieces, { maxLength: 8 }).map((parts) => `/api/${parts.join('/')}`),
  );
  test.each(['api_request', 'admin_request'] as const)('%s', (tool) => {
    fc.assert(
      fc.property(path, fc.constantFrom(...METHODS), (given, method) => {
        const verdict = pathGate(tool, method, given);
        if (!verdict.admitted) return;
        const route = router.resolve(method, verdict.path);
        if ('allowed' in route) return;
        const rebuilt = route.operation.path.replace(
          /:([a-z_]+)/g,
          (_, key: string) => route.params[key] ?? '',
        );
        expect(rebuilt).toBe(given);
      }),
      { numRuns: 20_000 },
    );
  });
});
