// Files that this browser keeps for whoever chose them, so that a reload loses none. They go when that person signs out.

/** The database in which they are. */
export const KEPT_FILES = 'dunnock-import';

/** A page that leaves doesn't wait longer. */
const MOST_MS = 500;

/** Some private windows keep none. */
export function forgetFiles(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, MOST_MS);
    try {
      const asked = indexedDB.deleteDatabase(KEPT_FILES);
      for (const end of ['success', 'error', 'blocked']) asked.addEventListener(end, () => resolve());
    } catch {
      resolve();
    }
  });
}
