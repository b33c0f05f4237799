// Posts to receivers on loopback that behave badly. Only the addresses of the receivers are private; everything else
// is as it is on the wire.
import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openPool, postPinned, type Post } from '../../src/net/post.ts';
import { admitUrl } from '../../src/net/resolve.ts';
import { certificateFor } from '../support/certificate.ts';
import { nameServer } from '../support/dns.ts';
import { deadPort, rawReceiver, receiver } from '../support/receiver.ts';

const HERE = ['127.0.0.1'];

/** A name that no resolver of this machine knows: whoever arrives came by the pinned address. */
const post = (port: number, more: Partial<Post> = {}) =>
  postPinned({
    url: `http://hooks.invalid:${port}/in`,
    addresses: HERE,
    headers: {},
    body: '{}',
    timeoutMs: 5_000,
    ...more,
  });

const ended = (socket: Socket | undefined): Promise<void> =>
  new Promise(
    (resolve) => void (!socket || socket.destroyed ? resolve() : socket.once('close', () => resolve())),
  );

test('each delivery is an HTTP POST of exactly these bytes, with the headers it was given', async () => {
  await using there = await receiver((response) => response.writeHead(202).end('thanks'));
  const body = JSON.stringify({ name: 'Zoë ☂', nothing: '\u0000' });
  const answer = await post(there.port, {
    url: `http://hooks.invalid:${there.port}/in?a=b%20c#part`,
    body,
    headers: { 'X-Service-Event': 'reply.landed' },
  });
  expect(answer).toEqual({ status: 202, error: null });
  const [arrived] = there.arrived;
  expect(arrived).toMatchObject({ method: 'POST', path: '/in?a=b%20c' });
  expect(arrived?.headers).toMatchObject({
    host: `hooks.invalid:${there.port}`,
    'content-length': String(Buffer.byteLength(body)),
    'x-service-event': 'reply.landed',
  });
  expect(arrived?.headers['transfer-encoding']).toBeUndefined();
  expect(arrived?.body).toEqual(Buffer.from(body, 'utf8'));

  const bytes = Buffer.from([0, 255, 254, 13, 10]);
  await post(there.port, { body: bytes });
  expect(there.arrived[1]?.body).toEqual(bytes);
});

test.each([200, 204, 400, 410, 500])(
  'an answer of %i is its status and nothing of its text',
  async (status) => {
    await using there = await receiver((response) =>
      response.writeHead(status, 'a reason').end(status === 204 ? undefined : 'internal secrets'),
    );
    expect(await post(there.port)).toEqual({ status, error: null });
  },
);

describe('I2: the socket goes only to checked addresses', () => {
  test('also when the name changes its mind between check and connect', async () => {
    await using dns = await nameServer();
    await using there = await receiver((response) => response.end());
    dns.says('rebinding.example', { addresses: HERE });
    const admitted = await admitUrl(`http://rebinding.example:${there.port}/`, { allowPrivate: true }, dns);
    if (!admitted.ok) throw new Error(admitted.sentence);
    const questions = dns.asked.length;
    dns.says('rebinding.example', { addresses: ['127.0.0.66'] });
    expect(await post(there.port, admitted)).toEqual({ status: 200, error: null });
    expect(there.arrived).toHaveLength(1);
    expect(dns.asked, 'nothing was resolved a second time').toHaveLength(questions);
  });

  test('a second checked address serves where the first does not answer', async () => {
    await using there = await receiver((response) => response.end());
    expect(await post(there.port, { addresses: ['::1', '127.0.0.1'] })).toEqual({ status: 200, error: null });
  });

  test('a host that is an address itself is compared, since no resolver is asked for it', async () => {
    await using there = await receiver((response) => response.end());
    const url = `http://127.0.0.1:${there.port}/`;
    expect(await post(there.port, { url, addresses: ['93.184.216.34'] })).toEqual({
      status: null,
      error: 'address',
    });
    expect(await post(there.port, { url: `http://0x7f.1:${there.port}/`, addresses: ['127.1'] })).toEqual({
      status: null,
      error: 'address',
    });
    expect(there.connections).toHaveLength(0);
    expect(await post(there.port, { url })).toEqual({ status: 200, error: null });
  });

  test('without an address nothing is opened: that delivery fails on its own', async () => {
    expect(await post(1, { url: 'http://localhost:1/', addresses: [] })).toEqual({
      status: null,
      error: 'unresolved',
    });
  });

  test('a kept connection is not used for other addresses of the same name', async () => {
    await using there = await receiver((response) => response.end());
    const pool = openPool();
    expect(await post(there.port, { pool })).toEqual({ status: 200, error: null });
    expect(await post(there.port, { pool, addresses: ['::1'] })).toMatchObject({ status: null });
    expect(there.arrived).toHaveLength(1);
    pool.close();
  });

  test('a URL with credentials that was never checked is a fault', async () => {
    await expect(post(1, { url: 'http://user@hooks.invalid/' })).rejects.toThrow('unchecked');
  });
});

