// What costs its sender nothing costs the instance nothing either: bodies, names and files that are large, deep, many or slow.
import { request, type ClientRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestApp,
  type Answer,
  type PersonClient,
  type TestApp,
  type TokenClient,
} from '../support/app.ts';
import { atWholeCost } from '../support/passwords.ts';

let app: TestApp;
let token: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.token();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(() => app.close());

const KIB = 1024;

test('D: whoever carries no credential sends at most 64 KiB', async () => {
  const login = (bytes: number) =>
    app.bearer(null).rest('POST', '/api/auth/login', { email: 'a@example.com', password: 'x'.repeat(bytes) });
  expect((await login(60 * KIB)).status).toBe(400);
  expect(await login(65 * KIB)).toMatchObject({
    status: 413,
    body: { error: { code: 'too_large', message: expect.stringMatching(/the limit is 64 KiB/) } },
  });
  const item = { project: 'OUT', title: 'Long', description: 'x'.repeat(65 * KIB) };
  expect((await token.rest('POST', '/api/work/items', item)).status).not.toBe(413);
});

test.each([
  ['a million open brackets', '['.repeat(1_000_000), /not valid JSON/],
  ['depth', `{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /nested deeper than 32 levels/],
  [
    'a hundred thousand values',
    JSON.stringify({ labels: Array(100_000).fill('a') }),
    /more than 10000 values/,
  ],
  [
    'nine thousand wrong names',
    JSON.stringify(Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`stray${n}`, n]))),
    /and 89\d\d more$/,
  ],
  [
    'nine thousand wrong values',
    JSON.stringify({ project: 'OUT', title: 'x', links: Array(3_000).fill({ kind: 1, ref: 2 }) }),
    /^links/,
  ],
])('D: %s in a body end in one sentence at once, and a short answer', async (_, body, says) => {
  const began = performance.now();
  const answer = await token.rest('POST', '/api/work/items', body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toMatch(says);
  expect(JSON.stringify(answer.body).length).toBeLessThan(40_000);
  expect(performance.now() - began).toBeLessThan(1_500);
});

test('D: a query of thousands of names ends in one sentence', async () => {
  const answer = await token.rest('GET', `/api/work/items?${'a&'.repeat(7_000)}`);
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toBe('a is given twice');
});

test('D: asking to set up what is set up waits for no lock', async () => {
  await app.sql.begin(async (tx) => {
    await tx`select from provisioning for update`;
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        app.bearer(null).rest('POST', '/api/auth/setup', {
          key: 'x',
          name: 'Eve',
          email: 'eve@example.com',
          password: 'correct horse battery',
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
  });
});

const BOUNDARY = 'x-boundary';

/** A file that is begun, and sent to its end when `end` is called with the rest. */
function slowUpload(by: PersonClient = app.admin): { begun: ClientRequest; status: Promise<number> } {
  const begun = request(new URL('/api/admin/crm/people/import', app.url), {
    method: 'POST',
    headers: {
      cookie: by.cookie,
      origin: app.url,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
  });
  const status = new Promise<number>((resolve) => {
    begun.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    begun.on('error', () => resolve(0));
  });
  begun.write(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\nEmail\r\n`,
  );
  return { begun, status };
}

test('D: a user sends one file at a time, and the next when it has come or broken off', async () => {
  const first = slowUpload();
  const second = slowUpload();
  const refused = await Promise.race([first.status, second.status]);
  expect(refused).toBe(429);
  for (const each of [first, second]) each.begun.destroy();
  await Promise.all([first.status, second.status]);
  await expect.poll(() => wholeUpload(app.admin)).toBe(200);
});

function wholeUpload(by: PersonClient): Promise<number> {
  const { begun, status } = slowUpload(by);
  begun.end(
    `ann@example.com\r\n\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="arguments"\r\n\r\n{"dry_run":true}\r\n--${BOUNDARY}--\r\n`,
  );
  return status;
}

test('D: people who send their files slowly keep no one else’s out', async () => {
  const slow = await Promise.all(Array.from({ length: 5 }, () => app.person({ admin: true })));
  const uploads = slow.map((by) => slowUpload(by));
  // Each has its place: a second one of theirs is refused.
  for (const by of slow) await expect.poll(() => wholeUpload(by)).toBe(429);
  expect(await wholeUpload(app.admin)).toBe(200);
  for (const { begun } of uploads) begun.destroy();
  await Promise.all(uploads.map(({ status }) => status));
});

test('D7: a large file by JSON is refused before it is read where another of the same user is', async () => {
  const { begun, status } = slowUpload();
  await expect.poll(() => wholeUpload(app.admin)).toBe(429);
  const large = { file: 'Email\n' + 'x'.repeat(100 * KIB), dry_run: true };
  const small = { file: 'Email\nann@example.com\n', dry_run: true };
  const send = (body: object): Promise<Answer> =>
    app.admin.rest('POST', '/api/admin/crm/people/import', body);
  expect(await send(large)).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect((await send(small)).status).toBe(200);
  begun.destroy();
  await status;
});

test('D: of sign-ins that one address sends at once, most are refused before anything of them is read', () =>
  atWholeCost(async () => {
    const failures = async (): Promise<number> =>
      (await app.sql<{ n: number }[]>`select count(*)::int as n from sign_in_failures`)[0]?.n ?? 0;
    const before = await failures();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        app
          .bearer(null)
          .rest(
            'POST',
            '/api/auth/login',
            { email: `u${n}@example.com`, password: 'wrong horse battery' },
            { 'x-forwarded-for': '198.51.100.77' },
          ),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(100);
    expect(
      refused.some(({ body }) => body.error.message.startsWith('this IP address already has 32 requests')),
    ).toBe(true);
    // Two rows for each that was compared: of the account at the place, and of the account; and of the place.
    expect((await failures()) - before).toBeLessThanOrEqual(3 * 50);
    const other = await app
      .bearer(null)
      .rest(
        'POST',
        '/api/auth/login',
        { email: 'u@example.com', password: 'wrong horse battery' },
        { 'x-forwarded-for': '198.51.100.78' },
      );
    expect(other.status).toBe(401);
  }));
