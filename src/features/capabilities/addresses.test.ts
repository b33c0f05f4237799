// Where a tool server may stand, and what we say of ourselves to the sign-ins of others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestHouse, type TestHouse } from '../../../test/support/house.ts';
import { openToolServer } from '../../../test/support/tool-server.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse({ allowHosts: '127.0.0.0/8', baseUrl: 'https://desk.example' });
});
afterAll(async () => house?.close());

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
    const answer = await house.admin.rest('POST', '/api/admin/capabilities', {
      name: 'elsewhere',
      url,
      auth: 'none',
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(400);
    expect(answer.body.error.message).toContain(says);
  });

  test('what we say of ourselves to those who take that in place of a registration', async () => {
    const answer = await fetch(`${house.url}/oauth/client.json`);
    expect(await answer.json()).toMatchObject({
      client_id: 'https://desk.example/oauth/client.json',
      redirect_uris: ['https://desk.example/oauth/callback'],
    });
    expect((await fetch(`${house.url}/oauth/elsewhere`)).status).toBe(404);
  });

  test('nothing is asked of an address that an agent gave, before a person stands for it', async () => {
    const stub = await openToolServer();
    const token = await house.token();
    const made = await token.tool('api_request', {
      method: 'POST',
      path: '/api/admin/capabilities',
      body: { name: 'leak', url: `${stub.url}?data=secret`, auth: 'none' },
    });
    const { id: leak } = JSON.parse(made.text);
    const asked = await token.rest('POST', `/api/admin/capabilities/${leak}/refresh`, {});
    expect(asked.body.error.message).toContain('an agent gave the address');
    expect(stub.bearers.size).toBe(0);
    await stub.close();
  });
});
