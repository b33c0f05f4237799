// Owns "what is built here is what the sources say": a fingerprint of everything that goes into it, kept beside it, and one
// build at a time where they differ.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './lock.mjs';
import { ROOT, say, SetupError } from './paths.mjs';

const SRC = join(ROOT, 'src');

/** Of the files in src that `goesIn` takes, by their path from there, and of these others. */
function fingerprint({ goesIn, beside }) {
  const hash = createHash('sha256');
  const inSrc = readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.test\.tsx?$/.test(path) && goesIn(path.slice(SRC.length + 1)));
  const others = ['package-lock.json', ...beside].map((name) => join(ROOT, name)).filter(existsSync);
  for (const path of [...inSrc.sort(), ...others])
    hash.update(`${path.slice(ROOT.length)}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

/**
 * Builds what is missing or old. `what`: its name in a sentence, `stamp`: the file that keeps the fingerprint, `goesIn` and
 * `beside`: what it is made of, `build(node)`: true where it worked, after showing its words where it did not.
 */
export async function ensureBuilt(node, what) {
  const isCurrent = () => existsSync(what.stamp) && readFileSync(what.stamp, 'utf8') === fingerprint(what);
  if (isCurrent()) return;
  await oneAtATime(() => {
    if (isCurrent()) return;
    say(`Building ${what.name} (once; again when the sources change).`);
    if (!buildNow(node, what)) throw new SetupError(`Building ${what.name} failed: see the words above.`);
  });
}

/** Builds it whether it is old or not; false where that fails. */
export function buildNow(node, what) {
  const from = fingerprint(what);
  if (!what.build(node)) return false;
  writeFileSync(what.stamp, from);
  return true;
}