test.each([300, 301, 302, 303, 304, 305, 307, 308])(
  'I3: a redirect (%i) is a failure, is never followed, and the body is never sent again',
  async (status) => {
    await using inside = await receiver((response) => response.end('credentials'));
    await using there = await receiver((response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/latest/meta-data` }).end(),
    );
    const pool = openPool();
    expect(await post(there.port, { pool })).toEqual({ status, error: 'redirect' });
    expect(inside.connections).toHaveLength(0);
    expect(there.arrived).toHaveLength(1);
    pool.close();
  },
);

test('I4: a proxy in the environment of the host is not used, and certificates stay verified whatever it says', async () => {
  await using proxy = await receiver((response) => response.writeHead(200).end());
  await using there = await receiver((response) => response.writeHead(201).end());
  await using secure = await receiver((response) => response.end(), certificateFor(['hooks.invalid']));
  const away = `http://127.0.0.1:${proxy.port}`;
  const script = `
    import { openPool, postPinned } from ${JSON.stringify(join(import.meta.dirname, '../../src/net/post.ts'))};
    const base = { addresses: ['127.0.0.1'], headers: {}, body: '{}', timeoutMs: 5000 };
    const pool = openPool();
    const answers = [];
    for (const url of ['http://hooks.invalid:${there.port}/', 'https://hooks.invalid:${secure.port}/'])
      for (const more of [{}, { pool }]) answers.push(await postPinned({ ...base, ...more, url }));
    pool.close();
    // Shows that the environment works on whoever does not refuse it.
    answers.push((await fetch('http://hooks.invalid/')).status);
    console.log(JSON.stringify(answers));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--no-warnings', '-e', script],
    {
      env: {
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: away,
        HTTPS_PROXY: away,
        http_proxy: away,
        https_proxy: away,
        ALL_PROXY: away,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      },
    },
  );
  const direct = { status: 201, error: null };
  const unverified = { status: null, error: 'certificate' };
  expect(JSON.parse(stdout)).toEqual([direct, direct, unverified, unverified, 200]);
  expect(proxy.arrived.map(({ path }) => path)).toEqual(['http://hooks.invalid/']);
});

describe('I5: reading is capped, and there is one deadline for the whole exchange', () => {
  test('an answer of 1 GB is cut', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let taken = 0;
    await using there = await receiver((response) => {
      response.writeHead(200, { 'content-length': String(1024 ** 3) });
      const more = (): void => {
        while (!response.destroyed && taken < 1024 ** 3) {
          taken += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    });
    expect(await post(there.port)).toEqual({ status: 200, error: 'too_long' });
    await ended(there.connections[0]);
    expect(taken).toBeLessThan(32 * 1024 ** 2);
  });

  test('an answer of 16 KiB is read, and of one byte more is not', async () => {
    let size = 16 * 1024;
    await using there = await receiver((response) => response.end(Buffer.alloc(size)));
    expect(await post(there.port)).toEqual({ status: 200, error: null });
    size += 1;
    expect(await post(there.port)).toEqual({ status: 200, error: 'too_long' });
  });

  test('an answer that drips a byte at a time is ended by the deadline, however often a byte comes', async () => {
    await using there = await receiver((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await post(there.port, { timeoutMs: 300 })).toEqual({ status: 200, error: 'too_slow' });
    await ended(there.connections[0]);
  });

  test('a head that drips, or never ends, is ended too', async () => {
    await using slow = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-a: b\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await post(slow.port, { timeoutMs: 300 })).toEqual({ status: null, error: 'timeout' });
    await using endless = await rawReceiver((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(40_000)}`),
    );
    expect(await post(endless.port)).toEqual({ status: null, error: 'bad_answer' });
    await using interim = await rawReceiver((socket) => {
      const drip = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await post(interim.port, { timeoutMs: 300 })).toEqual({ status: null, error: 'timeout' });
  });

  test('a receiver that hangs costs the deadline and no more, also on a kept connection', async () => {
    await using there = await receiver(() => {});
    const pool = openPool();
    const started = performance.now();
    expect(await post(there.port, { pool, timeoutMs: 300 })).toEqual({ status: null, error: 'timeout' });
    expect(performance.now() - started).toBeLessThan(2_000);
    await ended(there.connections[0]);
    pool.close();
  });

  test('a receiver that takes the connection and never reads the body is ended by the deadline', async () => {
    await using there = await rawReceiver((socket) => socket.pause());
    expect(await post(there.port, { body: Buffer.alloc(16 * 1024 ** 2), timeoutMs: 300 })).toEqual({
      status: null,
      error: 'timeout',
    });
  });
});

