// `npm run demo`: a running product with a made-up desk in it, on a database of its own.
import { join } from 'node:path';
import { ensureModules } from './setup/modules.mjs';
import { endWith, ROOT } from './setup/paths.mjs';
import { runUnder } from './setup/run-under.mjs';
import { ensureNode } from './setup/runtime.mjs';
import { ensureScreens } from './setup/screens.mjs';

try {
  const node = await ensureNode();
  await ensureModules(node, false);
  await ensureScreens(node);
  runUnder(node, join(ROOT, 'scripts', 'demo.ts'), process.argv.slice(2));
} catch (error) {
  endWith(error);
}
