// What is shown of another party's server: whether it answers, who is signed in, and what was agreed to beside what it is now.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  agreeToAll,
  callAsAgent,
  CAPABILITIES,
  connectedServer,
  EVENT,
} from '../../../../test/support/capabilities.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { openToolServer, type ToolServer } from '../../../../test/support/tool-server.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';

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

async function agreed(): Promise<string> {
  const id = await connectedServer(app, stub);
  await agreeToAll(app, id);
  return id;
}
const refresh = (id: string) => app.admin.rest('POST', `${CAPABILITIES}/${id}/refresh`, {});
const listed = async (): Promise<any> => (await app.admin.rest('GET', CAPABILITIES)).body.items[0];

test('what was agreed to is beside what it is now, with who agreed; a hint is a part of it', async () => {
  const id = await agreed();
  stub.tools = [{ ...EVENT, annotations: { destructiveHint: true } }];
  const [changed] = (await refresh(id)).body.tools;
  expect(changed).toMatchObject({
    state: 'changed',
    hints: { destroys: true, reads_only: null },
    agreed: { says: EVENT.description, by: app.admin.name, hints: { destroys: null } },
  });
  await agreeToAll(app, id);
  const [again] = (await listed()).tools;
  expect(again).toMatchObject({ state: 'on', agreed: { hints: { destroys: true } } });
});

test('one that does not answer says so, since when, and no longer once it answers', async () => {
  const id = await agreed();
  expect(await listed()).toMatchObject({
    trouble: null,
    signed_in: 1,
  });
  const { revision } = await listed();
  const gone = stub.url.replace(/:\d+/, ':9');
  await app.sql`update capabilities set url = ${gone} where id = ${id}`;
  expect((await refresh(id)).status).toBe(503);
  const since = app.clock.now().toISOString();
  app.clock.advance(MINUTE_MS);
  await expect(callAsAgent(app, app.admin)).rejects.toThrow('could not be reached');
  const found = await listed();
  expect(found.trouble.why).toBe('unreachable');
  expect(found.trouble.since <= since).toBe(true);
  await app.sql`update capabilities set url = ${stub.url} where id = ${id}`;
  expect((await refresh(id)).body).toMatchObject({ trouble: null, revision });
});
