// What the endpoint answers on the wire, case by case, on a running instance: each of these is what some client needs to
// connect and to stay connected.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOriginCheck } from '../../src/entry/origin-check.ts';
import { AGENT_DOES_NOT_DECIDE, UNAUTHORIZED, WIRE_REQUIRED } from '../../src/kernel/sentences.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { agentOf, ask, jsonOf, type Agent, type Asked } from './speak.ts';

const LISTED = 'https://desk.example';
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const MAX_BYTES = 1_572_864;

let app: TestApp;
let bearer: string;
let agent: Agent;
/** May do nothing: a service token without policies. */
let powerless: Agent;
let screens: string;

beforeAll(async () => {
  screens = mkdtempSync(join(tmpdir(), 'dunnock-screens-'));
  writeFileSync(join(screens, 'index.html'), '<!doctype html><title>the web app</title>');
  app = await openTestApp({ origins: [LISTED], screens });
  bearer = (await app.token()).value;
  agent = agentOf(app.url, bearer);
  powerless = agentOf(app.url, (await app.token({ mode: 'service' })).value);
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});

afterAll(async () => {
  await app.close();
  rmSync(screens, { recursive: true, force: true });
});

const authorized = (): Record<string, string> => ({
  authorization: `Bearer ${bearer}`,
  'content-type': 'application/json',
});

/** A well-formed ping with other headers or another target. */
const ping = (asked: Asked = {}) =>
  ask(app.url, { body: PING, ...asked, headers: { ...authorized(), ...asked.headers } });

const rowsOf = async (table: string): Promise<number> =>
  (await app.sql<{ rows: number }[]>`select count(*)::int as rows from ${app.sql(table)}`)[0]?.rows ?? -1;

describe('initialize', () => {
  const asked = [
    '2024-11-05',
    '2025-03-26',
    '2025-06-18',
    '2025-11-25',
    '2026-07-28',
    'nonsense',
    5,
    null,
    undefined,
  ];

  test.each(asked)('answers 2025-03-26 to a client that asks for %s', async (protocolVersion) => {
    const { result } = await agent.call('initialize', { protocolVersion, capabilities: {}, clientInfo: {} });
    expect(result).toEqual({
      protocolVersion: '2025-03-26',
      capabilities: { tools: { listChanged: false }, resources: {} },
      serverInfo: { name: 'dunnock:test', version: '1' },
      instructions: expect.any(String) as string,
    });
  });

  test('answers without params too', async () => {
    expect((await agent.call('initialize')).result?.['protocolVersion']).toBe('2025-03-26');
  });

  test('instructions say something, in at most 2,048 characters', async () => {
    const says = (await agent.call('initialize')).result?.['instructions'] as string;
    expect(says.length).toBeGreaterThan(200);
    expect(says.length).toBeLessThanOrEqual(2_048);
  });
});

describe('a message that wants no answer gets 202, an empty body, and runs nothing', () => {
  const create = '"params":{"name":"work_create","arguments":{"project":"OUT","title":"Never made"}}';
  test.each([
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    ['a call without id', `{"jsonrpc":"2.0","method":"tools/call",${create}}`],
    ['a notification of an unknown method', '{"jsonrpc":"2.0","method":"no/such"}'],
    ["a client's result", '{"jsonrpc":"2.0","id":7,"result":{}}'],
    ["a client's error", '{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}'],
  ])('%s', async (_, body) => {
    const before = [await rowsOf('work_items'), await rowsOf('audit')];
    const { status, text, headers } = await agent.post(body);
    expect([status, text, headers['content-type']]).toEqual([202, '', undefined]);
    expect([await rowsOf('work_items'), await rowsOf('audit')]).toEqual(before);
  });

  test('the same call with an id does run', async () => {
    const { isError } = await agent.tool('work_create', { project: 'OUT', title: 'Made' });
    expect(isError).toBe(false);
  });
});

describe('a method that is none of the seven is HTTP 200 with -32601 `method not supported`', () => {
  test.each([
    'server/discover',
    'prompts/list',
    'logging/setLevel',
    'completion/complete',
    'resources/subscribe',
    '__proto__',
    'constructor',
    'toString',
    'Tools/Call',
    'tools/call ',
    ' ping',
    '',
    'notifications/initialized',
  ])('%j', async (method) => {
    const { status, json } = await agent.post(JSON.stringify({ jsonrpc: '2.0', id: 'a', method }));
    expect(status).toBe(200);
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      error: { code: -32_601, message: 'method not supported' },
    });
  });
});

