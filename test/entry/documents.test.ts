// What anyone may read without a credential costs nothing beside its bytes, however many ask for it at once.
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

type Answer = { status: number; bytes: number; headers: Record<string, unknown> };

/** `fetch` asks for compressed bytes on its own, and unpacks them. */
const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(new URL(path, app.url), { headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => (bytes += part.length));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, bytes, headers: answer.headers }));
    })
      .on('error', reject)
      .end();
  });

test.each(['/openapi.json', '/api-docs'])(
  'hole D6: two hundred readers of %s at once cost nothing',
  async (path) => {
    await get(path);
    const before = process.cpuUsage();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => get(path, { 'accept-encoding': 'br' })),
    );
    const { user } = process.cpuUsage(before);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // Making the document took 290 ms of one core each time; both ends of 200 exchanges are in this number.
    expect(user / 1000).toBeLessThan(3_000);
  },
);

test('hole D6: a document is named by its content, sent packed, and not sent again to whoever has it', async () => {
  const plain = await get('/openapi.json');
  expect(plain).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'no-cache', vary: 'Accept-Encoding' },
  });
  const etag = String(plain.headers['etag']);
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
    expect(await get('/openapi.json', { 'if-none-match': known })).toMatchObject({ status: 304, bytes: 0 });
  expect((await get('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200);
  for (const [asked, coding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
  ] as const) {
    const packed = await get('/openapi.json', { 'accept-encoding': asked });
    expect(packed.headers['content-encoding']).toBe(coding);
    expect(packed.bytes).toBeLessThan(plain.bytes / 4);
    expect(packed.headers['etag']).not.toBe(etag);
  }
  const read = await fetch(`${app.url}/openapi.json`);
  expect(((await read.json()) as { openapi: string }).openapi).toBe('3.1.0');
});
