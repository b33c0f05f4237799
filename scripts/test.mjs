// `npm test`: sets up everything and runs every check and test. The last line is "N passed, N failed".
// `--long` adds the nightly sizes and a second round on PostgreSQL 15.
import { join } from 'node:path';
import { ensureModules } from './setup/modules.mjs';
import { endWith, ROOT } from './setup/paths.mjs';
import { runUnder } from './setup/run-under.mjs';
import { ensureNode } from './setup/runtime.mjs';

try {
  const node = await ensureNode();
  await ensureModules(node, true);
  runUnder(node, join(ROOT, 'scripts', 'test-all.ts'), process.argv.slice(2));
} catch (error) {
  process.on('exit', () => process.stdout.write('0 passed, 1 failed\n'));
  endWith(error);
}
