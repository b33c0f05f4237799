// A running instance for a test file: the product whole, on a database of its own, listening on loopback, with a clock that
// the test moves. Tests speak to it as the outside does: by REST with a cookie or a token, and by MCP.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import type postgres from 'postgres';
import { expect } from 'vitest';
import { openInstance, type RunningInstance } from '../../src/instance.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { Parsed } from '../../src/kernel/database.ts';
import type { LimitTable } from '../../src/kernel/limits.ts';
import type { Trace } from '../../src/kernel/trace.ts';
import { readAllowedHosts } from '../../src/net/switches.ts';
import type { Lookup } from '../../src/net/resolve.ts';
import { keyOfText } from '../../src/store/seal.ts';
import { freshDatabase, type FreshDatabase } from './database.ts';
import './passwords.ts';
import { freePort } from './server.ts';

export type Answer = { status: number; body: any; headers: Headers };
export type ToolAnswer = { isError: boolean; text: string; json: any };

export type RestClient = {
  rest(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
};

export type PersonClient = RestClient & {
  id: string;
  name: string;
  email: string;
  password: string;
  cookie: string;
};

export type TokenClient = RestClient & {
  id: string;
  name: string;
  value: string;
  /** One JSON-RPC call; the parsed answer. */
  rpc(method: string, params?: unknown): Promise<any>;
  tool(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
};

export type TokenWishes = {
  name?: string;
  mode?: 'user' | 'service';
  user_id?: string;
  policies?: string[];
  expires_in?: number;
  scopes?: { wire?: boolean; scripts?: boolean };
};

export type PersonWishes = {
  name?: string;
  email?: string;
  admin?: boolean;
  policies?: string[];
  projects?: string[] | null;
};

export type MovableClock = Clock & { advance(ms: number): void };

export type TestApp = {
  url: string;
  instance: RunningInstance;
  clock: MovableClock;
  sql: postgres.Sql<Parsed>;
  /** The provisioning key of this instance. */
  key: string;
  /** The first administrator, signed in. */
  admin: PersonClient;
  person(wishes?: PersonWishes): Promise<PersonClient>;
  token(wishes?: TokenWishes): Promise<TokenClient>;
  /** A client with any Authorization header, or none. */
  bearer(value: string | null): TokenClient;
  signIn(email: string, password: string, code?: string): Promise<Answer & { cookie: string | null }>;
  close(): Promise<void>;
};

const ROOT = join(import.meta.dirname, '../..');
const PASSWORD = 'correct horse battery';

export type AppOptions = {
  setUp?: boolean;
  name?: string;
  origins?: string[];
  screens?: string | null;
  /** Where names resolve to; nothing, where nothing is said: no test asks the network. */
  lookup?: Lookup;
  /** A name server of the test's own, for what mail asks; where nothing is said no one answers. */
  dnsServer?: string;
  /** SERVICE_EVENTS_ALLOW_PRIVATE */
  allowPrivate?: boolean;
  /** SERVICE_ALLOW_PRIVATE_HOSTS: where mail servers of a test may be. */
  allowHosts?: string;
  /** SERVICE_MAIL_CA_FILE: what is in it. */
  mailCa?: string[];
  /** SERVICE_BASE_URL: what links in letters begin with; `own` is the address that it listens on. */
  baseUrl?: string;
  /** SERVICE_SENDING and SERVICE_DEVELOPMENT; letters may go where nothing is said. */
  sending?: { enabled: boolean; development: boolean };
  /** Passes wake by themselves; where nothing is said they run by `instance.jobs.run`. */
  passes?: boolean;
  /** A database that another instance is on too; it is not dropped with this one. */
  database?: FreshDatabase;
  masterKey?: Buffer;
  log?: Logger;
  /** SERVICE_RATE_LIMITS */
  limits?: LimitTable;
  /** Where spans go. */
  trace?: Trace;
};

export async function openTestApp(wishes: AppOptions = {}): Promise<TestApp> {
  const database = wishes.database ?? (await freshDatabase());
  const clock = movableClock();
  const key = `key-${randomBytes(12).toString('hex')}`;
  const port = wishes.baseUrl ? await freePort() : 0;
  const instance = await openInstance({
    name: wishes.name ?? 'test',
    version: '0.0.0',
    base_url: wishes.baseUrl === 'own' ? `http://127.0.0.1:${port}` : (wishes.baseUrl ?? null),
    host: '127.0.0.1',
    port,
    origins: wishes.origins ?? [],
    database: database.options,
    migrations: join(ROOT, 'migrations'),
    master_key: wishes.masterKey ?? keyOfText(`test ${database.options.database}`),
    provisioning_key: key,
    api_document: join(ROOT, 'openapi.json'),
    screens: wishes.screens ?? null,
    outside: {
      lookup: wishes.lookup ?? (async () => []),
      dns: { servers: [wishes.dnsServer ?? '127.0.0.1:9'] },
      events: { allowPrivate: wishes.allowPrivate ?? false },
      hosts: { allowedHosts: readAllowedHosts(wishes.allowHosts ?? '') },
      mail_ca: wishes.mailCa ?? [],
    },
    sending: wishes.sending ?? { enabled: true, development: false },
    ...(wishes.limits && { limits: wishes.limits }),
    ...(wishes.trace && { trace: wishes.trace }),
    passes: wishes.passes ? 'by_themselves' : 'when_told',
    clock,
    log: wishes.log ?? pino({ level: process.env['TEST_LOG'] ?? 'error' }),
  });
  const url = wishes.baseUrl ? `http://127.0.0.1:${port}` : instance.address;
  const app = {
    url,
    instance,
    clock,
    key,
    sql: instance.pools.writer,
    bearer: (value: string | null) => tokenClient(url, value, { id: '', name: '' }),
    signIn: (email: string, password: string, code?: string) =>
      signIn(url, { email, password, ...(code && { code }) }),
    async close() {
      await instance.close();
      if (!wishes.database) await database.drop();
    },
  } as unknown as TestApp;
  let count = 0;
  app.person = (person = {}) =>
    invitePerson(app, { name: `Person ${++count}`, email: `person${count}@example.com`, ...person });
  app.token = (token = {}) => mint(app, { name: `token-${++count}`, mode: 'user', ...token });
  if (wishes.setUp !== false) app.admin = await setUp(app);
  return app;
}

/** Real time, moved forward by what the test says; never stopped, so that newer rows stay newer. */
function movableClock(): MovableClock {
  let movedMs = 0;
  return {
    now: () => new Date(Date.now() + movedMs),
    advance(ms) {
      movedMs += ms;
    },
  };
}

async function setUp(app: TestApp): Promise<PersonClient> {
  const email = 'ada@example.com';
  const answer = await call(app.url, 'POST', '/api/auth/setup', {
    key: app.key,
    name: 'Ada Operator',
    email,
    password: PASSWORD,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return personClient(app.url, answer.body.user.id, 'Ada Operator', email, cookieOf(answer) ?? '');
}

/** As the first administrator, who says again that it is them where the clock was moved past their step-up. */
async function asAdmin(app: TestApp, method: string, path: string, body: unknown): Promise<Answer> {
  const answer = await app.admin.rest(method, path, body);
  if (answer.body.error?.code !== 'step_up_required') return answer;
  await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
  return app.admin.rest(method, path, body);
}

async function invitePerson(app: TestApp, wishes: PersonWishes): Promise<PersonClient> {
  const { name = '', email = '', admin, policies, projects } = wishes;
  const invited = await asAdmin(app, 'POST', '/api/admin/users/invite', {
    email,
    name,
    ...(admin && { admin }),
    ...(policies && { policies }),
  });
  expect(invited.status, JSON.stringify(invited.body)).toBe(201);
  const token = String(invited.body.link).split('/').at(-1);
  const accepted = await call(app.url, 'POST', '/api/auth/accept-invite', {
    token,
    name,
    password: PASSWORD,
  });
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
  const person = personClient(app.url, accepted.body.user.id, name, email, cookieOf(accepted) ?? '');
  if (projects !== undefined) {
    const narrowed = await asAdmin(app, 'PATCH', `/api/admin/users/${person.id}`, { projects });
    expect(narrowed.status, JSON.stringify(narrowed.body)).toBe(200);
  }
  return person;
}

async function mint(app: TestApp, wishes: TokenWishes): Promise<TokenClient> {
  const minted = await asAdmin(app, 'POST', '/api/admin/tokens', wishes);
  expect(minted.status, JSON.stringify(minted.body)).toBe(201);
  const { token, value } = minted.body;
  return tokenClient(app.url, value, token);
}

async function signIn(url: string, body: unknown): Promise<Answer & { cookie: string | null }> {
  const answer = await call(url, 'POST', '/api/auth/login', body);
  return { ...answer, cookie: cookieOf(answer) };
}

function personClient(url: string, id: string, name: string, email: string, cookie: string): PersonClient {
  const rest: RestClient['rest'] = (method, path, body, headers) =>
    call(url, method, path, body, { cookie, origin: url, ...headers });
  return { id, name, email, password: PASSWORD, cookie, rest };
}

function tokenClient(
  url: string,
  value: string | null,
  { id, name }: { id: string; name: string },
): TokenClient {
  const authorization: Record<string, string> = value === null ? {} : { authorization: `Bearer ${value}` };
  const rpc = async (method: string, params?: unknown): Promise<any> =>
    (
      await call(
        url,
        'POST',
        '/mcp',
        { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) },
        authorization,
      )
    ).body;
  return {
    id,
    name,
    value: value ?? '',
    rpc,
    rest: (method, path, body, headers) => call(url, method, path, body, { ...authorization, ...headers }),
    async tool(tool, args = {}) {
      const answer = await rpc('tools/call', { name: tool, arguments: args });
      expect(answer.error, JSON.stringify(answer)).toBeUndefined();
      const text: string = answer.result.content[0].text;
      return { isError: answer.result.isError === true, text, json: parsed(text) };
    },
  };
}

async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  return { status: answer.status, body: parsed(await answer.text()), headers: answer.headers };
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const cookieOf = (answer: Answer): string | null => answer.headers.getSetCookie()[0]?.split(';')[0] ?? null;
