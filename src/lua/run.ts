// Runs one Lua script in its own thread and stops the thread at a limit: nothing else stops a pattern match that
// doesn’t end. The caller decides what the script may call (`call`); this room knows no operation.
import { MessageChannel, Worker } from 'node:worker_threads';
import { limitSentence, type Limits } from './limits.rules.ts';
import type { Said, Task } from './messages.ts';

/** What a call gives the script: an answer of JSON, or the sentence it was refused with. */
export type Told = { ok: true; answer: unknown } | { ok: false; sentence: string; code: string };

export type Script = {
  script: string;
  args: Record<string, string | number | boolean | null>;
  /** Never throws. `signal` is aborted where the run is over before the call is: it must then leave nothing. */
  call(name: string, args: unknown, signal: AbortSignal): Promise<Told>;
  limits: Limits;
  /** Aborted: the run is stopped. */
  signal?: AbortSignal | undefined;
};

type How =
  | { state: 'finished'; result: unknown }
  /** The script's own fault, a limit, or a stop; `sentence` may hold text of the script. */
  | { state: 'failed' | 'stopped'; sentence: string };

export type Ran = How & {
  /** What it printed, one line a print. */
  output: string;
  output_cut: boolean;
  calls: number;
};

/** A call that was abandoned sees the signal and leaves nothing; one that commits in that moment is waited for so long. */
const COMMIT_MS = 500;
/** The thread's own memory beside the state's: what crosses to it. */
const HEAP_MB = 64;

const NESTED = 'the script handed over a table that is nested too deeply';
const BROKE = 'the script broke the state it ran in and was stopped';

export async function runLua({ script, args, call, limits, signal }: Script): Promise<Ran> {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const { port1: answers, port2 } = new MessageChannel();
  const over = new AbortController();
  const ran = { output: '', output_cut: false, calls: 0 };
  const task: Task = {
    script,
    args: JSON.stringify(args),
    memory_bytes: limits.memory_bytes,
    output_chars: limits.output_chars,
    answers: port2,
    answered: answered.buffer,
  };
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: task,
    transferList: [port2],
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 },
  });
  let pending: Promise<void> = Promise.resolve();
  const how = await new Promise<How>((resolve) => {
    const stopped = (limit: keyof typeof limitSentence): void =>
      resolve({ state: 'stopped', sentence: limitSentence[limit](limits) });
    const computing = meter(limits.computing_ms, () => stopped('computing_ms'));
    const total = meter(limits.total_ms, () => stopped('total_ms'));
    over.signal.addEventListener('abort', () => [computing, total].forEach((each) => each.stop()));
    signal?.addEventListener('abort', () => resolve(abandoned));
    if (signal?.aborted) resolve(abandoned);
    const answer = async (name: string, given: string): Promise<void> => {
      computing.stop();
      const told = await call(name, JSON.parse(given) as unknown, over.signal);
      if (over.signal.aborted) return;
      answers.postMessage(JSON.stringify(told));
      computing.go();
      Atomics.add(answered, 0, 1);
      Atomics.notify(answered, 0);
    };
    worker.on('message', (said: Said) => {
      if (over.signal.aborted) return;
      if (said.kind === 'ready') computing.go();
      else if (said.kind === 'printed') ran.output += said.text;
      else if (said.kind === 'cut') ran.output_cut = true;
      else if (said.kind === 'call') {
        if (ran.calls >= limits.calls) return stopped('calls');
        ran.calls += 1;
        pending = answer(said.name, said.args);
      } else if (said.kind === 'finished')
        resolve({ state: 'finished', result: JSON.parse(said.result) as unknown });
      else if (said.why === 'memory') stopped('memory_bytes');
      else resolve({ state: 'failed', sentence: said.why === 'depth' ? NESTED : said.text });
    });
    worker.on('error', (error: Error & { code?: string }) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? stopped('memory_bytes')
        : resolve({ state: 'failed', sentence: BROKE }),
    );
    worker.on('exit', () => resolve({ state: 'failed', sentence: BROKE }));
    total.go();
  });
  over.abort();
  answers.close();
  await worker.terminate();
  await Promise.race([pending, new Promise((done) => setTimeout(done, COMMIT_MS))]);
  return { ...how, ...ran };
}

const abandoned: How = {
  state: 'stopped',
  sentence: 'the request that ran the script is gone, and so is the run',
};

/** Time that adds up while it goes. */
function meter(limitMs: number, atLimit: () => void): { go(): void; stop(): void } {
  let leftMs = limitMs;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    go() {
      since = performance.now();
      timer = setTimeout(atLimit, leftMs);
    },
    stop() {
      if (timer) leftMs = Math.max(0, leftMs - (performance.now() - since));
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
