// Many requests of one sender keep no one else waiting: whose they are takes turns, and the stranger's are begun last.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { inTurns } from '../../src/entry/turns.ts';

const MANY = 300;

test('a request behind three hundred of another sender, sent in the same moment, is begun among the first', async () => {
  const begun: string[] = [];
  const server = createServer(
    inTurns((request, response) => {
      begun.push(request.headers.authorization ?? 'nobody');
      response.end('{}');
    }),
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
  const sockets = await Promise.all(Array.from({ length: MANY + 1 }, open));
  await expect.poll(() => accepted).toBe(MANY + 1);
  const ask = (socket: Socket | undefined, authorization: string): void => {
    socket?.write(`GET / HTTP/1.1\r\nhost: a\r\n${authorization}connection: close\r\n\r\n`);
  };
  for (const socket of sockets.slice(0, MANY)) ask(socket, '');
  ask(sockets[MANY], 'authorization: Bearer one\r\n');
  await Promise.all(sockets.map(async (socket) => socket.closed || once(socket, 'close')));
  expect(begun).toHaveLength(MANY + 1);
  // Before turns were taken it was the last of all.
  expect(begun.indexOf('Bearer one')).toBeLessThan(MANY / 2);
  server.close();
});
