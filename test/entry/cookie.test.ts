// The session's cookie is read under the name that it was set by, and under no other.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

let secure: TestApp;
let plain: TestApp;
beforeAll(async () => {
  [secure, plain] = await Promise.all([openTestApp({ baseUrl: 'https://desk.example' }), openTestApp()]);
});
afterAll(() => Promise.all([secure.close(), plain.close()]));

const who = async (app: TestApp, cookie: string): Promise<number> =>
  (await app.bearer(null).rest('GET', '/api/me', undefined, { cookie, 'sec-fetch-site': 'same-origin' }))
    .status;

test('hole G2: under https a cookie without the prefix, which a neighbour can set, is no one’s', async () => {
  const [name, value] = secure.admin.cookie.split('=');
  expect(name).toBe('__Host-dunnock_session');
  expect(await who(secure, `__Host-dunnock_session=${value}`)).toBe(200);
  expect(await who(secure, `dunnock_session=${value}`)).toBe(401);
  expect(await who(secure, `dunnock_session=${value}; __Host-dunnock_session=x`)).toBe(401);
  expect(await who(secure, `dunnock_session=x; __Host-dunnock_session=${value}`)).toBe(200);
});

test('hole G2: without https the plain name alone is read', async () => {
  const [name, value] = plain.admin.cookie.split('=');
  expect(name).toBe('dunnock_session');
  expect(await who(plain, `dunnock_session=${value}`)).toBe(200);
  expect(await who(plain, `__Host-dunnock_session=${value}`)).toBe(401);
});
