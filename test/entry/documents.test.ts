// What anyone may read without a credential costs nothing beside its bytes, however many ask for it at once.
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiText } from '../../src/entry/openapi/document.ts';
import { features } from '../../src/features.ts';
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

/** Everyone else waits for so long while it is made. */
const MADE_WITHIN_MS = 50;

test('hole D6: the first reader of the API document keeps no one waiting', async () => {
  // What is loaded at the first request of all is not what this is about.
  await get('/healthz');
  const before = process.threadCpuUsage();
  expect((await get('/openapi.json', { 'accept-encoding': 'br' })).status).toBe(200);
  const { user, system } = process.threadCpuUsage(before);
  // Emitted by the process it took 110.
  expect((user + system) / 1000).toBeLessThan(MADE_WITHIN_MS);
});

test('the API document is the generated one, under the name and address of the instance', async () => {
  const { instance } = app.instance.app;
  const read = await (await fetch(`${app.url}/openapi.json`)).text();
  expect(read === openApiText({ features, instance })).toBe(true);
  expect(JSON.parse(read)).toMatchObject({
    info: { title: `Dunnock (${instance.name})`, version: instance.version },
    servers: [{ url: instance.base_url }],
  });
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
