// Owns the mark "this folder is in use". The mark is a lock of the operating system on a file (taken
// through SQLite, which node carries, because node itself offers no file lock): it exists before the
// server does, so two first starts cannot race, and the kernel drops it with the process, so a killed
// product leaves nothing to clean up. Nothing is ever written to the file.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { CannotStart } from '../cannot-start.ts';

// A killed process gives its lock back when the kernel has taken it apart, which may be a moment after whoever
// killed it starts the next one.
const PATIENCE_MS = 1000;

export type OwnerLock = { release(): void };

/** Takes the folder for this process, or throws CannotStart where another process has it. */
export function lockFolder(folder: string, shownAs: string): OwnerLock {
  const path = join(folder, 'owner.lock');
  let file: DatabaseSync;
  try {
    file = new DatabaseSync(path, { timeout: PATIENCE_MS });
  } catch {
    throw new CannotStart(
      `The data folder ${shownAs} cannot be written: give this user the right to write there, or set SERVICE_DATA_DIR to another folder.`,
    );
  }
  try {
    file.exec('pragma journal_mode = off; pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    file.close();
    const locked = error instanceof Error && 'errcode' in error && error.errcode === 5;
    throw new CannotStart(
      locked
        ? `Another process is already running on the data folder ${shownAs}: stop it first, or set SERVICE_DATA_DIR to another folder.`
        : `The data folder ${shownAs} cannot be locked: it must stand on a local disk that this user may write to, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  return { release: () => file.close() };
}
