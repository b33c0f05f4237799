// Agents’ reads on their way into the activity: collected in memory, equal reads counted together, and written once a second or
// when there are many. No call waits for this. While the database is away, the oldest are dropped and counted.
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { AuditRow, Database } from '../../../kernel/database.ts';
import type { Reads } from '../../../kernel/app.ts';
import { newId } from '../../../kernel/ids.ts';
import { insertReads } from './reads.store.ts';

/** Reads of one caller, by one act, of one thing, within one batch. */
export type Read = { id: string; first: AuditRow; until: Date; count: number };

export type ReadLog = Reads & {
  /** Writes what there is; true where nothing is left. */
  flush(): Promise<boolean>;
  /** Writes what there is, once, and takes no more. */
  close(): Promise<void>;
};

const WRITTEN_AFTER_MS = SECOND_MS;
/** So many different ones are written at once, without waiting for the second. */
const BATCH = 500;
/** So many are kept while nothing can be written: about 10 MB. */
const KEPT_MAX = 5_000;

type Tell = (facts: Record<string, unknown>, says: string) => void;

export function openReads(database: Pick<Database, 'inOneStatement' | 'tell'>, warn: Tell): ReadLog {
  let waiting = new Map<string, Read>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let writing: Promise<boolean> | null = null;
  let dropped = 0;
  let closed = false;

  const soon = (): void => {
    if (timer !== null || closed) return;
    timer = setTimeout(() => {
      timer = null;
      void flush();
    }, WRITTEN_AFTER_MS);
    timer.unref();
  };

  const bound = (): void => {
    for (const [key, { count }] of waiting) {
      if (waiting.size <= KEPT_MAX) return;
      waiting.delete(key);
      dropped += count;
    }
  };

  const write = async (): Promise<boolean> => {
    const batch = [...waiting].slice(0, BATCH);
    for (const [key] of batch) waiting.delete(key);
    try {
      await database.inOneStatement((db) =>
        insertReads(
          db,
          batch.map(([, read]) => read),
        ),
      );
    } catch (err) {
      // They go before what came meanwhile: the oldest are the first to be dropped.
      waiting = new Map([...batch, ...renamed(batch, waiting)]);
      bound();
      warn({ err, waiting: waiting.size, dropped }, 'what agents read could not be written');
      return false;
    }
    database.tell([{ topic: 'audit', id: '' }]);
    if (dropped > 0) warn({ dropped }, 'reads of agents were dropped while the database was away');
    dropped = 0;
    return true;
  };

  const drain = async (): Promise<boolean> => {
    while (waiting.size > 0) if (!(await write())) return false;
    return true;
  };

  const flush = async (): Promise<boolean> => {
    writing ??= drain().finally(() => {
      writing = null;
      if (waiting.size > 0) soon();
    });
    return writing;
  };

  return {
    note(row) {
      if (closed || row.caller.principal.kind === 'system') return;
      const key = keyOf(row);
      const known = waiting.get(key);
      if (known) {
        known.count += 1;
        known.until = row.at;
        return;
      }
      waiting.set(key, { id: newId(), first: row, until: row.at, count: 1 });
      bound();
      if (waiting.size >= BATCH && writing === null && timer !== null) {
        clearTimeout(timer);
        timer = null;
        void flush();
      } else soon();
    },
    flush,
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      await writing;
      await flush();
    },
  };
}

const keyOf = ({ caller, act, resource }: AuditRow): string => {
  const { principal, credential, surface, turn } = caller;
  const token = credential.kind === 'token' ? credential.id : '';
  return `${surface} ${turn} ${principal.kind} ${principal.id} ${token} ${act} ${resource ?? ''}`;
};

/** A read that came while its like was being written stays a row of its own. */
function renamed(batch: readonly [string, Read][], later: Map<string, Read>): [string, Read][] {
  const taken = new Set(batch.map(([key]) => key));
  return [...later].map(([key, read]) => [taken.has(key) ? `${key} ${read.id}` : key, read]);
}
