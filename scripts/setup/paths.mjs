// Owns where things are in the checkout. Everything in this folder runs on any Node from 20 on, before a
// single package is installed.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const RUNTIME = join(ROOT, '.runtime');

/** One short line to whoever waits. Standard error, so that what a script prints stays clean. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Ends set-up with one sentence and no stack. */
export class SetupError extends Error {}

export function endWith(error) {
  process.stderr.write(`${error instanceof SetupError ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
}
