// Receivers of events that behave badly, each on a port of its own. Any message makes them drop every connection.
import { createServer as createHttp, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { certificateFor } from '../../test/support/certificate.ts';

const MIB = Buffer.alloc(1024 * 1024, 'x');

const answering = (answer: (response: ServerResponse) => void): RequestListener => {
  return (request, response) => {
    request.resume();
    request.on('end', () => answer(response));
  };
};

function pour(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': String(1024 * MIB.length) });
  let left = 1024;
  const more = (): void => {
    while (left-- > 0 && !response.destroyed)
      if (!response.write(MIB)) return void response.once('drain', more);
  };
  more();
}

function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
}

const ROGUES: Record<string, Server> = {
  'takes them all': createHttp(answering((response) => response.writeHead(204).end())),
  hangs: createTcp((socket) => socket.resume()),
  resets: createTcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
  drips: createHttp(answering(drip)),
  'answers 1 GB': createHttp(answering(pour)),
  redirects: createHttp(
    answering((response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()),
  ),
  'has a bad certificate': createHttps(
    certificateFor(['127.0.0.1']),
    answering((response) => response.end()),
  ),
};

const sockets = new Set<Socket>();
const urls: Record<string, string> = {};
for (const [name, server] of Object.entries(ROGUES)) {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  urls[name] = `http${name.includes('certificate') ? 's' : ''}://127.0.0.1:${port}/`;
}
process.send?.({ urls });

process.on('message', () => {
  for (const socket of sockets) socket.destroy();
  process.send?.('done');
});
process.on('disconnect', () => process.exit(0));
