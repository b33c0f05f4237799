// What is shown of another party's server: whether it answers, who is signed in, and what was agreed to beside what it is now.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  agreeToAll,
  callAsAgent,
  CAPABILITIES,
  connectedServer,
  EVENT,
} from '../../../../test/support/capabilities.ts';
import { openTestHouse, type TestHouse } from '../../../../test/support/house.ts';
import { openToolServer, type ToolServer } from '../../../../test/support/tool-server.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';

let house: TestHouse;
let stub: ToolServer;
beforeAll(async () => {
  house = await openTestHouse({ allowHosts: '127.0.0.0/8', baseUrl: 'https://desk.example' });
});
afterAll(async () => house?.close());
beforeEach(async () => {
  stub = await openToolServer();
  stub.tools = [EVENT];
});
afterEach(async () => {
  await house.sql`delete from capabilities`;
  await stub.close();
});

async function agreed(): Promise<string> {
  const id = await connectedServer(house, stub);
  await agreeToAll(house, id);
  return id;
}
const refresh = (id: string) => house.admin.rest('POST', `${CAPABILITIES}/${id}/refresh`, {});
const listed = async (): Promise<any> => (await house.admin.rest('GET', CAPABILITIES)).body.items[0];

test('what was agreed to stands beside what it is now, with who agreed; a hint is a part of it', async () => {
  const id = await agreed();
  stub.tools = [{ ...EVENT, annotations: { destructiveHint: true } }];
  const [changed] = (await refresh(id)).body.tools;
  expect(changed).toMatchObject({
    state: 'changed',
    hints: { destroys: true, reads_only: null },
    agreed: { says: EVENT.description, by: house.admin.name, hints: { destroys: null } },
  });
  await agreeToAll(house, id);
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
  await house.sql`update capabilities set url = ${gone} where id = ${id}`;
  expect((await refresh(id)).status).toBe(503);
  const since = house.clock.now().toISOString();
  house.clock.advance(MINUTE_MS);
  await expect(callAsAgent(house, house.admin)).rejects.toThrow('could not be reached');
  const found = await listed();
  expect(found.trouble.why).toBe('unreachable');
  expect(found.trouble.since <= since).toBe(true);
  await house.sql`update capabilities set url = ${stub.url} where id = ${id}`;
  expect((await refresh(id)).body).toMatchObject({ trouble: null, revision });
});
