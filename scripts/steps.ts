// Owns the checks that need no database: what each one is called and which command it is. `npm run check` runs
// them alone, `npm test` runs them before the tests.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

export type Step = { name: string; command: string[] };

const bin = (name: string) => join('node_modules', '.bin', name);

export function staticSteps(): Step[] {
  const steps: Step[] = [
    { name: 'types', command: [bin('tsc'), '--noEmit', '--pretty'] },
    { name: 'lint', command: [bin('oxlint'), '--format', 'unix'] },
    { name: 'format', command: [bin('oxfmt'), '--check', '.'] },
    { name: 'unused code', command: [bin('knip'), '--no-progress', '--no-config-hints'] },
    { name: 'server build', command: [process.execPath, 'scripts/build-server.mjs'] },
  ];
  if (existsSync(join(ROOT, 'scripts', 'generate.ts'))) {
    steps.push({ name: 'generated files', command: [process.execPath, 'scripts/generate.ts', '--check'] });
  }
  if (existsSync(join(ROOT, 'src', 'ui', 'index.html'))) {
    steps.push({ name: 'screens build', command: [process.execPath, 'scripts/build-screens.mjs'] });
  }
  return steps;
}

/** Variables of every command: the Node that runs us comes first on the path. */
export function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
    ...more,
  };
}

/** Of a step that fails; whoever wants more runs its command. */
const SHOWN_LINES = 150;

/** Runs one step; its output is shown only where it fails. */
export async function passes({ name, command: [program = '', ...args] }: Step): Promise<boolean> {
  const started = performance.now();
  const child = spawn(program, args, { cwd: ROOT, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const ok = await new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      output.push(Buffer.from(error.message));
      resolve(false);
    });
    child.on('close', (status) => resolve(status === 0));
  });
  console.log(`${ok ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (!ok) {
    const lines = Buffer.concat(output).toString().trimEnd().split('\n');
    console.log(lines.slice(0, SHOWN_LINES).join('\n'));
    if (lines.length > SHOWN_LINES) console.log(`… and ${lines.length - SHOWN_LINES} lines more`);
  }
  return ok;
}

/** Runs every step, whatever the others did; two at a time, since most of them keep one processor busy. */
export async function runSteps(steps: Step[]): Promise<{ passed: number; failed: number }> {
  const left = [...steps];
  let passed = 0;
  const hand = async (): Promise<void> => {
    for (let step = left.shift(); step; step = left.shift()) if (await passes(step)) passed += 1;
  };
  await Promise.all([hand(), hand()]);
  return { passed, failed: steps.length - passed };
}
