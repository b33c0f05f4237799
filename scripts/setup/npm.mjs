// Owns running the machine's npm. It is run by the Node that is wanted and not by the machine's own: npm picks
// releases that fit the Node it runs under, and an old Node silently gets old packages.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { RUNTIME, SetupError } from './paths.mjs';

function findNpm() {
  const given = process.env.npm_execpath;
  if (given && given.endsWith('npm-cli.js') && existsSync(given)) return given;
  const folders = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)];
  for (const folder of folders.filter(Boolean)) {
    const npm = join(folder, 'npm');
    if (existsSync(npm) && realpathSync(npm).endsWith('npm-cli.js')) return realpathSync(npm);
  }
  throw new SetupError('npm was not found: install it, or start with `npm start`.');
}

/** A user without a home that can be written gets the cache in the checkout. */
function cacheArguments() {
  try {
    accessSync(homedir(), constants.W_OK);
    return [];
  } catch {
    return ['--cache', join(RUNTIME, 'npm-cache')];
  }
}

/** What an outer `npm start` says about its own project must not reach the inner npm. */
function environment(node) {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_(lifecycle|package|config_(engine|ignore|omit|include|prefix|local|global|save|omit_))/i.test(
        name,
      ),
  );
  return { ...Object.fromEntries(kept), PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
}

/** Runs npm quietly in `folder`; where it fails, its words are shown and `failure` is the sentence. */
export function npm(node, folder, args, failure) {
  const all = [findNpm(), ...args, '--no-fund', '--no-audit', '--no-update-notifier', ...cacheArguments()];
  const done = spawnSync(node, all, {
    cwd: folder,
    env: environment(node),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (done.status === 0) return;
  process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}`);
  throw new SetupError(failure);
}
