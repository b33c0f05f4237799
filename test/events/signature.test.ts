// What a receiver sees of a delivery: three headers, the exact body, and a signature that other programs can check.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVENT_NAMES } from '../../src/kernel/events.rules.ts';
import { SNIPPETS } from '../../src/features/instance/events/screens/snippets.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { receiver, type Arrived, type Receiver } from '../support/receiver.ts';
import { address, desk, emit, pass, rows, setWebhook } from './outbox.ts';

let app: TestApp;
let server: Receiver;
let folder: string;
let secret: string;
let status = 200;

beforeAll(async () => {
  app = await openTestApp({ allowPrivate: true, name: 'outreach' });
  server = await receiver((response) => void response.writeHead(status).end());
  folder = mkdtempSync(join(tmpdir(), 'dunnock-verify-'));
  secret = await setWebhook(app, address(server));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.[Symbol.asyncDispose]();
  await app?.close();
});
beforeEach(() => {
  status = 200;
  server.arrived.length = 0;
});

const written = (name: string, content: string | Buffer): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

/** As openssl, which knows nothing of us, signs the bytes that arrived. */
const bySsl = (body: Buffer, key: string): string =>
  `sha256=${
    execFileSync('openssl', ['dgst', '-sha256', '-hmac', key, '-r', written('body', body)])
      .toString()
      .split(' ')[0]
  }`;

async function deliveredOne(): Promise<Arrived> {
  await emit(app);
  await pass(app);
  expect(server.arrived).toHaveLength(1);
  return server.arrived[0]!;
}

describe('each delivery is an HTTP POST carrying three headers', () => {
  test.each(EVENT_NAMES)('%s', async (event) => {
    const [id] = await emit(app, 1, event);
    await pass(app);
    const [{ method, headers, body }] = server.arrived as [Arrived];
    expect(method).toBe('POST');
    expect(headers['x-service-event']).toBe(event);
    expect(headers['x-service-delivery']).toBe(id);
    expect(headers['x-service-signature']).toBe(bySsl(body, secret));
    expect(headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['user-agent']).toBe('Dunnock/0.0.0');
    expect(
      Object.keys(headers)
        .filter((name) => name.startsWith('x-'))
        .sort(),
    ).toEqual(['x-service-delivery', 'x-service-event', 'x-service-signature']);
    expect(JSON.stringify(headers), 'no secret in a header').not.toContain(secret);
  });

  test('id, event, instance and time are inside the signed body, so that a changed header is seen', async () => {
    const { headers, body } = await deliveredOne();
    const parsed = JSON.parse(body.toString());
    expect(Object.keys(parsed)).toEqual(['id', 'event', 'instance', 'occurred_at', 'data']);
    expect(parsed).toMatchObject({
      id: headers['x-service-delivery'],
      event: headers['x-service-event'],
      instance: 'outreach',
    });
    const [row] = await rows(app, '&event=send.held');
    expect(row!.occurred_at).toBe(parsed.occurred_at);
    expect(row!.body, 'the row shows the exact bytes').toBe(body.toString());
  });
});

describe('the snippets that are shown verify a real delivery', () => {
  const snippet = (title: string): string => SNIPPETS.find((each) => each.title === title)!.code;

  /** Runs what is shown with a small main of its language. 0: verified, 1: refused. */
  const run: Record<string, (body: string, signature: string, key: string) => number | null> = {
    TypeScript(body, signature, key) {
      const main = `import { readFileSync } from 'node:fs';\nconst [, , body, signature, key] = process.argv;\nprocess.exit(verify(readFileSync(body!), signature!, key!) ? 0 : 1);\n`;
      return spawnSync(process.execPath, [
        written('verify.ts', snippet('TypeScript') + main),
        body,
        signature,
        key,
      ]).status;
    },
    Python(body, signature, key) {
      const main = `\n\nimport sys\n\nsys.exit(0 if verify(open(sys.argv[1], "rb").read(), sys.argv[2], sys.argv[3]) else 1)\n`;
      return spawnSync('python3', [written('verify.py', snippet('Python') + main), body, signature, key])
        .status;
    },
    Go(body, signature, key) {
      written('verify.go', snippet('Go'));
      written(
        'main.go',
        `package main\n\nimport "os"\n\nfunc main() {\n\tbody, _ := os.ReadFile(os.Args[1])\n\tif !verify(body, os.Args[2], os.Args[3]) {\n\t\tos.Exit(1)\n\t}\n}\n`,
      );
      written('go.mod', 'module verify\n\ngo 1.20\n');
      const built = spawnSync('go', ['build', '-o', 'verify', '.'], { cwd: folder });
      expect(built.status, built.stderr?.toString()).toBe(0);
      return spawnSync(join(folder, 'verify'), [body, signature, key]).status;
    },
    Shell(body, signature, key) {
      const script = written('verify.sh', `${snippet('Shell')}\nverify "$1" "$2"\n`);
      return spawnSync('sh', [script, body, signature], { env: { ...process.env, EVENTS_SECRET: key } })
        .status;
    },
  };

  // Whether Go is on this machine decides one row; the other three must run everywhere.
  const here = SNIPPETS.filter(({ title }) => title !== 'Go' || spawnSync('go', ['version']).status === 0);

  test.each(here.map(({ title }) => title))('%s', async (title) => {
    const { headers, body } = await deliveredOne();
    const signature = String(headers['x-service-signature']);
    const file = written('delivery.json', body);
    expect(run[title]!(file, signature, secret)).toBe(0);
    expect(run[title]!(file, signature, `${secret}x`), 'another key').toBe(1);
    expect(
      run[title]!(written('changed.json', Buffer.concat([body, Buffer.from(' ')])), signature, secret),
      'other bytes',
    ).toBe(1);
    expect(run[title]!(file, signature.toUpperCase(), secret), 'another spelling').toBe(1);
  });

  test('the guide shows the same snippets', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/events.md'), 'utf8');
    for (const { title, code } of SNIPPETS) expect(guide, title).toContain(code.trimEnd());
  });
});

