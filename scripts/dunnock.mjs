#!/usr/bin/env node
// `dunnock <command>`: start, doctor, backup and the rest (src/cli), under the right Node and with everything installed.
import { ensureModules } from './setup/modules.mjs';
import { endWith } from './setup/paths.mjs';
import { ensureNode } from './setup/runtime.mjs';
import { ensureScreens } from './setup/screens.mjs';
import { ensureServer, runServer } from './setup/server.mjs';

try {
  const args = process.argv.slice(2);
  const node = await ensureNode();
  await ensureModules(node, false);
  await ensureServer(node);
  if (args.length === 0 || args[0] === 'start') await ensureScreens(node);
  runServer(node, args.length === 0 ? ['help'] : args);
} catch (error) {
  endWith(error);
}
