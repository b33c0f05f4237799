// The clients that people have, unchanged, against a running instance: the official SDK in both its generations and the
// inspector's strict mode, with a static bearer and without any OAuth.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { commandOf, run } from './program.ts';

const INSPECTOR_MS = 60_000;
const BOARD = 'service://work/OUT/board';

let app: TestApp;
let bearer: string;

beforeAll(async () => {
  app = await openTestApp();
  bearer = (await app.token()).value;
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});

afterAll(() => app.close());

/** What both generations of the SDK have in common. */
type Connected = Pick<
  Client1,
  | 'listTools'
  | 'listResources'
  | 'listResourceTemplates'
  | 'ping'
  | 'getServerVersion'
  | 'getInstructions'
  | 'close'
> & {
  callTool(call: { name: string; arguments: object }): Promise<unknown>;
  readResource(read: { uri: string }): Promise<{ contents: unknown[] }>;
};

const identity = { name: 'a client', version: '1' };
const requestInit = () => ({ headers: { Authorization: `Bearer ${bearer}` } });

const generations: [string, (token?: string) => Promise<Connected>][] = [
  [
    'SDK 1.x',
    async () => {
      const client = new Client1(identity);
      await client.connect(new Transport1(new URL(`${app.url}/mcp`), { requestInit: requestInit() }));
      return client as unknown as Connected;
    },
  ],
  [
    'SDK 2.x',
    async () => {
      const client = new Client2(identity);
      await client.connect(new Transport2(new URL(`${app.url}/mcp`), { requestInit: requestInit() }));
      return client as unknown as Connected;
    },
  ],
];

describe.each(generations)('the official %s', (_, connect) => {
  let client: Connected;

  beforeAll(async () => {
    client = await connect();
  });

  afterAll(() => client.close());

  test('connects with a static bearer, and knows who answers', () => {
    expect(client.getServerVersion()).toEqual({ name: 'dunnock:test', version: '1' });
    expect(client.getInstructions()).toContain('Dunnock');
  });

  test('lists the tools and the resources', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['api_request', 'work_search']));
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('service://campaigns');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      'service://work/{project}/board',
    );
  });

  test('calls a tool, and is told of a refusal by a result', async () => {
    const found = await client.callTool({ name: 'work_search', arguments: { project: 'OUT' } });
    expect(found).toMatchObject({ content: [{ type: 'text', text: '{"items":[],"next_cursor":null}' }] });
    const refused = await client.callTool({ name: 'approval_decide', arguments: {} });
    expect(refused).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  });

  test('reads a resource, and is told of one that there is not', async () => {
    expect((await client.readResource({ uri: BOARD })).contents).toMatchObject([
      { uri: BOARD, mimeType: 'application/json' },
    ]);
    await expect(client.readResource({ uri: 'service://nothing' })).rejects.toMatchObject({ code: -32_002 });
  });

  test('pings', async () => {
    await expect(client.ping()).resolves.toEqual({});
  });
});

test.each([
  ['SDK 1.x', (url: URL) => new Client1(identity).connect(new Transport1(url))],
  ['SDK 2.x', (url: URL) => new Client2(identity).connect(new Transport2(url))],
])('the official %s without a bearer fails at once, and says why', async (_, connect) => {
  await expect(connect(new URL(`${app.url}/mcp`))).rejects.toThrow(/unauthorized|401/i);
});

describe('the inspector', () => {
  let home: string;

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'dunnock-inspector-'));
  });

  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const inspect = (...what: string[]) => {
    const inspector = commandOf(
      import.meta.resolve('@modelcontextprotocol/inspector/package.json'),
      'mcp-inspector',
    );
    const how = [
      '--cli',
      `${app.url}/mcp`,
      '--transport',
      'http',
      '--header',
      `Authorization: Bearer ${bearer}`,
    ];
    return run(inspector, [...how, ...what], { cwd: home, home });
  };

  test(
    'finds no error and no warning in the tools, read strictly',
    async () => {
      const { status, stdout, stderr } = await inspect('--method', 'tools/list', '--strict');
      expect([status, stderr], stdout).toEqual([0, '']);
      expect((JSON.parse(stdout) as { tools: unknown[] }).tools.length).toBeGreaterThan(2);
    },
    INSPECTOR_MS,
  );
});
