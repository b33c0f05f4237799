// Ways past the gates that someone will try on the envelope and on the request tools; each is named by its row of the
// red-team checklist. Rows about paths are in paths.test.ts, rows about sizes and streams in results.test.ts.
import { connect, type Socket } from 'node:net';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AGENT_DOES_NOT_DECIDE, WORK_ITEM_UUID } from '../../src/kernel/sentences.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { agentOf, ask, type Agent, type ListedTool } from './speak.ts';

const BROKE = 'something broke on our side';
const MB = 1_048_576;

let app: TestApp;
let bearer: string;
let agent: Agent;
let tools: ListedTool[];
let item: string;

beforeAll(async () => {
  app = await openTestApp();
  bearer = (await app.token()).value;
  agent = agentOf(app.url, bearer);
  tools = (await agent.call('tools/list')).result?.tools ?? [];
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  const { text } = await agent.tool('work_create', { project: 'OUT', title: 'A card' });
  item = (JSON.parse(text) as { item: { id: string } }).item.id;
});

afterAll(() => app.close());

afterEach(async () => {
  expect((await agent.call('ping')).result, 'the process lives').toEqual({});
});

/** Everything that an act would leave: items, and rows of the audit log. */
const traces = async () => [
  await app.sql`select id, revision from work_items order by id`,
  await app.sql`select count(*)::int as rows from audit`,
];

const envelope = (params: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
const creates = '{"name":"work_create","arguments":{"project":"OUT","title":"Slipped in"}}';

test('D1: of a batch nothing runs, not even the first', async () => {
  const before = await traces();
  for (const batch of [
    `[${envelope(creates)}]`,
    `[${envelope(creates)},{"jsonrpc":"2.0","id":2,"method":"ping"}]`,
  ]) {
    const { status, json } = await agent.post(batch);
    expect([status, json.id, json.error?.code]).toEqual([400, null, -32_600]);
  }
  expect(await traces()).toEqual(before);
});

test('D2: a call without an id is no free act', async () => {
  const before = await traces();
  const { status, text } = await agent.post(envelope(creates).replace('"id":1,', ''));
  expect([status, text]).toEqual([202, '']);
  expect(await traces()).toEqual(before);
});

test('a key that is in query and body is refused, in one sentence however many there are', async () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`stray${i}`, 'x']));
  const { isError, text } = await agent.tool('api_request', {
    method: 'POST',
    path: '/api/work/items',
    query: many,
    body: many,
  });
  expect([isError, text.length < 320]).toEqual([true, true]);
  expect(text).toMatch(/^HTTP 400: stray0 is given twice; .*; and 199\d\d more$/);
  const [row] = await app.sql`select max(length(sentence)) as longest from audit`;
  expect(row?.['longest']).toBeLessThan(300);
});

describe('D3: of a doubled key the gate and the dispatcher see the same one, the last', () => {
  test.each([
    ['a name', '{"name":"work_search","name":"approval_decide","arguments":{}}', AGENT_DOES_NOT_DECIDE],
    [
      'arguments',
      '{"name":"work_get","arguments":{"item_id":"x"},"arguments":{"item_id":"y"}}',
      WORK_ITEM_UUID,
    ],
    ['an argument', '{"name":"work_get","arguments":{"item_id":"ID","item_id":"x"}}', WORK_ITEM_UUID],
    [
      'a path',
      '{"name":"api_request","arguments":{"method":"GET","path":"/api/me","path":"/healthz"}}',
      'path not allowed — every route this tool reaches starts /api/',
    ],
  ])('%s', async (_, params, says) => {
    const { json } = await agent.post(envelope(params.replace('ID', item)));
    expect(json.result).toEqual({ content: [{ type: 'text', text: says }], isError: true });
  });

  test('a method: the last one is not one of the seven', async () => {
    const { json } = await agent.post('{"jsonrpc":"2.0","id":1,"method":"ping","method":"prompts/list"}');
    expect(json.error?.code).toBe(-32_601);
  });

  test('an id: the last one is refused', async () => {
    expect((await agent.post('{"jsonrpc":"2.0","id":1,"id":null,"method":"ping"}')).status).toBe(400);
  });
});

