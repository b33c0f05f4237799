// The cluster’s folder before the server runs: creates it on the first start (completely or not at all), refuses one
// of another major version, and waits until nothing of an earlier server is left on it.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart } from '../cannot-start.ts';
import type { Account } from './account.ts';
import { NO_BINARY, type Binaries } from './binaries.ts';

export const SUPERUSER = 'dunnock';
export const DATABASE = 'dunnock';

const OLD_SERVER_LIMIT_MS = 20_000;

/** Runs one of the server's programs to its end; gives its words where it failed. */
function run(
  binaries: Binaries,
  account: Account,
  program: string,
  args: string[],
  input = '',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(binaries.folder, 'bin', program), args, {
      ...account.drop,
      cwd: '/',
      env: binaries.environment,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-2000)));
    child.stdin.on('error', () => undefined); // the exit status tells
    child.stdin.end(input);
    // A file that is there and cannot be started was built for another C library.
    child.on('error', () => reject(new CannotStart(NO_BINARY)));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else if (code === 127) reject(new CannotStart(NO_BINARY));
      else reject(new CannotStart(`PostgreSQL's ${program} failed: ${words.trim()}`));
    });
  });
}

/** Makes the cluster in `<home>/cluster` if it is not there. Data checksums on, every file synced. */
export async function ensureCluster(home: string, account: Account, binaries: Binaries): Promise<string> {
  const cluster = join(home, 'cluster');
  // An upgrade that died between two names (upgrade.ts).
  if (!existsSync(cluster) && existsSync(join(home, 'cluster.upgraded')))
    renameSync(join(home, 'cluster.upgraded'), cluster);
  if (existsSync(cluster)) {
    const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
    if (major !== binaries.major) {
      throw new CannotStart(
        `The database in ${home} was made by PostgreSQL ${major} and this version brings ${binaries.major}: run \`dunnock upgrade\`, which keeps the old one beside it.`,
      );
    }
    return cluster;
  }
  await makeCluster(cluster, account, binaries);
  return cluster;
}

/** A new one, whole under its name or not there. */
export async function makeCluster(cluster: string, account: Account, binaries: Binaries): Promise<void> {
  rmSync(cluster, { recursive: true, force: true });
  const unfinished = `${cluster}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  // Whoever can enter the socket folder (mode 700) is trusted; over TCP no one would be.
  const rights = ['--auth-local=trust', '--auth-host=reject', '-U', SUPERUSER];
  await run(binaries, account, 'initdb', ['-D', unfinished, '-k', '--no-locale', '-E', 'UTF8', ...rights]);
  await run(
    binaries,
    account,
    'postgres',
    ['--single', '-D', unfinished, 'postgres'],
    `create database ${DATABASE}\n`,
  );
  renameSync(unfinished, cluster);
}

/** Process ids of every part of a server that has this cluster as its working folder (Linux), or of its head. */
function partsOnCluster(cluster: string, head: number): number[] {
  if (platform() !== 'linux') {
    try {
      process.kill(head, 0);
      return [head];
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EPERM' ? [head] : [];
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`) === cluster &&
          readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
        );
      } catch {
        return false; // ended while we looked, or someone else's
      }
    })
    .map(Number);
}

/**
 * Returns when nothing of an earlier server is left on the cluster. We hold the owner's lock, so whatever
 * still runs here has lost its owner: it is asked to stop (its guard has asked already, if it lives). Only
 * then are the files it left behind removed: their process number may long belong to someone else, and
 * PostgreSQL would refuse to start because of it.
 */
export async function outliveOldServer(
  cluster: string,
  socketDir: string,
  log: (line: string) => void,
): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (existsSync(pidFile)) {
    const head = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    const until = performance.now() + OLD_SERVER_LIMIT_MS;
    let told = false;
    for (let parts = partsOnCluster(cluster, head); parts.length > 0; parts = partsOnCluster(cluster, head)) {
      if (!told) {
        told = true;
        log('An earlier PostgreSQL is still stopping on this data folder; waiting for it.');
        if (parts.includes(head)) askToStop(head);
      }
      if (performance.now() > until) {
        throw new CannotStart(
          `An earlier PostgreSQL (process ${parts[0]}) still runs on ${cluster} and did not stop in ${OLD_SERVER_LIMIT_MS / 1000} s: stop that process, then start again.`,
        );
      }
      await sleep(20);
    }
    rmSync(pidFile, { force: true });
  }
  for (const name of readdirSync(socketDir)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(socketDir, name), { force: true });
  }
}

function askToStop(pid: number): void {
  try {
    process.kill(pid, 'SIGINT'); // PostgreSQL's "fast shutdown": ends sessions, writes everything, leaves
  } catch {
    // already gone, or another user's: the wait above ends with a sentence
  }
}