describe('what is not one request is HTTP 400 with -32600 and a null id, and none of it runs', () => {
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work_create","arguments":{"project":"OUT","title":"Never made"}}}`;
  test.each([
    ['a batch', `[${call},${call}]`],
    ['a batch of one', `[${call}]`],
    ['an empty array', '[]'],
    ['null', 'null'],
    ['a number', '5'],
    ['a string', '"ping"'],
    ['an empty object', '{}'],
    ['no jsonrpc', '{"id":1,"method":"ping"}'],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['a number for jsonrpc', '{"jsonrpc":2.0,"id":1,"method":"ping"}'],
    ['no method', '{"jsonrpc":"2.0","id":1}'],
    ['a method that is no string', '{"jsonrpc":"2.0","id":1,"method":["ping"]}'],
    ['a null method', '{"jsonrpc":"2.0","id":1,"method":null,"result":{}}'],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['a fraction for an id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'],
    ['a boolean for an id', '{"jsonrpc":"2.0","id":true,"method":"ping"}'],
    ['an object for an id', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ['an array for an id', '{"jsonrpc":"2.0","id":[1],"method":"ping"}'],
  ])('%s', async (_, body) => {
    const before = [await rowsOf('work_items'), await rowsOf('audit')];
    const { status, json } = await agent.post(body);
    expect(status).toBe(400);
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_600, message: expect.any(String) as string },
    });
    expect([await rowsOf('work_items'), await rowsOf('audit')]).toEqual(before);
  });
});

describe('what cannot be parsed is HTTP 400 with -32700 and a null id', () => {
  test.each([
    '',
    '{',
    'ping',
    '{"jsonrpc":"2.0","id":1,"method":"ping"} x',
    "{'jsonrpc':'2.0'}",
    '\ufeff{}',
    'NaN',
  ])('%j', async (body) => {
    const { status, json } = await agent.post(body);
    expect([status, json.id, json.error?.code]).toEqual([400, null, -32_700]);
  });
});

test.each(['"a"', '""', '0', '-1', '9007199254740991'])(
  'an id of %s is given back as it came',
  async (id) => {
    const { status, text } = await agent.post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    expect([status, text]).toEqual([200, `{"jsonrpc":"2.0","id":${id},"result":{}}`]);
  },
);

describe('a request whose params do not fit is HTTP 200 with -32602', () => {
  test.each([
    ['params an array', 'ping', '[]'],
    ['params null', 'ping', 'null'],
    ['params a string', 'tools/list', '"a"'],
    ['no tool named', 'tools/call', '{}'],
    ['a tool that does not exist', 'tools/call', '{"name":"no_such_tool"}'],
    ['a tool named __proto__', 'tools/call', '{"name":"__proto__"}'],
    ['a tool named constructor', 'tools/call', '{"name":"constructor"}'],
    ['a tool in capitals', 'tools/call', '{"name":"Work_Search"}'],
    ['a tool with a space after it', 'tools/call', '{"name":"work_search "}'],
    ['a tool named by an array', 'tools/call', '{"name":["work_search"]}'],
    ['arguments an array', 'tools/call', '{"name":"work_search","arguments":[]}'],
    ['arguments a string', 'tools/call', '{"name":"work_search","arguments":"{}"}'],
    ['arguments null', 'tools/call', '{"name":"work_search","arguments":null}'],
    ['no uri', 'resources/read', '{}'],
    ['a uri that is no string', 'resources/read', '{"uri":5}'],
  ])('%s', async (_, method, params) => {
    expect((await agent.call(method, params)).error?.code).toBe(-32_602);
  });

  test('arguments may be left out', async () => {
    expect((await agent.call('tools/call', { name: 'work_search' })).result?.isError).toBeUndefined();
  });
});

