// The product's version, as package.json says it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function readVersion(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
}
