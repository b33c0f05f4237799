// The second check of the address, on the sending pass: once a batch, for all of its rows.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { nameServer, type NameServer } from '../support/dns.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { desk, emit, pass, rows, setWebhook } from './outbox.ts';

let strict: TestApp;
let open: TestApp;
let dns: NameServer;
let server: Receiver;
let url: string;

beforeAll(async () => {
  dns = await nameServer();
  server = await receiver((response) => void response.writeHead(200).end());
  strict = await openTestApp({ lookup: dns.lookup });
  open = await openTestApp({ lookup: dns.lookup, allowPrivate: true });
  url = `http://hook.example:${server.port}/in`;
});
afterAll(async () => {
  await strict?.close();
  await open?.close();
  await server?.[Symbol.asyncDispose]();
  await dns?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  server.arrived.length = 0;
  server.connections.length = 0;
  dns.says('hook.example', { addresses: ['93.184.216.34'] });
  for (const app of [strict, open]) await app.sql`delete from event_deliveries`;
});

const errors = async (app: TestApp): Promise<unknown[]> => [
  ...new Set(
    (await rows(app)).map((row) => `${row.state} ${row.attempts} ${row.last_status} ${row.last_error}`),
  ),
];

describe('a refusal on the pass fails every row in that batch (up to fifty rows), and those rows spend the retry ladder', () => {
  test('I1, I2: a name that was public when it was set and is private now', async () => {
    await setWebhook(strict, url);
    dns.says('hook.example', { addresses: ['127.0.0.1'] });
    await emit(strict, 60);
    dns.asked.length = 0;
    await pass(strict);
    expect(server.connections, 'no socket was opened').toHaveLength(0);
    expect(await errors(strict)).toEqual(['pending 1 null address_refused']);
    expect(dns.asked, 'two batches, one look each, of both families').toHaveLength(4);
    for (const minutes of [1, 5, 30]) {
      strict.clock.advance(minutes * MINUTE_MS + 2 * SECOND_MS);
      await pass(strict);
    }
    expect(await errors(strict)).toEqual(['failed 4 null address_refused']);
    expect(server.connections).toHaveLength(0);
  });

  test('one private address among public ones refuses the name', async () => {
    await setWebhook(strict, url);
    dns.says('hook.example', { addresses: ['93.184.216.34', 'fd00::1'] });
    await emit(strict, 3);
    await pass(strict);
    expect(await errors(strict)).toEqual(['pending 1 null address_refused']);
    expect(server.connections).toHaveLength(0);
  });

  test('an address that the switch opened is refused once the switch is gone', async () => {
    await setWebhook(open, `http://127.0.0.1:${server.port}/in`);
    const [row] = await open.sql`select url, secret, secret_at from events_webhook`;
    await setWebhook(strict, url);
    await strict.sql`update events_webhook set url = ${row!['url']}`;
    await emit(strict);
    await pass(strict);
    expect(await errors(strict)).toEqual(['pending 1 null address_refused']);
    expect(server.connections).toHaveLength(0);
  });
});

describe('what is posted goes to the address that was checked', () => {
  test('fifty rows ask for the name once, and none asks again', async () => {
    dns.says('hook.example', { addresses: ['127.0.0.1'] });
    await setWebhook(open, url);
    await emit(open, 50);
    dns.asked.length = 0;
    await pass(open);
    expect(server.arrived).toHaveLength(50);
    expect(dns.asked).toHaveLength(2);
    expect(server.connections.length, 'connections are kept for the batch').toBeLessThanOrEqual(10);
  });

  test('I2: a name that changes its mind while a batch is under way moves no one', async () => {
    dns.says('hook.example', { addresses: ['127.0.0.1'] });
    await using other = await receiver((response) => void response.writeHead(200).end());
    await setWebhook(open, url);
    await emit(open, 50);
    const changed = { ...open.instance.app.outside };
    let asked = 0;
    // The resolver answers once as checked, and elsewhere from then on.
    changed.lookup = async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']);
    Object.assign(open.instance.app, { outside: changed });
    try {
      await pass(open);
    } finally {
      Object.assign(open.instance.app, { outside: { ...changed, lookup: dns.lookup } });
    }
    expect(server.arrived).toHaveLength(50);
    expect(other.connections).toHaveLength(0);
    expect(asked).toBe(1);
  });

  test('a hostname that resolves to nothing is allowed, and that delivery fails on its own', async () => {
    dns.says('hook.example', 'nothing');
    await setWebhook(strict, url);
    await emit(strict, 2);
    await pass(strict);
    expect(await errors(strict)).toEqual(['pending 1 null unresolved']);
  });

  test('I3: redirects are reported as failures and never followed', async () => {
    await using there = await receiver((response) => void response.writeHead(200).end());
    for (const status of [301, 302, 303, 307, 308]) {
      await using away = await receiver(
        (response) => void response.writeHead(status, { location: `http://127.0.0.1:${there.port}/` }).end(),
      );
      await open.sql`delete from event_deliveries`;
      await setWebhook(open, `http://127.0.0.1:${away.port}/`);
      await emit(open);
      await pass(open);
      expect(await errors(open)).toEqual([`pending 1 ${status} redirect`]);
    }
    expect(there.connections, 'the body went nowhere else').toHaveLength(0);
  });
});

test('failing since: from the first attempt that failed until one goes well', async () => {
  let status = 500;
  await using moody = await receiver((response) => void response.writeHead(status).end());
  const failingSince = async () =>
    (await (await desk(open)).rest('GET', '/api/admin/events/webhook')).body.webhook.failing_since;
  await setWebhook(open, `http://127.0.0.1:${moody.port}/`);
  expect(await failingSince()).toBeNull();
  await emit(open);
  await pass(open);
  const since = await failingSince();
  expect(since).not.toBeNull();
  open.clock.advance(2 * MINUTE_MS);
  await pass(open);
  expect(await failingSince(), 'the first failure stays').toBe(since);
  status = 200;
  await emit(open);
  await pass(open);
  expect(await failingSince()).toBeNull();
});
