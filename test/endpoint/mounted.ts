// The endpoint behind the product's own edge, with tools and resources of a test in place of the features'. It needs no
// database, so it serves what is about the wire alone.
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { unauthorized } from '../../src/entry/credentials.ts';
import { mountEndpoint, openEdge } from '../../src/entry/edge.ts';
import { openEndpoint } from '../../src/entry/mcp/endpoint.ts';
import { openResources, type Resources } from '../../src/entry/mcp/resources.ts';
import { openTools, type Tools } from '../../src/entry/mcp/tools.ts';
import { routerOf } from '../../src/entry/router.ts';
import type { Caller } from '../../src/kernel/caller.ts';
import type { Database } from '../../src/kernel/database.ts';
import { NO_TRACE } from '../../src/kernel/trace.ts';
import type { App } from '../../src/kernel/app.ts';
import type { Bound } from '../../src/kernel/context.ts';
import { readProxies } from '../../src/net/switches.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { Resource, Tool } from '../../src/kernel/tool.ts';

export const BEARER = 'nck_of-the-test';

/** An agent with every right; who may do what is not what these tests are about. */
export const agent: Caller = {
  principal: { kind: 'service', id: '00000000-0000-7000-8000-000000000001', name: 'fixture' },
  turn: 'agent',
  surface: 'mcp',
  credential: {
    kind: 'token',
    id: '00000000-0000-7000-8000-000000000001',
    name: 'fixture',
    scopes: { wire: false, scripts: false },
    first_agent_turn_at: null,
  },
  user_id: null,
  rights: { admin: true, policies: [], projects: null },
};

const quiet = () => pino({ level: process.env['TEST_LOG'] ?? 'fatal' });

export type Mounted = { url: string; close(): Promise<void> };

export async function mount(toolbox: Tools, shelf: Resources): Promise<Mounted> {
  const log = quiet();
  const { server } = await openEdge({
    base_url: 'http://127.0.0.1:1',
    host: '127.0.0.1',
    origins: [],
    is_proxy: readProxies(''),
    log,
  });
  const identify = async ({ headers }: { headers: { authorization?: string } }): Promise<Caller> => {
    if (headers.authorization !== `Bearer ${BEARER}`) throw unauthorized();
    return agent;
  };
  mountEndpoint(
    server,
    openEndpoint({ name: 'dunnock:mounted', instructions: '', toolbox, shelf, identify, log }),
  );
  return { url: await server.listen({ host: '127.0.0.1', port: 0 }), close: () => server.close() };
}

/** Hands every request on as it is, Host and Origin included, and adds the bearer that a client cannot send itself. */
export async function addBearer(target: string, bearer: string): Promise<Mounted> {
  const { hostname, port } = new URL(target);
  const proxy: Server = createServer((asked, answered) => {
    const headers = { ...asked.headers, authorization: `Bearer ${bearer}` };
    const inner = send({ hostname, port, path: asked.url, method: asked.method, headers }, (answer) => {
      answered.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(answered);
    });
    inner.on('error', () => answered.destroy());
    asked.pipe(inner);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** An app of these operations and tools alone, without a database: nothing of it writes. */
export function appOf(bound: Bound[], tools: Tool[] = []): App {
  const database: Database = {
    reader: null as never,
    long: { run: (_who, work) => work(null as never), pieces: (_who, _db, pieces) => pieces },
    transact: async (work) => work(null as never, () => undefined),
    inOneStatement: async (work) => work(null as never),
    audit: async () => undefined,
    emit: async () => '',
    tell: () => undefined,
    takeKey: async () => null,
    keepAnswer: async () => undefined,
    keptAnswer: async () => null,
    heard: async () => undefined,
  };
  // The entry points ask for no more of an app than this.
  const parts: Partial<App> = {
    features: [],
    bound: new Map(bound.map((each) => [each.operation.name, each])),
    operations: bound.map(({ operation }) => operation),
    tools: new Map(tools.map((each) => [each.name, each])),
    resources: [],
    byName: [],
    instance: { name: 'mounted', base_url: 'http://127.0.0.1:1', version: '0' },
    clock: { now: () => new Date() },
    database,
    sealer: { seal: (plain) => plain, open: (sealed) => sealed, key: (purpose) => new Secret(purpose) },
    changeFeed: { follow: async function* () {} },
    limits: { of: () => null, take: async () => null },
    trace: NO_TRACE,
    reads: { note: () => undefined },
    failures: { record: async () => undefined, close: async () => undefined },
    log: quiet(),
  };
  return parts as App;
}

/** The product's own tools and shelf over such an app. */
export function mountApp(app: App, resources: Resource[] = []): Promise<Mounted> {
  return mount(openTools(app, routerOf(app.operations)), openResources(app, resources));
}
