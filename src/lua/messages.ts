// Messages between the process and a script’s thread. Only text and numbers cross: calls and answers are JSON.
import type { MessagePort } from 'node:worker_threads';

/** Given to the thread when it starts. */
export type Task = {
  script: string;
  /** JSON. */
  args: string;
  memory_bytes: number;
  output_chars: number;
  /** Answers to calls arrive here. */
  answers: MessagePort;
  /** One number: how many answers were put on the port. The thread sleeps on it. */
  answered: SharedArrayBuffer;
};

/** From the thread. After `call` it sleeps until the answer is there. */
export type Said =
  | { kind: 'ready' }
  | { kind: 'printed'; text: string }
  | { kind: 'cut' }
  | { kind: 'call'; name: string; args: string }
  | { kind: 'finished'; result: string }
  | { kind: 'failed'; why: 'script' | 'memory' | 'depth'; text: string };
