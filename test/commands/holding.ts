// Owns what the tests of the own server share: folders that are cleaned up, and processes that hold one.
import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const CHECKOUT = join(import.meta.dirname, '../..');

/** A new folder, removed after the test together with whatever it points at in /var/lib. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dunnock-commands-')));
  chmodSync(folder, 0o755); // so that root's server stays in it
  onTestFinished(() => {
    for (const name of ['.', 'data', 'checkout/data']) {
      const pointer = join(folder, name, 'postgres.location');
      if (existsSync(pointer)) rmSync(readFileSync(pointer, 'utf8').trim(), { recursive: true, force: true });
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

export type Holder = {
  process: ChildProcess;
  lines: string[];
  /** The first line that begins with the word, now or when it comes; fails if the process ends before. */
  said(word: string): Promise<string>;
  ended: Promise<number | null>;
};

type Options = { writes?: boolean; uid?: number; checkout?: string };

/** Starts a process that owns `dataDir`. It is killed after the test if it still runs. */
export function hold(dataDir: string, { writes, uid, checkout = CHECKOUT }: Options = {}): Holder {
  const file = join(checkout, 'test', 'commands', 'holder.ts');
  const child = spawn(process.execPath, [file, dataDir, ...(writes ? ['writes'] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid, cwd: '/' }),
  });
  const lines: string[] = [];
  const waiting: { word: string; resolve(line: string): void; reject(error: Error): void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const one of waiting) if (line.startsWith(one.word)) one.resolve(line);
  });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', (status) => resolve(status)));
  void ended.then(() => {
    for (const one of waiting)
      one.reject(new Error(`ended before "${one.word}": ${lines.join('; ')} ${words}`));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    if (lines.some((line) => line.startsWith('up'))) await noServerOn(dataDir);
  });
  return {
    process: child,
    lines,
    ended,
    said: (word) =>
      new Promise((resolve, reject) => {
        const line = lines.find((one) => one.startsWith(word));
        if (line) resolve(line);
        else waiting.push({ word, resolve, reject });
      }),
  };
}

/** Process ids whose working folder is in the data folder or where its pointer leads. */
export function serversOn(dataDir: string): string[] {
  const pointer = join(dataDir, 'postgres.location');
  const homes = [dataDir, ...(existsSync(pointer) ? [readFileSync(pointer, 'utf8').trim()] : [])];
  return readdirSync('/proc').filter((pid) => {
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      return homes.some((home) => cwd.startsWith(`${home}/`));
    } catch {
      return false;
    }
  });
}

/** Waits until no server is left; gives the milliseconds that took. */
export async function noServerOn(dataDir: string): Promise<number> {
  const started = performance.now();
  while (serversOn(dataDir).length > 0) {
    if (performance.now() - started > 10_000) throw new Error(`a server is left on ${dataDir}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - started;
}