describe('a failure has a class from a closed list', () => {
  test.each([
    [
      'the connection is reset',
      (_: (text: string) => void, reset: () => void) => reset(),
      { status: null, error: 'reset' },
    ],
    [
      'what answers is not HTTP',
      (write: (text: string) => void) => write('220 mail.example ESMTP\r\n'),
      { status: null, error: 'bad_answer' },
    ],
    [
      'both lengths are given',
      (write: (text: string) => void) =>
        write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
      { status: null, error: 'bad_answer' },
    ],
    [
      'protocols are switched',
      (write: (text: string) => void) =>
        write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhello'),
      { status: null, error: 'bad_answer' },
    ],
    [
      'the answer breaks off',
      (write: (text: string) => void, reset: () => void) => (
        write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'),
        setTimeout(reset, 50)
      ),
      { status: 200, error: 'reset' },
    ],
  ] as const)('when %s', async (_says, behaves, expected) => {
    await using there = await rawReceiver((socket) => {
      socket.once('data', () =>
        behaves(
          (text) => void socket.write(text),
          () => void socket.resetAndDestroy(),
        ),
      );
    });
    expect(await post(there.port)).toEqual(expected);
  });

  test('when no one listens', async () => {
    expect(await post(await deadPort())).toEqual({ status: null, error: 'refused' });
    expect(await post(await deadPort(), { addresses: ['127.0.0.1', '::1'] })).toEqual({
      status: null,
      error: 'refused',
    });
  });

  test('when the caller stops', async () => {
    await using there = await receiver(() => {});
    expect(await post(there.port, { signal: AbortSignal.timeout(100) })).toEqual({
      status: null,
      error: 'cancelled',
    });
    expect(await post(there.port, { signal: AbortSignal.abort() })).toEqual({
      status: null,
      error: 'cancelled',
    });
    expect(there.connections).toHaveLength(1);
  });
});

describe('the connections of a pass', () => {
  test('fifty rows to one receiver share the connections that were opened for as many as went at once', async () => {
    await using there = await receiver((response) => response.end('ok'));
    const pool = openPool();
    for (let row = 0; row < 10; row += 1) {
      const five = await Promise.all(Array.from({ length: 5 }, () => post(there.port, { pool })));
      expect(five.every(({ status }) => status === 200)).toBe(true);
    }
    expect(there.arrived).toHaveLength(50);
    expect(there.connections).toHaveLength(5);
    pool.close();
    await Promise.all(there.connections.map(ended));
  });

  test('a kept connection that the receiver has closed meanwhile fails no row', async () => {
    let served = 0;
    await using there = await rawReceiver((socket) => {
      // Answers one request; meets the next on the same connection with a reset, as a server that had closed it.
      let here = 0;
      socket.on('data', () => {
        here += 1;
        if (here > 1) return void socket.resetAndDestroy();
        served += 1;
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    const pool = openPool();
    for (let row = 0; row < 4; row += 1)
      expect(await post(there.port, { pool })).toEqual({ status: 200, error: null });
    expect(served).toBe(4);
    pool.close();
  });

  test('without a pool a connection ends with its post', async () => {
    await using there = await receiver((response) => response.end('ok'));
    await post(there.port);
    await ended(there.connections[0]);
    expect(there.arrived[0]?.headers.connection).toBe('close');
  });
});
