// Deadlines of the endpoint, waited for in full.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { OK, operation } from '../../src/kernel/operation.ts';
import { bind } from '../../src/kernel/context.ts';
import { READ_TOO_SLOW } from '../../src/kernel/sentences.ts';
import { READS, tool } from '../../src/kernel/tool.ts';
import { BEARER, appOf, mountApp, type Mounted } from '../endpoint/mounted.ts';
import { agentOf, type Agent } from '../endpoint/speak.ts';

const SECOND_MS = 1_000;
/** The edge looks at its deadlines every two seconds. */
const SLACK_MS = 4 * SECOND_MS;

const never = operation({
  name: 'answer_await',
  says: 'Never answers.',
  method: 'GET',
  path: '/api/never',
  takes: z.strictObject({}),
  gives: z.object({}),
  example: {},
  effect: 'read',
  needs: { open: 'a fixture' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

const await_answer = tool({
  name: 'await_answer',
  title: 'Await an answer',
  says: 'Never answers.',
  hints: READS,
  takes: z.strictObject({}),
  example: {},
  calls: [never],
  pick: () => ({ operation: never, arguments: {} }),
});

let mounted: Mounted;
let agent: Agent;

beforeAll(async () => {
  const bound = bind(never, () => new Promise<Record<string, never>>(() => undefined));
  mounted = await mountApp(appOf([bound], [await_answer]));
  agent = agentOf(mounted.url, BEARER);
});

afterAll(() => mounted.close());

/** How long a connection lives on which this is said and then a byte a second, and what it was told. */
function drip(says: string): Promise<{ afterMs: number; told: string }> {
  const { hostname, port } = new URL(mounted.url);
  const started = performance.now();
  return new Promise((resolve) => {
    let told = '';
    const socket = connect(Number(port), hostname, () => socket.write(says));
    const dripping = setInterval(() => socket.write('a'), SECOND_MS);
    socket.setEncoding('utf8').on('data', (part: string) => (told += part));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(dripping);
      resolve({ afterMs: performance.now() - started, told });
    });
  });
}

const HEAD = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${BEARER}\r\nContent-Type: application/json\r\n`;

test.concurrent(
  'D8: headers that drip are cut off after ten seconds',
  { timeout: 20_000 },
  async ({ expect: says }) => {
    const { afterMs, told } = await drip(`${HEAD}X-Slow: `);
    says(told).toMatch(/^HTTP\/1\.1 408 /);
    says(afterMs).toBeGreaterThan(9 * SECOND_MS);
    says(afterMs).toBeLessThan(10 * SECOND_MS + SLACK_MS);
  },
);

test.concurrent(
  'D8: a body that drips is cut off after thirty seconds',
  { timeout: 40_000 },
  async ({ expect: says }) => {
    const { afterMs, told } = await drip(`${HEAD}Content-Length: 1000\r\n\r\n{`);
    says(told).not.toContain(' 200 ');
    says(afterMs).toBeGreaterThan(29 * SECOND_MS);
    says(afterMs).toBeLessThan(30 * SECOND_MS + SLACK_MS);
  },
);

test.concurrent(
  'E5: a route that never ends is abandoned after thirty seconds',
  { timeout: 40_000 },
  async ({ expect: says }) => {
    const started = performance.now();
    says(await agent.tool('api_request', { method: 'GET', path: '/api/never' })).toEqual({
      isError: true,
      text: READ_TOO_SLOW,
    });
    says(performance.now() - started).toBeLessThan(32 * SECOND_MS);
  },
);

test.concurrent(
  'a named tool answers before its clients give up, at sixty seconds',
  { timeout: 65_000 },
  async ({ expect: says }) => {
    const started = performance.now();
    const { isError, text } = await agent.tool('await_answer', {});
    says([isError, text]).toEqual([true, says.stringContaining('within 50 seconds') as string]);
    says(performance.now() - started).toBeLessThan(55 * SECOND_MS);
  },
);

test('what is slow holds no one up', async () => {
  expect((await agent.call('ping')).result).toEqual({});
});
