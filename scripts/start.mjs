// `npm start`: from a fresh clone to a running product with nothing but some Node and npm on the machine.
// Later starts do no work here and are up within a second or so.
import { ensureModules } from './setup/modules.mjs';
import { endWith } from './setup/paths.mjs';
import { ensureNode } from './setup/runtime.mjs';
import { ensureScreens } from './setup/screens.mjs';
import { ensureServer, runServer } from './setup/server.mjs';

try {
  const node = await ensureNode();
  await ensureModules(node, false);
  await ensureServer(node);
  await ensureScreens(node);
  runServer(node, process.argv.slice(2));
} catch (error) {
  endWith(error);
}
