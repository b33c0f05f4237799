// Where a tool server may be, and what we say of ourselves to the sign-ins of others.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../kernel/ids.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { openToolServer } from '../../../../test/support/tool-server.ts';
import { begin } from './oauth.ts';
import { awayTo } from './reach.ts';

let app: TestApp;
/** Names that were looked up. */
const asked: string[] = [];
beforeAll(async () => {
  app = await openTestApp({
    allowHosts: '127.0.0.0/8',
    baseUrl: 'https://desk.example',
    async lookup(name) {
      asked.push(name);
      return [];
    },
  });
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(async () => app?.close());

describe('where a call may go', () => {
  test.each([
    ['https://desk.example/mcp', 'the address of this instance'],
    ['http://10.0.0.1/mcp', 'private network'],
    ['http://169.254.169.254/latest', 'where clouds keep credentials'],
    ['https://localhost/mcp', 'private network'],
    ['http://tools.example/mcp', 'https://'],
    ['https://user:secret@tools.example/mcp', 'user name or password'],
    ['ftp://tools.example/', 'Only http and https'],
  ])('%s is refused', async (url, says) => {
    const answer = await app.admin.rest('POST', '/api/admin/capabilities', {
      name: 'elsewhere',
      url,
      auth: 'none',
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(400);
    expect(answer.body.error.message).toContain(says);
  });

  test('what we say of ourselves to those who take that in place of a registration', async () => {
    const answer = await fetch(`${app.url}/oauth/client.json`);
    expect(await answer.json()).toMatchObject({
      client_id: 'https://desk.example/oauth/client.json',
      redirect_uris: ['https://desk.example/oauth/callback'],
    });
    expect((await fetch(`${app.url}/oauth/elsewhere`)).status).toBe(404);
  });

  test('H8: a sign-in whose answer drips for ever is left', async () => {
    const drips = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    });
    await new Promise<void>((done) => drips.listen(0, '127.0.0.1', done));
    const { port } = drips.address() as AddressInfo;
    const server = { id: newId(), url: `http://127.0.0.1:${port}/mcp`, client_id: null, client_secret: null };
    const away = awayTo(app.instance.app, server, AbortSignal.timeout(400));
    await expect(begin(away, 'state', { before: {}, challenge: null })).rejects.toMatchObject({
      why: 'slow',
    });
    drips.closeAllConnections();
    drips.close();
  });

  test('G9: a name that an agent gives is not looked up, since a look-up carries it away', async () => {
    const token = await app.token();
    // An agent's from here on.
    await token.tool('work_search', {});
    const make = (who: Pick<typeof token, 'rest'>, name: string) =>
      who.rest('POST', '/api/admin/capabilities', {
        name,
        url: `https://dana-at-acme.${name}.example/`,
        auth: 'none',
      });
    const made = await make(token, 'thief');
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(asked).toEqual([]);
    const { id, revision } = made.body;
    const moved = { revision, url: 'https://ben-at-acme.thief.example/' };
    expect((await token.rest('PATCH', `/api/admin/capabilities/${id}`, moved)).status).toBe(200);
    expect(asked).toEqual([]);
    expect((await make(app.admin, 'ours')).status).toBe(201);
    expect(asked).toContain('dana-at-acme.ours.example');
  });

  test('nothing is asked of an address that an agent gave, before a person vouches for it', async () => {
    const stub = await openToolServer();
    const token = await app.token();
    const made = await token.tool('api_request', {
      method: 'POST',
      path: '/api/admin/capabilities',
      body: { name: 'leak', url: `${stub.url}?data=secret`, auth: 'none' },
    });
    const { id: leak } = JSON.parse(made.text);
    const asked = await token.rest('POST', `/api/admin/capabilities/${leak}/refresh`, {});
    expect(asked.body.error.message).toContain('a person must connect it first');
    expect(stub.bearers.size).toBe(0);
    await stub.close();
  });
});
