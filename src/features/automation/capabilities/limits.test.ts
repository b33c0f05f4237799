// How often and how long another party's tools are asked: counted by the day, and loosened by a person alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  agreeToAll,
  CAPABILITIES,
  callAsAgent,
  connectedServer,
  EVENT,
} from '../../../../test/support/capabilities.ts';
import { openTestApp, type RestClient, type TestApp } from '../../../../test/support/app.ts';
import { openToolServer, type ToolServer } from '../../../../test/support/tool-server.ts';
import { DAY_MS } from '../../../kernel/clock.ts';

let app: TestApp;
let stub: ToolServer;
let id: string;
beforeAll(async () => {
  app = await openTestApp({ allowHosts: '127.0.0.0/8', baseUrl: 'own' });
  stub = await openToolServer();
  stub.tools = [EVENT];
  id = await connectedServer(app, stub);
  await agreeToAll(app, id);
});
afterAll(async () => {
  await app?.close();
  await stub?.close();
});

const call = () => callAsAgent(app, app.admin);
const listed = async () => (await app.admin.rest('GET', CAPABILITIES)).body.items[0];
async function limited(by: RestClient, wanted: object) {
  const { revision } = await listed();
  const { status, body } = await by.rest('PATCH', `${CAPABILITIES}/${id}`, { revision, ...wanted });
  return { status, body };
}

test('it is called as often in a day as was said, also by several at once', async () => {
  const { body } = await limited(app.admin, { daily_calls: 2, deadline_seconds: 9 });
  expect(body).toMatchObject({ daily_calls: 2, calls_today: 0, deadline_seconds: 9 });
  const settled = await Promise.allSettled([call(), call(), call()]);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  await expect(call()).rejects.toThrow('reached its limit of 2 calls today');
  expect(stub.calls).toBe(2);
  expect(await listed()).toMatchObject({ calls_today: 2 });
  app.clock.advance(DAY_MS);
  expect((await call()).text).toBe('done: create_event');
  expect(await listed()).toMatchObject({ calls_today: 1 });
});

test('an agent lowers both and raises neither, and what fits no server is refused by name', async () => {
  const token = await app.token();
  await token.rpc('ping');
  const refused = [409, expect.stringContaining('a person can raise them in Settings')];
  for (const raised of [{ daily_calls: 3 }, { deadline_seconds: 10 }]) {
    const { status, body } = await limited(token, raised);
    expect([status, body.error?.message]).toEqual(refused);
  }
  expect((await limited(token, { deadline_seconds: 8, daily_calls: 1 })).body.deadline_seconds).toBe(8);
  const wide = await limited(app.admin, { deadline_seconds: 26, daily_calls: -1 });
  expect(Object.keys(wide.body.error.details.fields).toSorted()).toEqual(['daily_calls', 'deadline_seconds']);
  expect((await limited(app.admin, { daily_calls: 0 })).body.daily_calls).toBe(0);
  await expect(call()).rejects.toThrow('agents are not allowed to call Calendar: a person can allow it');
  expect((await limited(app.admin, { daily_calls: 10 })).body.daily_calls).toBe(10);
});

test('a server that is slower than it is waited for is given up', async () => {
  await limited(app.admin, { deadline_seconds: 1 });
  stub.answers = () => undefined;
  await expect(call()).rejects.toThrow('did not respond in time');
});