describe('sending again', () => {
  test('a failed row goes out with the same id and bytes, signed with the key of the day', async () => {
    const token = await desk(app);
    status = 500;
    const [id] = await emit(app);
    for (const minutes of [0, 1, 5, 30]) {
      app.clock.advance(minutes * 60_000 + 2_000);
      await pass(app);
    }
    const first = server.arrived[0]!;
    const rotated = await token.rest('POST', '/api/admin/events/secret/rotate', {});
    expect(rotated.status).toBe(200);
    status = 200;
    const again = await token.rest('POST', `/api/admin/events/${id}/redeliver`, {});
    expect(again.body.delivery).toMatchObject({ id, state: 'pending', attempts: 0, last_status: 500 });
    await pass(app);
    const last = server.arrived.at(-1)!;
    expect(server.arrived).toHaveLength(5);
    expect(last.body.equals(first.body)).toBe(true);
    expect(last.headers['x-service-delivery']).toBe(id);
    expect(last.headers['x-service-signature']).toBe(bySsl(last.body, rotated.body.secret));
    expect(last.headers['x-service-signature']).not.toBe(first.headers['x-service-signature']);
    secret = rotated.body.secret;
    expect((await rows(app))[0]).toMatchObject({ id, state: 'delivered', attempts: 1 });
  });

  test('only a failed or a skipped row is sent again', async () => {
    const token = await desk(app);
    const [id] = await emit(app);
    expect((await token.rest('POST', `/api/admin/events/${id}/redeliver`, {})).status, 'pending').toBe(409);
    await pass(app);
    expect((await token.rest('POST', `/api/admin/events/${id}/redeliver`, {})).status, 'delivered').toBe(409);
    expect(
      (await token.rest('POST', '/api/admin/events/0198c0de-0000-7000-8000-00000000000e/redeliver', {}))
        .status,
    ).toBe(404);
    await pass(app);
    expect(server.arrived).toHaveLength(1);
  });

  test('a span of time is sent again at once, a thousand rows a call', async () => {
    const token = await desk(app);
    await app.sql`delete from event_deliveries`;
    const since = app.clock.now().toISOString();
    const ids = await emit(app, 1_003);
    await app.sql`update event_deliveries set state = 'skipped', next_attempt_at = null`;
    await app.sql`update event_deliveries set occurred_at = ${since}::timestamptz - interval '1 second' where id = ${ids[0]!}`;
    const body = { since, state: 'skipped' };
    expect(
      (await token.rest('POST', '/api/admin/events/redeliver', { ...body, state: 'failed' })).body,
    ).toEqual({ queued: 0, more: false });
    expect((await token.rest('POST', '/api/admin/events/redeliver', { ...body, until: since })).body).toEqual(
      { queued: 0, more: false },
    );
    expect((await token.rest('POST', '/api/admin/events/redeliver', body)).body).toEqual({
      queued: 1_000,
      more: true,
    });
    expect((await token.rest('POST', '/api/admin/events/redeliver', body)).body).toEqual({
      queued: 2,
      more: false,
    });
    expect(
      (await token.rest('POST', '/api/admin/events/redeliver', { ...body, state: 'delivered' })).status,
    ).toBe(400);
    await pass(app);
    expect(new Set(server.arrived.map((each) => each.headers['x-service-delivery'])).size).toBe(1_002);
    expect(await rows(app, '&state=skipped')).toHaveLength(1);
  });
});
