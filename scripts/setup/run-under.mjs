// Owns running a TypeScript file of this checkout as if it had taken this process's place: signals go in, the
// exit status comes out, and neither outlives the other.
import { spawn } from 'node:child_process';
import { dirname, delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './paths.mjs';

const FOLLOW = pathToFileURL(join(ROOT, 'scripts', 'setup', 'follow-parent.mjs')).href;
// Ctrl-C in a terminal reaches npm, which passes it on, and us as well: the child must hear it once.
const ECHO_MS = 500;
const PARENT_CHECK_MS = 500;

/** Runs `file` under `node`, with `variables` besides our own, and ends this process the way that one ends. */
export function runUnder(node, file, args, variables = {}) {
  const child = spawn(node, ['--import', FOLLOW, file, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...variables, ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
    detached: true, // a process group of its own, so that only we pass signals on
  });
  child.on('error', (error) => {
    process.stderr.write(`${node} could not be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (status, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(status ?? 1);
  });
  let lastMs = -Infinity;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (performance.now() - lastMs < ECHO_MS) return;
      lastMs = performance.now();
      child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    });
  }
  // npm passes signals on to us (the scripts in package.json begin with exec, so that no shell is between),
  // and cannot pass SIGKILL: when the npm that started us is gone, so is the reason to run.
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) child.kill('SIGTERM');
    }, PARENT_CHECK_MS).unref();
  }
}
