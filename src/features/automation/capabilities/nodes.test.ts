// Two processes on one database, and someone's sign-in at another party: however many calls find its token ended, on whichever
// of the two, it is renewed once, since a second use of a refresh token is taken for theft.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agreeToAll, callAsAgent, connectedServer, EVENT } from '../../../../test/support/capabilities.ts';
import { freshDatabase, type FreshDatabase } from '../../../../test/support/database.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { openToolServer, type ToolServer } from '../../../../test/support/tool-server.ts';
import { HOUR_MS } from '../../../kernel/clock.ts';

let database: FreshDatabase;
let one: TestApp;
let two: TestApp;
let stub: ToolServer;
beforeAll(async () => {
  database = await freshDatabase();
  const shared = { database, masterKey: randomBytes(32), allowHosts: '127.0.0.0/8' };
  one = await openTestApp({ ...shared, baseUrl: 'https://desk.example' });
  two = await openTestApp({ ...shared, baseUrl: 'https://desk.example', setUp: false });
  stub = await openToolServer();
  stub.tools = [EVENT];
});
afterAll(async () => {
  await stub?.close();
  await two?.close();
  await one?.close();
  await database?.drop();
});

test('five calls at once on two processes after the token has ended renew it once', async () => {
  await agreeToAll(one, await connectedServer(one, stub));
  for (const end of ['by the clock', 'taken back']) {
    const before = stub.refreshes;
    if (end === 'by the clock') for (const each of [one, two]) each.clock.advance(2 * HOUR_MS);
    else stub.expire();
    const answers = await Promise.all([one, two, one, two, one].map((each) => callAsAgent(each, one.admin)));
    expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => 'done: create_event'));
    expect([stub.refreshes - before, stub.stolen], end).toEqual([1, false]);
  }
});
