// Another party on loopback: a tool server behind a sign-in of its own, as the protocol has it, whose tokens end soon, whose
// refresh tokens are good once (a second use takes the whole grant away), and which a test makes behave badly.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type StubTool = { name: string; description: string; inputSchema: object; annotations?: object };

export type ToolServer = {
  url: string;
  tools: StubTool[];
  /** What a called tool answers. */
  answers: (name: string, args: Record<string, unknown>, response: ServerResponse) => unknown;
  /** Seconds that an access token is good for. */
  lastsS: number;
  /** What the sign-in says of itself instead of the truth. */
  lies: { authorization_server?: string; iss?: string; resource?: string };
  /** What its published description says instead; undefined leaves a name out. */
  metadata: Record<string, unknown>;
  /** Answers in place of the server or its sign-in; null lets the request through. */
  instead: ((request: { path: string; form: URLSearchParams }) => Instead | null) | null;
  /** The path at which it says who protects it. */
  describedAt: string;
  /** Clients that registered; a sign-in of one that is not among them ends on a page of an error. */
  clients: Set<string>;
  /** How long a renewal takes: long enough that calls beside it would come with the same token. */
  renewalMs: number;
  /** Merged into every answer of tokens. */
  grants: Record<string, unknown>;
  /** Refreshes that came, and whether one came with a token that was used before. */
  refreshes: number;
  stolen: boolean;
  /** Every Authorization header that came. */
  bearers: Set<string>;
  calls: number;
  /** Makes every access token worth nothing. */
  expire(): void;
  close(): Promise<void>;
};

/**
 * `reset` breaks the connection off; `drip` sends a space now and then, `headers` headers, for ever; `silence` says nothing.
 */
export type Instead =
  | { status: number; body: string; headers?: Record<string, string> }
  | 'reset'
  | 'drip'
  | 'silence'
  | 'headers';

/** Someone else's sign-in in place of the one here. */
export type SignIn = {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  takes(token: string): Promise<boolean>;
};

type Grant = { challenge: string; redirect_uri: string; scope: string };

export async function openToolServer(signIn?: (origin: string) => SignIn): Promise<ToolServer> {
  const codes = new Map<string, Grant>();
  const access = new Set<string>();
  const fresh = new Set<string>();
  const used = new Set<string>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const other = signIn?.(origin);
  const stub: ToolServer = {
    url: `${origin}/mcp`,
    tools: [],
    answers: (name) => ({ content: [{ type: 'text', text: `done: ${name}` }] }),
    lastsS: 3_600,
    lies: {},
    metadata: {},
    instead: null,
    describedAt: '/.well-known/oauth-protected-resource/mcp',
    clients: new Set(),
    renewalMs: 150,
    grants: {},
    refreshes: 0,
    stolen: false,
    bearers: new Set(),
    calls: 0,
    expire: () => access.clear(),
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  const grant = (): object => {
    const [token, refresh] = [`at-${randomUUID()}`, `rt-${randomUUID()}`];
    access.add(token);
    fresh.add(refresh);
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: stub.lastsS,
      refresh_token: refresh,
      scope: 'tools',
      ...stub.grants,
    };
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const json = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    };
    if (other && url.pathname !== '/mcp' && !url.pathname.startsWith('/.well-known/oauth-protected-resource'))
      return other.handle(request, response);
    const body = await textOf(request);
    const instead = stub.instead?.({ path: url.pathname, form: new URLSearchParams(body) }) ?? null;
    if (instead !== null) return answerInstead(instead, request, response);
    if (url.pathname === stub.describedAt)
      return json(200, {
        resource: stub.lies.resource ?? stub.url,
        authorization_servers: [stub.lies.authorization_server ?? origin],
        scopes_supported: ['tools'],
      });
    if (url.pathname === '/.well-known/oauth-authorization-server')
      return json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
        ...stub.metadata,
      });
    if (url.pathname === '/register') {
      const client_id = `client-${randomUUID()}`;
      stub.clients.add(client_id);
      return json(201, { ...(JSON.parse(body) as object), client_id });
    }
    if (url.pathname === '/authorize') {
      const asked = (name: string): string => url.searchParams.get(name) ?? '';
      // No one is sent back on behalf of a client that is not known.
      if (!stub.clients.has(asked('client_id'))) return json(400, { error: 'invalid_client' });
      const code = `code-${randomUUID()}`;
      codes.set(code, {
        challenge: asked('code_challenge'),
        redirect_uri: asked('redirect_uri'),
        scope: asked('scope'),
      });
      const back = new URL(asked('redirect_uri'));
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked('state'));
      back.searchParams.set('iss', stub.lies.iss ?? origin);
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    if (url.pathname === '/token') {
      const form = new URLSearchParams(body);
      if (form.get('grant_type') === 'refresh_token') {
        stub.refreshes += 1;
        const given = form.get('refresh_token') ?? '';
        if (used.has(given)) {
          stub.stolen = true;
          access.clear();
          fresh.clear();
        }
        if (!fresh.delete(given)) return json(400, { error: 'invalid_grant' });
        used.add(given);
        await new Promise((done) => setTimeout(done, stub.renewalMs));
        return json(200, grant());
      }
      const found = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (!found || found.challenge !== proof || found.redirect_uri !== form.get('redirect_uri'))
        return json(400, { error: 'invalid_grant' });
      return json(200, grant());
    }
    if (url.pathname !== '/mcp') return json(404, {});
    if (request.method !== 'POST') return json(405, {});
    const authorization = request.headers.authorization ?? '';
    stub.bearers.add(authorization);
    const token = authorization.replace(/^Bearer /, '');
    if (!(other ? await other.takes(token) : access.has(token)))
      return json(
        401,
        {},
        {
          'www-authenticate': `Bearer resource_metadata="${origin}${stub.describedAt}"`,
        },
      );
    const message = JSON.parse(body) as {
      id?: number;
      method: string;
      params?: { name: string; arguments?: object };
    };
    if (message.id === undefined) return void response.writeHead(202).end();
    const say = (result: unknown): void => json(200, { jsonrpc: '2.0', id: message.id, result });
    if (message.method === 'initialize')
      return say({
        protocolVersion: '2025-03-26',
        capabilities: { tools: {} },
        serverInfo: { name: 'stub', version: '1' },
      });
    if (message.method === 'tools/list') return say({ tools: stub.tools });
    if (message.method === 'tools/call') {
      stub.calls += 1;
      const { name = '', arguments: args = {} } = message.params ?? {};
      const result = stub.answers(name, args as Record<string, unknown>, response);
      if (result !== undefined) say(result);
      return;
    }
    json(200, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no such method' } });
  }
  return stub;
}

function answerInstead(instead: Instead, request: IncomingMessage, response: ServerResponse): void {
  if (instead === 'silence') return;
  if (instead === 'reset') return void request.socket.destroy();
  if (instead === 'headers') {
    request.socket.write('HTTP/1.1 200 OK\r\n');
    const more = setInterval(() => request.socket.write('X-More: 1\r\n'), 50);
    return void request.socket.on('close', () => clearInterval(more)).on('error', () => undefined);
  }
  if (instead !== 'drip') return void response.writeHead(instead.status, instead.headers).end(instead.body);
  response.writeHead(200, { 'content-type': 'application/json' });
  const drip = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(drip));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
