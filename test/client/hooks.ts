// Runs a hook as a client does: one JSON object on its standard input, and what it answers.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type Verdict = { stopped: boolean; sentence: string };

/** `call`: text goes in as it is. */
export async function hook(
  name: 'guard' | 'import-guard',
  call: unknown,
  env: Record<string, string> = {},
): Promise<Verdict> {
  const file = fileURLToPath(new URL(`../../client/hooks/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [file], { env: { PATH: '/usr/bin:/bin', ...env } });
  let sentence = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (sentence += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(typeof call === 'string' ? call : JSON.stringify(call));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { stopped: code === 2, sentence: sentence.trim() };
}

/** Runs of a hook, a few at a time. */
export async function each<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await run(item);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}
