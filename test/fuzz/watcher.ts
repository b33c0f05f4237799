// Asks an instance how it is, every 50 ms, from a thread of its own, and beside it a server that does nothing: what both took
// longer is the machine's, and what only the first took longer is the product's.
import { Agent, createServer, request } from 'node:http';
import { Worker, parentPort, workerData } from 'node:worker_threads';

const EVERY_MS = 50;
/** An answer that takes longer counts as this long. */
const GIVEN_UP_MS = 30_000;

export type Asks = {
  url: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}[];

/** Milliseconds. */
export type Watched = {
  asked: number;
  /** What the slowest answer took longer than the idle server's of the same moment. */
  slowest_ms: number;
  /** The slowest one in a hundred, as it was. */
  p99_ms: number;
  /** The same of the idle server, asked at the same moments: what the machine itself takes. */
  idle_p99_ms: number;
  /** Answers that were not 200, or did not come. */
  refused: number;
};

/** Asks one after the other of these, round and round, until it is stopped. */
export function watch(asks: Asks): { stop(): Promise<Watched> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: { asks } });
  return {
    async stop() {
      const { promise, resolve, reject } = Promise.withResolvers<Watched>();
      worker.once('message', resolve).once('error', reject);
      worker.postMessage('stop');
      const watched = await promise;
      await worker.terminate();
      return watched;
    },
  };
}

export const healthOf = (url: string): Asks => [{ url, method: 'GET', path: '/healthz', headers: {} }];

function ask(
  { url, method, path, headers, body }: Asks[number],
  agent: Agent,
): Promise<{ took_ms: number; ok: boolean }> {
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (ok: boolean) => resolve({ took_ms: performance.now() - began, ok });
    const asked = request(url + path, { method, headers, agent, timeout: GIVEN_UP_MS }, (answer) => {
      answer.resume().once('end', () => end(answer.statusCode === 200));
    });
    asked.once('timeout', () => asked.destroy()).once('error', () => end(false));
    asked.end(body);
  });
}

async function inThread(asks: Asks, done: (watched: Watched) => void): Promise<void> {
  const idle = createServer((_, answer) => void answer.end('{}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => idle.once('listening', resolve));
  const { port } = idle.address() as { port: number };
  const nothing = { url: `http://127.0.0.1:${port}`, method: 'GET', path: '/', headers: {} };
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  const took: number[] = [];
  const tookIdle: number[] = [];
  let slowest = 0;
  let refused = 0;
  let asked = 0;
  const timer = setInterval(async () => {
    const next = asks[asked++ % asks.length] ?? nothing;
    const [product, yardstick] = await Promise.all([ask(next, agent), ask(nothing, agent)]);
    took.push(product.took_ms);
    tookIdle.push(yardstick.took_ms);
    slowest = Math.max(slowest, product.took_ms - yardstick.took_ms);
    if (!product.ok) refused += 1;
  }, EVERY_MS);
  parentPort?.once('message', () => {
    clearInterval(timer);
    done({
      asked: took.length,
      slowest_ms: Math.round(slowest),
      p99_ms: tenths(p99(took)),
      idle_p99_ms: tenths(p99(tookIdle)),
      refused,
    });
  });
}

/** The slowest one in a hundred. */
const p99 = (all: number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? 0;

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

const ordered = workerData as { asks?: Asks } | null;
if (parentPort && ordered?.asks) await inThread(ordered.asks, (watched) => parentPort?.postMessage(watched));
