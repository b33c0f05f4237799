// Owns the installed packages: asks whether what is in node_modules is what package-lock.json says, and lets
// npm install exactly that where it is not.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './lock.mjs';
import { npm } from './npm.mjs';
import { ROOT, say } from './paths.mjs';

/** npm writes down what it has installed, last of all; so an interrupted install is seen as none. */
function isInstalled(withDevelopment) {
  const installed = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const has = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, integrity, optional, dev, devOptional }]) => {
    // Another platform's binaries are not here, and need not be.
    if (path === '' || (optional && !has[path])) return true;
    if ((dev || devOptional) && !withDevelopment) return true;
    return has[path]?.version === version && has[path]?.integrity === integrity;
  });
}

/** Installs with npm, under `node`, what is missing. With the tools of development, or without. */
export async function ensureModules(node, withDevelopment) {
  if (isInstalled(withDevelopment)) return;
  await oneAtATime(() => {
    if (isInstalled(withDevelopment)) return;
    say('Installing packages (once; again when package-lock.json changes).');
    npm(
      node,
      ROOT,
      ['ci', '--ignore-scripts', ...(withDevelopment ? ['--include=dev'] : ['--omit=dev'])],
      "The packages could not be installed: see npm's words above.",
    );
  });
}
