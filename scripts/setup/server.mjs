// Owns the product as one file, dist/main.mjs, with what it loads later in dist/server: a start reads a few files instead of
// over a thousand.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildNow, ensureBuilt } from './built.mjs';
import { ROOT, RUNTIME } from './paths.mjs';
import { runUnder } from './run-under.mjs';

const SERVER_FILE = join(ROOT, 'dist', 'main.mjs');

const BUILDER = 'scripts/setup/bundle.mjs';

const SERVER = {
  name: 'the server',
  stamp: join(ROOT, 'dist', 'server', '.built-from'),
  goesIn: (path) => path.endsWith('.ts') && !/^ui\/|\/screens\//.test(path),
  beside: [BUILDER],
  build: (node) => spawnSync(node, [join(ROOT, BUILDER)], { cwd: ROOT, stdio: 'inherit' }).status === 0,
};

/** Builds it under `node`; gives false, and shows its words, where it fails. */
export const buildServer = (node) => buildNow(node, SERVER);

/** Builds the server if it is missing or old. */
export const ensureServer = (node) => ensureBuilt(node, SERVER);

/** Runs the product in this process's place. */
export const runServer = (node, args) =>
  runUnder(node, SERVER_FILE, args, {
    // Bytecode is kept between starts. Where the folder cannot be written, node goes on without it.
    NODE_COMPILE_CACHE: join(RUNTIME, 'compile-cache'),
    // Young generations stay small, so that what a start threw away is not held for good (bench/RESULTS.md, Start and rest).
    NODE_OPTIONS: '--max-semi-space-size=8',
  });
