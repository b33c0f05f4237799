// A TCP proxy of the test's own that does to its connections what networks do: wait, drip, cut, reset, swallow, refuse. What it
// does is switched while it runs, and holds for connections that are open too.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Fault =
  | { kind: 'none' }
  /** Every piece waits so long, both ways. */
  | { kind: 'latency'; ms: number }
  /** So many bytes at a time, one after another, both ways. */
  | { kind: 'drip'; bytes: number; every_ms: number }
  /**
   * Nothing comes through any more and no one is told: connections stay open. With a text: only on connections on which it is
   * sent, from that piece on; its other end may still hear the piece itself.
   */
  | { kind: 'swallow'; from?: string; heard?: boolean }
  /** The connection ends in order, once so many bytes of the answers came through from now on. */
  | { kind: 'cut'; after_bytes: number }
  /** The same without order: RST. */
  | { kind: 'reset'; after_bytes: number }
  /** What holds this text is carried, and the connection ends without order before anything of the answer comes back. */
  | { kind: 'unanswered'; text: string }
  /** No one listens, and who was connected is cut off. */
  | { kind: 'down' };

export type FaultProxy = AsyncDisposable & {
  port: number;
  /** Connections so far. */
  connections(): number;
  open(): number;
  set(fault: Fault): Promise<void>;
  /** Ends every open connection without order, whatever the fault is. */
  resetAll(): void;
};

type Pair = { near: Socket; far: Socket; unanswered: boolean; swallowed: boolean };

/** `to`: a port of loopback, or the path of a Unix socket. */
export async function faultProxy(to: number | string): Promise<FaultProxy> {
  let fault: Fault = { kind: 'none' };
  let [count, passed] = [0, 0];
  const pairs = new Set<Pair>();
  let port = 0;

  const end = ({ near, far }: Pair, how: 'cut' | 'reset'): void => {
    if (how === 'reset') near.resetAndDestroy();
    else near.destroy();
    far.destroy();
  };
  /** Gives when all that came was carried. */
  const pump = (pair: Pair, from: Socket, into: Socket): (() => Promise<void>) => {
    // One piece after another: a later one never overtakes one that waits.
    let turn = Promise.resolve();
    from.on('data', (piece: Buffer) => {
      turn = turn.then(() => carry(pair, piece, into)).catch(() => undefined);
    });
    from.on('end', () => void turn.then(() => into.end()));
    return () => turn;
  };
  const carry = async (pair: Pair, piece: Buffer, into: Socket): Promise<void> => {
    const now = fault;
    if (now.kind === 'swallow') {
      if (now.from === undefined || pair.swallowed) return;
      pair.swallowed = into === pair.far && piece.includes(now.from);
      if (pair.swallowed && !now.heard) return;
    }
    if (now.kind === 'unanswered') {
      if (into === pair.near && pair.unanswered) return end(pair, 'reset');
      pair.unanswered ||= into === pair.far && piece.includes(now.text);
    }
    if (now.kind === 'latency') await pause(now.ms);
    if (now.kind === 'drip') {
      for (let at = 0; at < piece.length && !into.destroyed; at += now.bytes) {
        into.write(piece.subarray(at, at + now.bytes));
        await (now.every_ms === 0 ? nextTurn() : pause(now.every_ms));
      }
      return;
    }
    if ((now.kind === 'cut' || now.kind === 'reset') && into === pair.near) {
      const room = Math.max(0, now.after_bytes - passed);
      passed += piece.length;
      if (piece.length > room) {
        into.write(piece.subarray(0, room), () => end(pair, now.kind as 'cut' | 'reset'));
        return;
      }
    }
    into.write(piece);
  };

  const take = (near: Socket): void => {
    count += 1;
    const far = typeof to === 'string' ? connect(to) : connect(to, '127.0.0.1');
    // A piece is a packet: what drips is not gathered again on the way.
    near.setNoDelay(true);
    far.setNoDelay(true);
    const pair = { near, far, unanswered: false, swallowed: false };
    pairs.add(pair);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      const carried = pump(pair, one, other);
      one.on('error', () => undefined);
      one.on('close', (broke: boolean) => {
        pairs.delete(pair);
        if (broke) other.destroy();
        else void carried().then(() => other.destroySoon());
      });
    }
  };
  const listen = (): Promise<Server> => {
    const server = createServer({ allowHalfOpen: true }, take);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        ({ port } = server.address() as AddressInfo);
        resolve(server);
      });
    });
  };
  let server: Server | null = await listen();
  const hangUp = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    server = null;
    for (const pair of pairs) end(pair, 'reset');
    await closed;
  };

  return {
    port,
    connections: () => count,
    open: () => pairs.size,
    async set(next) {
      fault = next;
      passed = 0;
      if (next.kind === 'down') await hangUp();
      else server ??= await listen();
    },
    resetAll() {
      for (const pair of pairs) end(pair, 'reset');
    },
    [Symbol.asyncDispose]: hangUp,
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
