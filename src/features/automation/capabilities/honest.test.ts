// Servers and sign-ins that misbehave: what is refused before anything goes there, how long they are waited for, and that the
// sentence names what is wrong.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  agreeToAll,
  callAsAgent,
  CAPABILITIES,
  connectedServer,
  connectedThrough,
  EVENT,
} from '../../../../test/support/capabilities.ts';
import { openTestApp, type Answer, type TestApp } from '../../../../test/support/app.ts';
import { openToolServer, type ToolServer } from '../../../../test/support/tool-server.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/clock.ts';

let app: TestApp;
let stub: ToolServer;
beforeAll(async () => {
  app = await openTestApp({ allowHosts: '127.0.0.0/8', baseUrl: 'https://desk.example' });
});
afterAll(async () => app?.close());
beforeEach(async () => {
  stub = await openToolServer();
  stub.tools = [EVENT];
});
afterEach(async () => {
  await app.sql`delete from capabilities`;
  await stub.close();
});

async function added(): Promise<string> {
  const given = { name: 'calendar', title: 'Calendar', url: stub.url, auth: 'oauth' };
  return (await app.admin.rest('POST', CAPABILITIES, given)).body.id;
}

async function agreed(): Promise<string> {
  const id = await connectedServer(app, stub);
  await agreeToAll(app, id);
  return id;
}

const act = (id: string, name: string): Promise<Answer> =>
  app.admin.rest('POST', `${CAPABILITIES}/${id}/${name}`, {});
const call = (called?: string) => callAsAgent(app, app.admin, called);

async function limited(id: string, wanted: object): Promise<void> {
  const { revision } = (await app.admin.rest('GET', CAPABILITIES)).body.items[0];
  expect((await app.admin.rest('PATCH', `${CAPABILITIES}/${id}`, { revision, ...wanted })).status).toBe(200);
}

describe('signing in', () => {
  test('R7: where the other party forgot the client that was registered, connecting again registers another', async () => {
    const id = await agreed();
    stub.clients.clear();
    stub.expire();
    await connectedThrough(app, id);
    expect((await call()).text).toBe('done: create_event');
  });

  test('R7: where the other party registers no one any more, the client that is known is used', async () => {
    const id = await agreed();
    stub.metadata = { registration_endpoint: undefined };
    await connectedThrough(app, id);
    expect(stub.clients.size).toBe(1);
  });

  test.each([
    ['that says nothing of PKCE', undefined],
    ['that takes plain PKCE alone', ['plain']],
    ['that lists no method', []],
  ])('R8: a sign-in %s is refused before anything is sent there', async (_, methods) => {
    stub.metadata = { code_challenge_methods_supported: methods };
    const refused = await act(await added(), 'connect');
    expect(refused.status).toBe(409);
    expect(refused.body.error.message).toContain('couldn’t be verified, so nothing was sent');
    expect(stub.clients.size).toBe(0);
  });

  test('a sign-in that registers no one says so, and what to do', async () => {
    stub.metadata = { registration_endpoint: undefined };
    const id = await added();
    const says = /doesn’t let Dunnock register itself: .* client_id/;
    expect((await act(id, 'connect')).body.error.message).toMatch(says);
    stub.metadata = {};
    stub.instead = ({ path }) => (path === '/register' ? { status: 403, body: '{}' } : null);
    expect((await act(id, 'connect')).body.error.message).toMatch(says);
  });

  test('a sign-in that answers with what no client reads is not said to be a broken tool server', async () => {
    stub.instead = ({ path }) => (path === '/register' ? { status: 201, body: '<html>' } : null);
    const { message } = (await act(await added(), 'connect')).body.error;
    expect(message).toContain('the sign-in server of Calendar');
    expect(message).not.toContain('tool server');
  });

  test.each([1e30, -5, 0, 1e308, '3600', null, true])(
    'a token that lasts %j seconds breaks nothing',
    async (expires_in) => {
      stub.grants = { expires_in };
      const id = await added();
      await connectedThrough(app, id);
      await agreeToAll(app, id);
      expect((await call()).text).toBe('done: create_event');
      app.clock.advance(HOUR_MS);
      expect((await call()).text).toBe('done: create_event');
      const [row] = await app.sql<{ far: boolean }[]>`
        select coalesce(expires_at > ${new Date(Date.now() + 800 * DAY_MS)}, false) as far from capability_accounts`;
      expect(row?.far).toBe(false);
    },
  );
});

