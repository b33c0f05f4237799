// Runs a program of another package as its users run it: a process of its own, without a terminal.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Ran = { status: number | null; stdout: string; stderr: string };

/** The script behind a package's command. `manifest` is what `import.meta.resolve` says of its package.json. */
export function commandOf(manifest: string, name: string): string {
  const path = fileURLToPath(manifest);
  const { bin } = JSON.parse(readFileSync(path, 'utf8')) as { bin: Record<string, string> };
  return join(dirname(path), bin[name] ?? '');
}

export async function run(
  script: string,
  args: string[],
  options: { cwd?: string; home?: string } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', CI: '1', ...(options.home && { HOME: options.home }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran: Ran = { status: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => (ran.stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (ran.stderr += part));
  ran.status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return ran;
}
