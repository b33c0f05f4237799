// `node scripts/run.mjs <file.ts> [arguments]`: any TypeScript file of this checkout under the right Node, with
// everything installed.
import { resolve } from 'node:path';
import { ensureModules } from './setup/modules.mjs';
import { endWith, SetupError } from './setup/paths.mjs';
import { runUnder } from './setup/run-under.mjs';
import { ensureNode } from './setup/runtime.mjs';

try {
  const [file, ...args] = process.argv.slice(2);
  if (!file) throw new SetupError('Say which file to run: node scripts/run.mjs <file.ts> [arguments].');
  const node = await ensureNode();
  await ensureModules(node, true);
  runUnder(node, resolve(file), args);
} catch (error) {
  endWith(error);
}