describe("a tool's refusal is a result with isError and the sentence, never a JSON-RPC error", () => {
  test('argument values that do not fit: one sentence names every bad one', async () => {
    const { isError, text } = await agent.tool('work_search', { limit: 'x', status: 'nope', color: 'red' });
    expect(isError).toBe(true);
    for (const name of ['limit', 'status', 'color']) expect(text).toContain(name);
    expect(text).not.toContain('\n');
  });

  test('an act that no agent does', async () => {
    expect(await agent.tool('approval_decide', { whatever: 1 })).toEqual({
      isError: true,
      text: AGENT_DOES_NOT_DECIDE,
    });
  });

  test('an act on the wire without the scope, through api_request and admin_request', async () => {
    const call = { method: 'POST', path: '/api/admin/users/invite', body: {} };
    const refused = { isError: true, text: `HTTP 403: ${WIRE_REQUIRED}` };
    expect(await agent.tool('api_request', call)).toEqual(refused);
    expect(await agent.tool('admin_request', call)).toEqual(refused);
  });

  test('a token without any right', async () => {
    const { isError, text } = await powerless.tool('work_search', {});
    expect([isError, text]).toEqual([true, expect.stringContaining('work.item.read') as string]);
  });

  test('a route that does not exist, and a method that a path does not have', async () => {
    const gone = await agent.tool('api_request', { method: 'GET', path: '/api/no/such' });
    expect(gone.isError).toBe(true);
    expect(gone.text).toMatch(/^HTTP 404: no route matches GET \/api\/no\/such: .*api_routes/);
    const { text } = await agent.tool('api_request', { method: 'DELETE', path: '/api/me' });
    expect(text).toBe('HTTP 405: /api/me doesn’t support DELETE: it supports GET, PATCH');
  });
});

describe('405 `method not allowed` for every method but POST, in JSON, before authentication', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'])('%s', async (method) => {
    for (const headers of [{}, authorized(), { accept: 'text/event-stream' }, { accept: 'text/html' }]) {
      const said = await ask(app.url, { method, headers });
      expect([said.status, said.headers.allow, said.headers['www-authenticate']]).toEqual([
        405,
        'POST',
        undefined,
      ]);
      expect(said.headers['content-type']).toMatch(/^application\/json/);
      if (method !== 'HEAD')
        expect(jsonOf(said.text)).toEqual({ error: { code: 'invalid', message: 'method not allowed' } });
    }
  });
});