describe('D4: no arguments of any tool make a fault', () => {
  const NOT_OBJECTS = ['"{}"', '[]', '[{}]', 'null', '5', 'true'];
  test.each(NOT_OBJECTS)('arguments that are %s are -32602', async (args) => {
    for (const { name } of tools) {
      const { error } = await agent.call('tools/call', `{"name":"${name}","arguments":${args}}`);
      expect([name, error?.code]).toEqual([name, -32_602]);
    }
  });

  const WRONG = [
    'null', 'true', '-1', '0.5', '1e400', '9007199254740993', '""', '" "', '"\\u0000"', '"\\ud800"', '"__proto__"', '"../../admin/x"',
    '"%2e%2e%2f"', `"${'9'.repeat(400)}"`, '[]', '[null]', '{}', '{"__proto__":{"admin":true}}', '{"toString":1}',
  ]; // prettier-ignore

  test('every argument of every tool with every wrong value', async () => {
    for (const { name, inputSchema } of tools) {
      const keys = [...Object.keys(inputSchema.properties), 'no_such_argument', '__proto__', 'constructor'];
      for (const key of keys)
        for (const value of WRONG) {
          const { text } = await agent.tool(name, `{"${key}":${value}}`);
          expect(`${name} ${key} ${value}: ${text}`).not.toContain(BROKE);
          expect(text).not.toBe('');
        }
    }
  });

  test('and with every other argument as it should be', async () => {
    for (const { name, inputSchema } of tools) {
      const declared = app.instance.app.tools.get(name);
      const example: object = declared?.example ?? { method: 'POST', path: '/api/work/items', body: {} };
      for (const key of Object.keys(inputSchema.properties))
        for (const value of WRONG) {
          const rest = Object.entries({ ...example, ...('item_id' in example && { item_id: item }) });
          const others = rest
            .filter(([each]) => each !== key)
            .map(([each, good]) => `${JSON.stringify(each)}:${JSON.stringify(good)}`);
          const { text } = await agent.tool(name, `{${[...others, `"${key}":${value}`].join(',')}}`);
          expect(`${name} ${key} ${value}: ${text}`).not.toContain(BROKE);
        }
    }
  });

  test('a stray argument is named, whatever it is called', async () => {
    // With both scopes: a gate that needs no argument answers before any is read.
    const scopes = { wire: true, scripts: true };
    const wired = agentOf(app.url, (await app.token({ scopes })).value);
    for (const key of ['__proto__', 'constructor', 'toString', 'color'])
      for (const { name } of tools.filter((each) => each.name !== 'approval_decide'))
        expect((await wired.tool(name, `{"${key}":1}`)).text).toContain(`"${key}"`);
  });
});

