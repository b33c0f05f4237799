// Many requests of one sender keep no one else waiting: whose they are takes turns, and what comes without a credential goes at a
// pace.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { inTurns } from '../../src/entry/turns.ts';

const MANY = 300;

type Asked = { of: string; path?: string; headers?: Record<string, string> };
type Begun = { order: string[]; took_ms: number };

const many = (asked: Asked): Asked[] => Array.from({ length: MANY }, () => asked);

/** Sends all of them in the same moment, each on a connection of its own: in which order they are begun, and within what time. */
async function begunOf(all: Asked[], is_proxy: (address: string) => boolean = () => true): Promise<Begun> {
  const order: string[] = [];
  const times: number[] = [];
  const server = createServer(
    inTurns((request, response) => {
      order.push(String(request.headers['x-of']));
      times.push(performance.now());
      response.end('{}');
    }, is_proxy),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket.resume();
  };
  let accepted = 0;
  server.on('connection', () => (accepted += 1));
  const sockets = await Promise.all(all.map(open));
  await expect.poll(() => accepted).toBe(all.length);
  for (const [n, { of, path = '/', headers = {} }] of all.entries()) {
    const lines = Object.entries({ host: 'a', 'x-of': of, connection: 'close', ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    sockets[n]?.write(`GET ${path} HTTP/1.1\r\n${head}\r\n`);
  }
  await Promise.all(sockets.map(async (socket) => socket.closed || once(socket, 'close')));
  server.close();
  expect(order).toHaveLength(all.length);
  return { order, took_ms: (times.at(-1) ?? 0) - (times[0] ?? 0) };
}

const KNOWN: Asked = { of: 'known', headers: { authorization: 'Bearer one' } };
const STRANGER: Asked = { of: 'stranger' };
const from = (address: string): Asked => ({ of: address, headers: { 'x-forwarded-for': address } });

test('a request behind three hundred of another sender, sent in the same moment, is begun among the first', async () => {
  const { order } = await begunOf([...many(STRANGER), KNOWN]);
  // Before turns were taken it was the last of all.
  expect(order.indexOf('known')).toBeLessThan(MANY / 2);
});

test('what comes without a credential goes at a pace of one each millisecond after the first 64', async () => {
  const { took_ms } = await begunOf(many(STRANGER));
  // All at once it took 30 ms.
  expect(took_ms).toBeGreaterThan(200);
});

test('of three hundred with a credential and as many without, those with one do not wait for the others', async () => {
  const { order } = await begunOf([...many(STRANGER), ...many(KNOWN)]);
  const before = order.slice(0, order.lastIndexOf('known')).filter((of) => of === 'stranger');
  // In turns alone it was nearly all of them.
  expect(before.length).toBeLessThan(MANY / 2);
});

test('places take turns, as a proxy names them', async () => {
  const all = [...many(from('198.51.100.7')), from('198.51.100.8'), from('2001:db8::1')];
  const { order } = await begunOf(all, (address) => address === '127.0.0.1');
  for (const { of } of all.slice(-2)) expect(order.indexOf(of), of).toBeLessThan(MANY / 2);
});

test('whoever is no proxy does not name the place', async () => {
  const { order } = await begunOf([...many(from('198.51.100.7')), from('198.51.100.8')], () => false);
  expect(order.at(-1)).toBe('198.51.100.8');
});

test('whoever watches over the instance waits behind nothing else of its place', async () => {
  const { order } = await begunOf([...many(STRANGER), { of: 'watch', path: '/healthz' }]);
  expect(order.indexOf('watch')).toBeLessThan(MANY / 2);
});
