// Owns the built screens in dist/ui.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { buildNow, ensureBuilt } from './built.mjs';
import { ROOT, say } from './paths.mjs';

/** Below this a compressed copy saves no packet. */
const SMALLEST_BYTES = 1_000;

const DIST = join(ROOT, 'dist', 'ui');

const SCREENS = {
  name: 'the screens',
  stamp: join(DIST, '.built-from'),
  /** Everything the screens may import: their own files, the features' public faces, the kernel's. */
  goesIn: (path) =>
    /^(ui|kernel)\/|^features\/[^/]+\/(screens\/|([\w-]+\.)?(contract|rules)\.ts$)/.test(path),
  beside: ['vite.config.ts'],
  build(node) {
    const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
    const done = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'production' },
      encoding: 'utf8',
    });
    if (done.status === 0) compress(DIST);
    else process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}`);
    return done.status === 0;
  },
};

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

/** Builds them under `node`; gives false, and shows its words, where it fails. */
export const buildScreens = (node) => buildNow(node, SCREENS);

/** Builds the screens if they are missing or old. */
export async function ensureScreens(node) {
  if (existsSync(join(ROOT, 'src', 'ui', 'index.html'))) return await ensureBuilt(node, SCREENS);
  say('There are no screens in this checkout yet; starting without them.');
}