describe('D5: in bounded memory, and the process lives', () => {
  const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

  test.each([100, 10_000, 150_000])('an object %i deep, wherever it exists', async (levels) => {
    for (const params of [
      `{"name":"api_request","arguments":{"method":"POST","path":"/api/work/items","body":${nested(levels)}}}`,
      `{"name":"api_request","arguments":{"method":"GET","path":"/api/me","query":${nested(levels)}}}`,
      `{"name":"work_update","arguments":{"item_id":"${item}","revision":1,"custom":${nested(levels)}}}`,
      `{"name":"work_search","arguments":{"query":${nested(levels)}}}`,
    ]) {
      const { result } = (await agent.post(envelope(params))).json;
      expect(result?.isError).toBe(true);
      expect(result?.content?.[0]?.text).not.toContain(BROKE);
    }
    expect((await agent.post(`{"jsonrpc":"2.0","id":${nested(levels)},"method":"ping"}`)).status).toBe(400);
    expect((await agent.post('['.repeat(levels) + ']'.repeat(levels))).status).toBe(400);
    const { status } = await ask(app.url, {
      path: '/api/work/items',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: nested(levels),
    });
    expect(status).toBe(400);
  });

  test('as many keys as fit, in each place, cost no long while', async () => {
    const keys = Array.from({ length: 130_000 }, (_, i) => `"${i.toString(36)}":1`).join(',');
    for (const params of [
      `{"name":"work_search","arguments":{${keys}}}`,
      `{"name":"api_request","arguments":{${keys}}}`,
      `{"name":"api_request","arguments":{"method":"GET","path":"/api/me","query":{${keys}}}}`,
      `{"name":"work_update","arguments":{"item_id":"${item}","revision":1,"custom":{${keys}}}}`,
    ]) {
      const started = performance.now();
      const { result } = (await agent.post(envelope(params))).json;
      // A reading that compares every key with every other takes minutes.
      expect(performance.now() - started).toBeLessThan(6_000);
      const text = result?.content?.[0]?.text ?? BROKE;
      expect([result?.isError, text.includes(BROKE), text.length < 10_000]).toEqual([true, false, true]);
    }
  });

  test('a million keys are 413', async () => {
    const keys = Array.from({ length: 1_000_000 }, (_, i) => `"${i}":1`).join(',');
    expect((await agent.post(`{${keys}}`)).status).toBe(413);
  });

  test('100 MB, told or not, are refused without being kept', async () => {
    const before = process.memoryUsage().rss;
    for (const told of [true, false]) expect(await pour(100, told)).toBeOneOf([413, 'closed']);
    expect((process.memoryUsage().rss - before) / MB).toBeLessThan(80);
  });

  test('a compressed bomb is 415, unopened', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * MB, ' '));
    expect((await agent.post(bomb, { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  test.each([
    ['a byte that is none of UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['half a character', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a byte-order mark', Buffer.from('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}')],
    ['UTF-16', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}', 'utf16le')],
  ])('%s is 400 with -32700', async (_, body) => {
    const { status, json } = await agent.post(body);
    expect([status, json.id, json.error?.code]).toEqual([400, null, -32_700]);
  });

  test('half a character by escape is refused by name, and given back whole in an id', async () => {
    expect(await agent.tool('work_search', '{"query":"\\ud800"}')).toEqual({
      isError: true,
      text: 'query contains a NUL or an unpaired surrogate',
    });
    const { text } = await agent.post('{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}');
    expect(text).toBe('{"jsonrpc":"2.0","id":"\\ud800","result":{}}');
  });
});

/** Sends `megabytes` of blanks; the status, or `closed` where the connection was closed on us before we read one. */
function pour(megabytes: number, told: boolean): Promise<number | 'closed'> {
  const { hostname, port } = new URL(app.url);
  const length = told ? { 'content-length': megabytes * MB } : { 'transfer-encoding': 'chunked' };
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...length };
    const asked = request(
      { hostname, port, method: 'POST', path: '/mcp', headers, agent: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
        asked.destroy();
      },
    );
    asked.on('error', () => resolve('closed'));
    const blanks = Buffer.alloc(MB, ' ');
    let sent = 0;
    const more = (): void => {
      while (sent < megabytes && !asked.destroyed) {
        sent += 1;
        if (!asked.write(blanks)) return void asked.once('drain', more);
      }
      if (!asked.destroyed) asked.end();
    };
    more();
  });
}

