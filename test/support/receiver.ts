// Receivers on loopback that behave as badly as a test wants. They count connections and keep what arrived.
import {
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Certificate } from './certificate.ts';

export type Arrived = { method: string; path: string; headers: IncomingMessage['headers']; body: Buffer };

export type Receiver = AsyncDisposable & {
  port: number;
  arrived: Arrived[];
  /** Every connection so far, the ended ones too. */
  connections: Socket[];
};

type Answers = (response: ServerResponse, request: IncomingMessage) => void;

/** Reads each request to its end, keeps it, and then answers. */
export function receiver(answers: Answers, certificate?: Certificate): Promise<Receiver> {
  const arrived: Arrived[] = [];
  const onRequest: RequestListener = (request, response) => {
    void buffer(request).then((body) => {
      arrived.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
      answers(response, request);
    });
  };
  return listening(certificate ? createHttps(certificate, onRequest) : createHttp(onRequest), arrived);
}

/** A receiver below HTTP: is given each connection. */
export function rawReceiver(onConnection: (socket: Socket) => void): Promise<Receiver> {
  return listening(createTcp(onConnection), []);
}

async function listening(server: Server, arrived: Arrived[]): Promise<Receiver> {
  const connections: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    connections.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    arrived,
    connections,
    [Symbol.asyncDispose]() {
      for (const socket of connections) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

/** A port of loopback where no one listens. */
export async function deadPort(): Promise<number> {
  await using gone = await rawReceiver(() => {});
  return gone.port;
}
