// The processes of a soak: each is the product as `npm start` starts it, in one role, killed without warning and started again
// on the same port. Knows when each was up and what its memory was.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../commands/holding.ts';
import { MAIN } from '../support/built.ts';
import { freePort } from '../support/server.ts';

/** Milliseconds of the test's own clock; a span that goes on has no end yet. */
export type Span = { from: number; until: number };

type Sample = { at: number; bytes: number };

type Life = { pid: number; from: number; until: number; memory: Sample[]; live: Sample[] };

export type Node = {
  name: string;
  url: string;
  /** Not to be reached: from a kill until the next life says where it is. */
  away: Span[];
  lives: Life[];
  /** How long each start took until it said where it is. */
  startedInMs: number[];
  /** Lines of its log at `error` and above, of all lives, by what they say. */
  faults: Map<string, number>;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Takes a sample of what it has of the machine. */
  look(): void;
  /** Has it collect its garbage, and takes a sample of what is left. */
  weigh(): Promise<void>;
};

const ERROR = 50;
const OF_INSPECTOR = /^(For help, see: |Debugger (attached|ending))/;

export const hits = (spans: readonly Span[], from: number, until: number, slackMs = 0): boolean =>
  spans.some((span) => span.from <= until && span.until + slackMs >= from);

export async function newNode(
  role: 'web' | 'worker' | 'both',
  settings: Record<string, string>,
): Promise<Node> {
  const port = await freePort();
  const data = temporaryFolder();
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  let child: ChildProcess | null = null;
  let inspector = '';
  const node: Node = {
    name: role,
    url: `http://127.0.0.1:${port}`,
    away: [],
    lives: [],
    startedInMs: [],
    faults: new Map(),
    async start() {
      const began = performance.now();
      const born = spawn(process.execPath, ['--inspect=127.0.0.1:0', MAIN, 'start', '--role', role], {
        env: { PATH, NODE_COMPILE_CACHE, PORT: String(port), SERVICE_DATA_DIR: data, ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = born;
      let said = '';
      createInterface({ input: born.stderr }).on('line', (line) => {
        said += `${line}\n`;
        const listens = /^Debugger listening on (ws:\S+)$/.exec(line)?.[1];
        if (listens) inspector = listens;
        else heard(node, line);
      });
      await new Promise<void>((resolve, reject) => {
        createInterface({ input: born.stdout }).on('line', (line) => {
          said += `${line}\n`;
          if (line.includes(' is at ')) resolve();
        });
        born.once('exit', () => reject(new Error(`${role} did not start: ${said.slice(0, 2_000)}`)));
      });
      const now = performance.now();
      node.startedInMs.push(now - began);
      node.lives.push({ pid: born.pid ?? 0, from: now, until: Infinity, memory: [], live: [] });
      const last = node.away.at(-1);
      if (last) last.until = now;
    },
    async kill() {
      const dying = child;
      const life = node.lives.at(-1);
      if (!dying || !life || dying.exitCode !== null) return;
      const now = performance.now();
      life.until = now;
      node.away.push({ from: now, until: Infinity });
      const gone = new Promise((resolve) => dying.once('exit', resolve));
      dying.kill('SIGKILL');
      await gone;
    },
    look() {
      const life = node.lives.at(-1);
      if (!life || life.until !== Infinity) return;
      try {
        const status = readFileSync(`/proc/${life.pid}/status`, 'utf8');
        const kib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
        life.memory.push({ at: performance.now(), bytes: kib * 1024 });
      } catch {
        // Ended in this moment; whoever killed it says so.
      }
    },
    async weigh() {
      const life = node.lives.at(-1);
      if (!life || life.until !== Infinity) return;
      const bytes = await weighed(inspector).catch(() => null);
      if (bytes !== null) life.live.push({ at: performance.now(), bytes });
    },
  };
  return node;
}

/** Bytes that a process of node still needs after a full collection: its heap, and the buffers behind it. */
async function weighed(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector);
  try {
    await new Promise((open, fail) => {
      socket.addEventListener('open', open);
      socket.addEventListener('error', fail);
      socket.addEventListener('close', fail);
    });
    const ask = (id: number, method: string): Promise<Record<string, number>> =>
      new Promise((resolve, fail) => {
        socket.addEventListener('close', fail);
        socket.addEventListener('message', ({ data }) => {
          const told = JSON.parse(String(data)) as { id?: number; result: Record<string, number> };
          if (told.id === id) resolve(told.result);
        });
        socket.send(JSON.stringify({ id, method }));
      });
    await ask(1, 'HeapProfiler.collectGarbage');
    const { usedSize = 0, backingStorageSize = 0 } = await ask(2, 'Runtime.getHeapUsage');
    return usedSize + backingStorageSize;
  } finally {
    socket.close();
  }
}

function heard(node: Node, line: string): void {
  try {
    const { level, msg, err } = JSON.parse(line) as {
      level: number;
      msg: string;
      err?: { message?: string };
    };
    if (level < ERROR) return;
    const says = `${msg}: ${err?.message ?? ''}`.slice(0, 200);
    node.faults.set(says, (node.faults.get(says) ?? 0) + 1);
  } catch {
    if (!OF_INSPECTOR.test(line)) node.faults.set(line.slice(0, 200), 1);
  }
}

/** The least of each window of so long. */
export function floors(samples: readonly Sample[], windowMs: number): Sample[] {
  const least = new Map<number, Sample>();
  for (const sample of samples) {
    const window = Math.floor((sample.at - samples[0]!.at) / windowMs);
    const before = least.get(window);
    if (!before || sample.bytes < before.bytes) least.set(window, sample);
  }
  return [...least.values()];
}

/** Bytes a minute by least squares, beside the mean. */
export function trend(samples: readonly Sample[]): { slope: number; mean: number } {
  const count = samples.length;
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / count;
  const [at, bytes] = [mean((sample) => sample.at), mean((sample) => sample.bytes)];
  const both = samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.bytes - bytes), 0);
  const square = samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  return { slope: square === 0 ? 0 : (both / square) * 60_000, mean: bytes };
}
