// `npm run dev`: the product with its sources watched, and vite with hot reload for the screens beside it where
// there are any. Ends as one.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { environment, ROOT } from './steps.ts';

const commands: string[][] = [[process.execPath, '--watch', '--watch-preserve-output', 'src/main.ts']];
if (existsSync(join(ROOT, 'src', 'ui', 'index.html'))) {
  commands.push([join('node_modules', '.bin', 'vite')]);
}

const children: ChildProcess[] = [];
for (const [program = '', ...args] of commands) {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: environment({ SERVICE_DEVELOPMENT: '1' }),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.on('exit', () => end());
  children.push(child);
}

function end(): void {
  for (const child of children) child.kill('SIGTERM');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