describe('a deadline', () => {
  const LATE_MS = 2_500;

  async function timed(id: string): Promise<void> {
    await limited(id, { deadline_seconds: 1 });
    const begun = performance.now();
    await expect(call()).rejects.toThrow('did not respond in time');
    expect(performance.now() - begun).toBeLessThan(LATE_MS);
  }

  test.each(['silence', 'drip'] as const)(
    'R9: the handshake is a part of it, where the server is in %s',
    async (how) => {
      const id = await agreed();
      stub.instead = ({ path }) => (path === '/mcp' ? how : null);
      await timed(id);
    },
  );

  test.each(['silence', 'drip'] as const)(
    'R9: a renewal is a part of it, where the sign-in is in %s, and what comes of it later is not lost',
    async (how) => {
      const id = await agreed();
      app.clock.advance(2 * HOUR_MS);
      stub.instead = ({ path }) => (path === '/.well-known/oauth-protected-resource/mcp' ? how : null);
      await timed(id);
    },
  );

  test('R9: a renewal that takes longer than the call still saves its token', async () => {
    const id = await agreed();
    app.clock.advance(2 * HOUR_MS);
    stub.renewalMs = 1_500;
    await timed(id);
    await expect.poll(() => stub.refreshes).toBe(1);
    await limited(id, { deadline_seconds: 20 });
    expect((await call()).text).toBe('done: create_event');
    expect([stub.refreshes, stub.stolen]).toEqual([1, false]);
  });

  test('R9: headers that never end are a part of it', async () => {
    const id = await agreed();
    stub.instead = ({ path }) => (path === '/mcp' ? 'headers' : null);
    await timed(id);
  });
});

describe('what is said', () => {
  test('a redirect is called one', async () => {
    const id = await agreed();
    stub.instead = ({ path }) =>
      path === '/mcp'
        ? { status: 307, body: '', headers: { location: 'https://elsewhere.example/mcp' } }
        : null;
    await expect(call()).rejects.toThrow('returned a redirect');
    expect((await act(id, 'refresh')).body.error.message).not.toContain('elsewhere');
    expect((await app.admin.rest('GET', CAPABILITIES)).body.items[0].trouble).toMatchObject({
      why: 'redirect',
    });
  });

  test('two tools whose names differ by a sign that no model takes are apart, under names that stay', async () => {
    const named = (name: string) => ({ ...EVENT, name });
    stub.tools = [named('a.b'), named('a_b'), named('a/b')];
    stub.answers = (name) => ({ content: [{ type: 'text', text: name }] });
    const id = await agreed();
    const tools = async (): Promise<{ name: string; called: string }[]> =>
      (await act(id, 'refresh')).body.tools;
    const before = await tools();
    expect(new Set(before.map(({ called }) => called)).size).toBe(3);
    for (const { name, called } of before) expect((await call(called)).text).toBe(name);
    expect(before.find(({ name }) => name === 'a_b')?.called).toBe('calendar__a_b');
    // A name is no matter of what else there is.
    stub.tools = [named('a/b')];
    expect(await tools()).toMatchObject([before.find(({ name }) => name === 'a/b')]);
  });

  test('agents that had such a tool in their lists keep it under its new name, where it was one tool', async () => {
    stub.tools = ['a.b', 'c.d', 'c/d', 'e'].map((name) => ({ ...EVENT, name }));
    const id = await agreed();
    const { tools } = (await act(id, 'refresh')).body;
    const called = (name: string): string =>
      tools.find((tool: { name: string }) => tool.name === name)?.called;
    const before = ['item_list', 'calendar__a_b', 'calendar__c_d', 'calendar__e'];
    await app.sql`update agents set tools = ${before}`;
    const folder = join(import.meta.dirname, '../../../../migrations/before-0.2.0');
    const file = readdirSync(folder).find((name) => name.endsWith('_tool_names.sql')) ?? '';
    await app.sql.unsafe(readFileSync(join(folder, file), 'utf8'));
    const [agent] = await app.sql<{ tools: string[] }[]>`select tools from agents`;
    expect(agent?.tools).toEqual(['item_list', called('a.b'), 'calendar__c_d', 'calendar__e']);
  });

  test('a tool cannot take the name that another has for want of signs', async () => {
    stub.tools = [{ ...EVENT, name: 'a.b' }];
    const id = await agreed();
    const [{ called }] = (await act(id, 'refresh')).body.tools;
    stub.tools = [...stub.tools, { ...EVENT, name: called.replace('calendar__', '') }];
    const names = (await act(id, 'refresh')).body.tools.map((tool: { called: string }) => tool.called);
    expect(new Set(names).size).toBe(2);
  });
});
