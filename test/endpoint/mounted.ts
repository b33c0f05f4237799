// The endpoint behind the product's own edge, with tools and resources of a test in place of the features'. It needs no
// database, so it serves what is about the wire alone.
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { unauthorized } from '../../src/doors/credentials.ts';
import { mountEndpoint, openEdge } from '../../src/doors/edge.ts';
import { openEndpoint } from '../../src/doors/mcp/endpoint.ts';
import { openShelf, type Shelf } from '../../src/doors/mcp/shelf.ts';
import { openToolbox, type Toolbox } from '../../src/doors/mcp/toolbox.ts';
import { routerOf } from '../../src/doors/router.ts';
import type { Caller } from '../../src/kernel/caller.ts';
import type { Ground } from '../../src/kernel/ground.ts';
import { NO_TRACE } from '../../src/kernel/trace.ts';
import type { House } from '../../src/kernel/house.ts';
import type { Bound } from '../../src/kernel/scene.ts';
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

export async function mount(toolbox: Toolbox, shelf: Shelf): Promise<Mounted> {
  const log = quiet();
  const { app } = await openEdge({ base_url: 'http://127.0.0.1:1', host: '127.0.0.1', origins: [], log });
  const identify = async ({ headers }: { headers: { authorization?: string } }): Promise<Caller> => {
    if (headers.authorization !== `Bearer ${BEARER}`) throw unauthorized();
    return agent;
  };
  mountEndpoint(
    app,
    openEndpoint({ name: 'dunnock:mounted', instructions: '', toolbox, shelf, identify, log }),
  );
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
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

/** A house of these operations and tools alone, without a ground: nothing of it writes. */
export function houseOf(bound: Bound[], tools: Tool[] = []): House {
  const ground: Ground = {
    reader: null as never,
    long: { run: (_who, work) => work(null as never), pieces: (_who, _db, pieces) => pieces },
    transact: async (work) => work(null as never, () => undefined),
    inOneStatement: async (work) => work(null as never),
    audit: async () => undefined,
    emit: async () => '',
    tell: () => undefined,
    takeKey: async () => null,
    keepAnswer: async () => undefined,
    heard: async () => undefined,
  };
  // The doors ask for no more of a house than this.
  const parts: Partial<House> = {
    features: [],
    bound: new Map(bound.map((each) => [each.operation.name, each])),
    operations: bound.map(({ operation }) => operation),
    tools: new Map(tools.map((each) => [each.name, each])),
    resources: [],
    instance: { name: 'mounted', base_url: 'http://127.0.0.1:1', version: '0' },
    clock: { now: () => new Date() },
    ground,
    sealer: { seal: (plain) => plain, open: (sealed) => sealed, key: (purpose) => new Secret(purpose) },
    newsroom: { follow: async function* () {} },
    limits: { of: () => null, take: async () => null },
    trace: NO_TRACE,
    reads: { note: () => undefined },
    failures: { record: async () => undefined, close: async () => undefined },
    log: quiet(),
  };
  return parts as House;
}

/** The product's own tools and shelf over such a house. */
export function mountHouse(house: House, resources: Resource[] = []): Promise<Mounted> {
  return mount(openToolbox(house, routerOf(house.operations)), openShelf(house, resources));
}
