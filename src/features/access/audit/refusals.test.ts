// What was refused is written down, whatever text the caller put into it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TokenClient } from '../../../../test/support/app.ts';

let app: TestApp;
let token: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.token();
});
afterAll(() => app?.close());

test('a refusal that names a key with a NUL is audited, with a mark in its place', async () => {
  const answer = await token.rest('POST', '/api/admin/crm/people', { name: 'Dana Roe', 'ti\0tle': 'x' });
  expect(answer.status).toBe(400);
  const { body } = await app.admin.rest('GET', '/api/admin/audit?limit=1');
  expect(body.items[0]).toMatchObject({ act: 'person_create', outcome: 'refused' });
  expect(body.items[0].sentence).toContain('ti\uFFFDtle');
});