describe('401 with -32001 and a null id where there is no good bearer, before anything is parsed', () => {
  const unauthorized = { jsonrpc: '2.0', id: null, error: { code: -32_001, message: UNAUTHORIZED } };
  const refuses = async (asked: Asked): Promise<void> => {
    const said = await ask(app.url, asked);
    expect([said.status, jsonOf(said.text)]).toEqual([401, unauthorized]);
    expect(said.headers['www-authenticate']).toBe('Bearer');
    expect(said.headers['content-type']).toMatch(/^application\/json/);
  };

  test.each([
    ['none', () => ({})],
    ['no value', () => ({ authorization: 'Bearer' })],
    ['an empty value', () => ({ authorization: 'Bearer ' })],
    ['another scheme', () => ({ authorization: `Basic ${btoa(`api:${bearer}`)}` })],
    ['no scheme', () => ({ authorization: bearer })],
    ['made up', () => ({ authorization: 'Bearer nck_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa000000' })],
    ['truncated', () => ({ authorization: `Bearer ${bearer.slice(0, -1)}` })],
    ['lengthened', () => ({ authorization: `Bearer ${bearer}0` })],
    ['in capitals', () => ({ authorization: `Bearer ${bearer.toUpperCase()}` })],
    ['quoted', () => ({ authorization: `Bearer "${bearer}"` })],
    ['twice in one header', () => ({ authorization: `Bearer ${bearer}, Bearer ${bearer}` })],
    [
      'in two headers',
      () => ({ authorization: [`Bearer ${bearer}`, `Bearer ${bearer}`] as unknown as string }),
    ],
    ['in X-Api-Key', () => ({ 'x-api-key': bearer })],
    ['in a cookie', () => ({ cookie: `token=${bearer}` })],
    ["a person's session", () => ({ cookie: app.admin.cookie, origin: app.url })],
  ])('a bearer that is %s', async (_, headers) => {
    await refuses({ headers: { 'content-type': 'application/json', ...headers() }, body: PING });
  });

  test('a bearer in the query', () =>
    refuses({ path: `/mcp?access_token=${bearer}&token=${bearer}`, body: PING }));

  test.each([
    ['unparsable', '{'],
    ['a batch', `[${PING}]`],
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    ['too large', 'a'.repeat(MAX_BYTES + 1)],
    ['empty', ''],
  ])('a body that is %s', (_, body) => refuses({ headers: { 'content-type': 'application/json' }, body }));

  test('a body that is no JSON at all', () =>
    refuses({ headers: { 'content-type': 'text/plain' }, body: 'hello' }));

  test('a deleted token, from the next request on', async () => {
    const token = await app.token();
    const short = agentOf(app.url, token.value);
    expect((await short.call('ping')).result).toEqual({});
    expect((await app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`)).status).toBe(200);
    expect((await short.post(PING)).status).toBe(401);
  });

  test.each(['bearer', 'BEARER', 'bEaReR'])('but the scheme may be written %s', async (scheme) => {
    expect((await ping({ headers: { authorization: `${scheme} ${bearer}` } })).status).toBe(200);
  });
});

describe('what a client says about itself is ignored, and no session is ever opened', () => {
  test.each([
    ['Accept: */*', { accept: '*/*' }],
    ['Accept: text/event-stream', { accept: 'text/event-stream' }],
    ['Accept: text/html', { accept: 'text/html' }],
    ['a version we have never heard of', { 'mcp-protocol-version': '2099-01-01' }],
    ['a version that is none', { 'mcp-protocol-version': 'nonsense' }],
    ['a session id', { 'mcp-session-id': 'abc' }],
    ['a method that another would override', { 'x-http-method-override': 'DELETE' }],
    ['an event to go on from', { 'last-event-id': '5' }],
  ])('%s', async (_, headers) => {
    const said = await ping({ headers });
    expect([said.status, said.text]).toEqual([200, '{"jsonrpc":"2.0","id":1,"result":{}}']);
    expect(said.headers['content-type']).toMatch(/^application\/json/);
    expect(said.headers['mcp-session-id']).toBeUndefined();
  });

  test('_meta and other keys beside what a method takes', async () => {
    const _meta = { progressToken: 1, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const { result } = await agent.call('tools/call', {
      name: 'work_search',
      arguments: {},
      _meta,
      other: 1,
    });
    expect(result?.isError).toBeUndefined();
    expect((await agent.call('ping', { _meta })).result).toEqual({});
  });

  test('initialize opens no session either', async () => {
    const { headers } = await agent.post('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}');
    expect(headers['mcp-session-id']).toBeUndefined();
    expect(headers['set-cookie']).toBeUndefined();
  });
});

describe('415 for a body that is not said to be JSON', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'text/json',
    'multipart/form-data',
    '',
  ])('%j', async (type) => {
    const { status, json } = await agent.post(PING, { 'content-type': type });
    expect([status, json.id, json.error?.code]).toEqual([415, null, -32_600]);
  });

  test('a compressed body', async () => {
    expect((await agent.post(PING, { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y'])(
    'but not for %j',
    async (type) => {
      expect((await agent.post(PING, { 'content-type': type })).status).toBe(200);
    },
  );
});

describe('403 for a page that is not ours', () => {
  test.each([
    'https://evil.example',
    'null',
    'http://127.0.0.1.evil.example',
    'https://desk.example.evil.example',
    'http://desk.example',
  ])('Origin: %s', async (origin) => expect((await ping({ headers: { origin } })).status).toBe(403));

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', '10.0.0.1', '[::2]'])(
    'Host: %s on a loopback bind, as a name that is rebound would send it',
    async (host) => expect((await ping({ headers: { host } })).status).toBe(403),
  );

  test('it is refused before the token is looked at, and on every method', async () => {
    for (const method of ['POST', 'GET', 'DELETE'])
      expect((await ask(app.url, { method, headers: { origin: 'https://evil.example' } })).status).toBe(403);
  });

  test.each([
    ['our own origin', () => ({ origin: app.url })],
    ['a listed origin', () => ({ origin: LISTED })],
    ['the host of a listed origin', () => ({ host: new URL(LISTED).host })],
    ['localhost', () => ({ host: 'localhost:5999', origin: 'http://localhost:5999' })],
    ['[::1]', () => ({ host: '[::1]:80' })],
    ['127.0.0.1 without a port', () => ({ host: '127.0.0.1' })],
  ])('but not for %s', async (_, headers) => expect((await ping({ headers: headers() })).status).toBe(200));

  test('G: a bind that others reach takes our own names, addresses and names without a dot, and no other', () => {
    const known = openOriginCheck({
      base_url: LISTED,
      host: '0.0.0.0',
      origins: ['https://two.example:8443'],
    });
    const asks = (headers: object) => () => known.demandKnown({ headers } as never);
    const ours = new URL(LISTED).hostname;
    for (const host of [
      ours,
      `${ours}:443`,
      ours.toUpperCase(),
      'two.example',
      'two.example:8443',
      '10.1.2.3',
      '10.1.2.3:4400',
      '[2001:db8::2]:4400',
      'localhost:4400',
      'dunnock:4400',
      'dunnock',
      'host.docker.internal:4400',
      'dunnock.tools.svc',
      'dunnock.tools.svc.cluster.local:4400',
    ])
      expect(asks({ host }), host).not.toThrow();
    for (const host of [
      'evil.example',
      `${ours}.evil.example`,
      `evil.${ours}`,
      '10.1.2.3.evil.example',
      'evil.example:4400',
      'dunnock.evil.example',
      '',
      'two.example.',
      '[evil.example]',
      `${ours}@evil.example`,
    ])
      expect(asks({ host }), host).toThrow(/SERVICE_ORIGINS/);
    expect(asks({ host: '10.1.2.3', origin: 'https://evil.example' })).toThrow();
    expect(asks({ host: '10.1.2.3:4400', origin: 'http://10.1.2.3:4400' })).not.toThrow();
    expect(asks({ host: 'evil.example', origin: 'http://evil.example' })).toThrow();
  });
});

describe('a body over 1.5 MiB is 413', () => {
  const padded = (bytes: number): string => PING + ' '.repeat(bytes - PING.length);

  test('exactly 1.5 MiB is read', async () => expect((await agent.post(padded(MAX_BYTES))).status).toBe(200));

  test('one byte more is not', async () => {
    const { status, json } = await agent.post(padded(MAX_BYTES + 1));
    expect([status, json.id, json.error?.code]).toEqual([413, null, -32_600]);
  });

  test('nor where its length is not told', async () => {
    const { status, json } = await agent.post(padded(2 * MAX_BYTES), { 'transfer-encoding': 'chunked' });
    expect([status, json.id, json.error?.code]).toEqual([413, null, -32_600]);
  });
});

describe('resources/read', () => {
  test('a board is read as the calling token', async () => {
    const uri = 'service://work/OUT/board';
    const { result } = await agent.call('resources/read', { uri });
    expect(result).toEqual({
      contents: [{ uri, mimeType: 'application/json', text: expect.any(String) as string }],
    });
    expect(jsonOf(result?.contents?.[0]?.text ?? '')).toMatchObject({ project: { key: 'OUT' } });
  });

  test.each(['service://work/NONE/board', 'service://nothing', '__proto__', ''])(
    'HTTP 200 with -32002 `no resource named "%s"` where there is none',
    async (uri) => {
      const { error } = await agent.call('resources/read', { uri });
      expect(error).toEqual({ code: -32_002, message: `no resource named "${uri}"` });
    },
  );

  test('HTTP 200 with -32002 and the status where its route answered 403', async () => {
    const uri = 'service://work/OUT/board';
    const { error } = await powerless.call('resources/read', { uri });
    expect(error).toEqual({
      code: -32_002,
      message: `resource "${uri}" could not be read: the route answered HTTP 403`,
    });
  });

  test('the five resources of the specification are listed', async () => {
    const { result: concrete } = await agent.call('resources/list');
    const { result: templates } = await agent.call('resources/templates/list');
    expect(concrete?.resources?.map(({ uri }) => uri).sort()).toEqual([
      'service://campaigns',
      'service://inbox/unanswered',
      'service://sends/held',
    ]);
    expect(templates?.resourceTemplates?.map(({ uriTemplate }) => uriTemplate).sort()).toEqual([
      'service://campaign/{id}/overview',
      'service://work/{project}/board',
    ]);
  });
});

describe('a client that looks for OAuth finds a JSON 404 that says where a token is minted', () => {
  test.each([
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/.well-known/oauth-authorization-server/mcp'],
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ['GET', '/.well-known/openid-configuration'],
    ['POST', '/register'],
    ['GET', '/register'],
  ])('%s %s', async (method, path) => {
    for (const accept of ['application/json', 'text/html,*/*']) {
      const { status, headers, text } = await ask(app.url, { method, path, headers: { accept } });
      expect(status).toBe(404);
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect((jsonOf(text) as { error_description: string }).error_description).toContain('Settings → API');
    }
  });

  test('the web app is there, so that it could have answered', async () => {
    const { status, text } = await ask(app.url, {
      method: 'GET',
      path: '/work',
      headers: { accept: 'text/html' },
    });
    expect([status, text]).toEqual([200, expect.stringContaining('the web app') as string]);
  });
});
