// A disk of a few megabytes that a test can fill: memory, mounted into a folder. Mounting needs rights that not every machine
// gives; who asks hears null there.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = Disposable & { folder: string };

export const NO_DISK = 'mounting a file system is not allowed here, so nothing was filled';

/** `owner`: whose the folder on it is. */
export function smallDisk(megabytes: number, owner: { uid: number; gid: number }): SmallDisk | null {
  const at = mkdtempSync(join(tmpdir(), 'dunnock-disk-'));
  chmodSync(at, 0o755);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', at]);
  if (mounted.status !== 0) {
    rmSync(at, { recursive: true });
    return null;
  }
  chmodSync(at, 0o755);
  const folder = join(at, 'data');
  mkdirSync(folder, { mode: 0o755 });
  chownSync(folder, owner.uid, owner.gid);
  return {
    folder,
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', at]);
      rmSync(at, { recursive: true, force: true });
    },
  };
}
