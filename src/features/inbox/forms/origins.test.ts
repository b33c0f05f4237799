// Scripts of other pages: they post to a form and read what came of it where the form names their page, and nowhere else.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';

const FORMS = '/api/admin/forms';
const SITE = 'https://www.acme.example';

let app: TestApp;
let at: string;
beforeAll(async () => {
  app = await openTestApp();
  const wish = {
    name: 'Contact',
    origins: [SITE, 'https://WWW.acme.example'],
    redirect_url: 'https://acme.example/thanks',
  };
  const made = await app.admin.rest('POST', FORMS, wish);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect(made.body.form.origins).toEqual([SITE]);
  at = `${app.url}${new URL(made.body.form.url).pathname}`;
});
afterAll(() => app.close());

const asks = async (origin: string, url = at) => {
  const answer = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  });
  const { headers } = answer;
  return [
    answer.status,
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-methods'),
  ];
};
const posts = (origin: string) =>
  fetch(at, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `dana.${randomUUID()}@acme.example`, message: 'Hello' }),
  });

test('a browser is told before it posts whether this page may', async () => {
  expect(await asks(SITE)).toEqual([204, SITE, 'POST']);
  for (const other of ['https://evil.example', 'http://www.acme.example', 'null', `${SITE}.evil.example`])
    expect(await asks(other), other).toEqual([204, null, null]);
  expect(await asks(SITE, `${at.slice(0, -22)}${'x'.repeat(22)}`)).toEqual([204, null, null]);
});

test('a script reads what came of its post, and is sent nowhere', async () => {
  const answer = await posts(SITE);
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  expect(answer.headers.get('access-control-allow-origin')).toBe(SITE);
  expect(answer.headers.get('vary')).toContain('origin');
  expect((await posts('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
});

test.each(['https://acme.example/path', '*', 'acme.example', 'javascript:alert(1)', 'https://a@b.example'])(
  'a form names no page like %s',
  async (origin) => {
    expect((await app.admin.rest('POST', FORMS, { name: 'Contact', origins: [origin] })).status).toBe(400);
  },
);
