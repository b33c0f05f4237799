// Owns the built screens in dist/ui: builds them when anything that goes into them has changed since.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { oneAtATime } from './lock.mjs';
import { ROOT, say, SetupError } from './paths.mjs';

/** Below this a compressed copy saves no packet. */
const SMALLEST_BYTES = 1_000;

const STAMP = join(ROOT, 'dist', 'ui', '.built-from');

/** Everything the screens may import: their own files, the features' public faces, the kernel's. */
function goesIn(path) {
  if (/\.test\.tsx?$/.test(path)) return false;
  return /^(ui|kernel)\/|^features\/[^/]+\/(screens\/|([\w-]+\.)?(contract|rules)\.ts$)/.test(path);
}

function fingerprint() {
  const hash = createHash('sha256');
  const src = join(ROOT, 'src');
  const inSrc = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => goesIn(path.slice(src.length + 1)));
  const outside = ['package-lock.json', 'vite.config.ts'].map((name) => join(ROOT, name)).filter(existsSync);
  for (const path of [...inSrc.sort(), ...outside])
    hash.update(`${path.slice(ROOT.length)}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

/** Runs vite under `node`; gives false, and shows its words, where it fails. */
export function buildScreens(node) {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const from = fingerprint();
  const done = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  if (done.status !== 0) {
    process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}`);
    return false;
  }
  compress(join(ROOT, 'dist', 'ui'));
  writeFileSync(STAMP, from);
  return true;
}

/** Lays a gzip and a Brotli copy beside every file that gains by it: the product serves them, and compresses nothing itself. */
function compress(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(js|css|svg|html)$/.test(entry.name)) continue;
    const bytes = readFileSync(path);
    if (bytes.length < SMALLEST_BYTES) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes));
  }
}

/** Builds the screens if they are missing or old. */
export async function ensureScreens(node) {
  if (!existsSync(join(ROOT, 'src', 'ui', 'index.html'))) {
    say('There are no screens in this checkout yet; starting without them.');
    return;
  }
  const isCurrent = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint();
  if (isCurrent()) return;
  await oneAtATime(() => {
    if (isCurrent()) return;
    say('Building the screens (once; again when they change).');
    if (!buildScreens(node)) throw new SetupError('The screens could not be built: see the words above.');
  });
}
