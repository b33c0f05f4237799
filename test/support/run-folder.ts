// Owns the folder of a run's database server: in memory where there is room, because a run makes hundreds of databases of five
// hundred files each. Gone with the run, however that ends.
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/** The nightly sizes are gigabytes each. */
function fitsMemory(): boolean {
  if (process.env['TEST_LONG'] === '1') return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES && process.availableMemory() >= 2 * ROOM_BYTES;
  } catch {
    return false;
  }
}

/** Waits for the end of its input, which is ours and ends with us; by then the guard of the server has stopped that. */
const BROOM = 'read -r line; sleep 30; rm -rf "$1"';

export type RunFolder = { path: string; inMemory: boolean; remove(): void };

export function folderOfRun(): RunFolder {
  const inMemory = fitsMemory();
  const path = realpathSync(mkdtempSync(join(inMemory ? MEMORY : tmpdir(), 'dunnock-test-')));
  const broom = spawn('/bin/sh', ['-c', BROOM, 'dunnock-broom', path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  broom.unref();
  (broom.stdin as unknown as { unref?(): void }).unref?.();
  return {
    path,
    inMemory,
    remove() {
      rmSync(path, { recursive: true, force: true });
      broom.kill();
    },
  };
}
