// Stands in for npx, which asks a registry: runs a package of this checkout, where the page names the version that is here.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
const [, , yes, wanted = '', ...args] = process.argv;
const [, name = '', version] = /^(.+)@(.+)$/.exec(wanted) ?? [];
const folder = join(ROOT, 'node_modules', name);
const found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
if (yes !== '--yes' || found.version !== version) {
  process.stderr.write(`${wanted} is not what this checkout has: ${found.name}@${found.version}\n`);
  process.exit(1);
}
const generators = pathToFileURL(join(ROOT, 'test/endpoint/generators.mjs')).href;
const { status } = spawnSync(process.execPath, [join(folder, Object.values(found.bin)[0]), ...args], {
  stdio: 'inherit',
  env: { ...process.env, NODE_OPTIONS: `--import=${generators}` },
});
process.exitCode = status ?? 1;