describe('D6: an id', () => {
  test.each(['1e400', '-1e400', 'null', '{}', '[]', 'true', '0.5'])('%s is refused', async (id) => {
    expect((await agent.post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).json.error?.code).toBe(-32_600);
  });

  test('of a megabyte is given back', async () => {
    const id = 'é'.repeat(MB / 2);
    const { status, json } = await agent.post(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
    expect([status, json.id === id]).toEqual([200, true]);
  });
});

describe('D7: no other method and no other spelling reaches the dispatcher', () => {
  const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const SPELLINGS = [
    '/mcp/', '/mcp//', '//mcp', '/MCP', '/Mcp', '/mcp/x', '/mcp/mcp', '/mcp;x', '/mcp.json', '/mcp%2f', '/mcp%00', '/./mcp', '/x/../mcp',
    '/api/mcp', '/api/../mcp', '/.well-known/mcp',
  ]; // prettier-ignore

  test.each(SPELLINGS)('POST %s is 404, with a token and without', async (path) => {
    for (const headers of [{}, { authorization: `Bearer ${bearer}` }]) {
      const said = await ask(app.url, {
        path,
        headers: { 'content-type': 'application/json', ...headers },
        body: PING,
      });
      expect(said.status).toBe(404);
      expect(said.text).not.toContain('"result"');
    }
  });

  test.each(['/%6dcp', '/mcp?x', 'http://evil.example/mcp'])(
    'POST %s is /mcp, and asks for the token',
    async (path) => {
      const said = await ask(app.url, {
        path,
        headers: { 'content-type': 'application/json' },
        body: PING,
      });
      expect(said.status).toBe(401);
    },
  );

  test.each(['GET', 'PUT', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
    '%s /mcp is a refusal of the client, and nothing is dispatched',
    async (method) => {
      const said = await ask(app.url, {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      });
      expect(said.status).toBeGreaterThanOrEqual(400);
      expect(said.status).toBeLessThan(500);
      expect(said.text).not.toContain('"result"');
    },
  );
});

describe('D8: slow and silent clients do not touch the others', () => {
  const sockets: Socket[] = [];
  afterAll(() => sockets.forEach((socket) => socket.destroy()));

  const opened = (says: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(app.url);
      const socket = connect(Number(port), hostname, () => {
        socket.write(says);
        resolve();
      });
      socket.on('error', reject);
      sockets.push(socket);
    });

  test('500 idle connections, 200 headers that do not end and 200 bodies that drip', async () => {
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${bearer}\r\n`;
    for (let i = 0; i < 500; i++) await opened('');
    for (let i = 0; i < 200; i++) await opened(head);
    for (let i = 0; i < 200; i++)
      await opened(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`);
    const started = performance.now();
    for (let i = 0; i < 20; i++) expect((await agent.tool('work_search', {})).isError).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

test('E2: a crafted id of a resource reaches no route', async () => {
  const before = await traces();
  for (const id of [
    '..',
    '.',
    '../../admin/tokens',
    '%2e%2e',
    'a%2Fb',
    'a/b',
    'a?x=1',
    'a#b',
    'a\\b',
    'a\u0000',
    '．．',
    '',
    'a b',
    '{id}',
  ])
    for (const uri of [`service://work/${id}/board`, `service://campaign/${id}/overview`]) {
      const { error } = await agent.call('resources/read', { uri });
      expect(error).toEqual({ code: -32_002, message: `no resource named "${uri}"` });
    }
  expect(await traces()).toEqual(before);
});

describe("E3: an id inside a named tool's arguments is looked at before anything is done with it", () => {
  const CRAFTED = [
    '../../admin/x',
    '..',
    '%2e%2e%2fadmin',
    'a/b',
    `/api/admin/users`,
    'http://127.0.0.1/',
    'a?x=1',
    'OUT/../../x',
  ];
  const isId = (key: string): boolean => /(^|_)id$|^(project|campaign|assignee)$/.test(key);

  test('each crafted one is refused, or finds nothing, and nothing changes', async () => {
    const items = await app.sql`select id, revision from work_items order by id`;
    let tried = 0;
    for (const { name, inputSchema } of tools)
      for (const key of Object.keys(inputSchema.properties).filter(isId))
        for (const crafted of CRAFTED) {
          const example = app.instance.app.tools.get(name)?.example ?? {};
          const { isError, text } = await agent.tool(name, { ...example, [key]: crafted });
          if (!isError)
            expect([name, key, JSON.parse(text)]).toEqual([name, key, { items: [], next_cursor: null }]);
          else expect(text).not.toContain(BROKE);
          tried += 1;
        }
    expect(tried).toBeGreaterThan(50);
    expect(await app.sql`select id, revision from work_items order by id`).toEqual(items);
  });

  test.each(['work_move', 'work_get', 'work_update', 'work_release', 'work_comment'])(
    '%s says that item_id must be a work item uuid',
    async (name) => {
      const example = app.instance.app.tools.get(name)?.example ?? {};
      for (const item_id of CRAFTED)
        expect(await agent.tool(name, { ...example, item_id })).toEqual({
          isError: true,
          text: WORK_ITEM_UUID,
        });
    },
  );
});

test('E4: no route can answer with a redirect: an operation answers 200, 201, a stream or a file', () => {
  for (const { name, answers } of app.instance.app.operations)
    expect([name, 'json' in answers ? answers.json : Object.keys(answers)[0]]).toEqual([
      name,
      expect.toBeOneOf([200, 201, 'stream', 'file']),
    ]);
});

describe('E6: another method than the one that is sent is never taken', () => {
  const path = (): string => `/api/work/items/${item}`;

  test('from a header', async () => {
    for (const header of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
      const headers = {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        [header]: 'DELETE',
      };
      expect((await ask(app.url, { path: path(), headers, body: '{}' })).status).toBe(405);
    }
  });

  test('from the query, the body or a further argument', async () => {
    const query = await agent.tool('api_request', {
      method: 'GET',
      path: path(),
      query: { _method: 'DELETE' },
    });
    expect(query).toEqual({
      isError: true,
      text: 'HTTP 400: there is no argument "_method" (arguments: item_id)',
    });
    const body = await agent.tool('api_request', {
      method: 'PATCH',
      path: path(),
      body: { _method: 'DELETE', revision: 1 },
    });
    expect(body.isError).toBe(true);
    expect(body.text).toMatch(/^HTTP 400: there is no argument "_method" \(arguments: item_id, revision, /);
    const further = await agent.tool('api_request', { method: 'GET', path: path(), _method: 'DELETE' });
    expect(further.text).toContain('there is no argument "_method"');
    expect((await agent.tool('work_get', { item_id: item })).isError).toBe(false);
  });
});
