// `npm start`: from a fresh clone to a running product with nothing but some Node and npm on the machine.
// Later starts do no work here and are up within a second or so.
import { join } from 'node:path';
import { ensureModules } from './setup/modules.mjs';
import { endWith, RUNTIME } from './setup/paths.mjs';
import { runUnder } from './setup/run-under.mjs';
import { ensureNode } from './setup/runtime.mjs';
import { ensureScreens } from './setup/screens.mjs';
import { ensureServer, SERVER_FILE } from './setup/server.mjs';

try {
  const node = await ensureNode();
  await ensureModules(node, false);
  await ensureServer(node);
  await ensureScreens(node);
  // Bytecode is kept between starts. Where the folder cannot be written, node goes on without it.
  const cache = { NODE_COMPILE_CACHE: join(RUNTIME, 'compile-cache') };
  runUnder(node, SERVER_FILE, process.argv.slice(2), cache);
} catch (error) {
  endWith(error);
}
