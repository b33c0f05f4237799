// A pool of the driver behind a face that stays: where a connection of it was lost, the next statement goes to a fresh pool.
// The driver's own recovery is not enough for that (measured on 3.4): a statement that was about to be written when its
// connection closed stays in the connection's buffer and keeps it from ever starting again, and a transaction whose
// connection is gone writes its next statement to nothing, which ends the process, or to a connection outside it.
import type postgres from 'postgres';
import { troubleOf } from '../kernel/trouble.ts';
import type { Parsed } from '../kernel/database.ts';

type Sql = postgres.Sql<Parsed>;

/** What a pool is made with: it says when it has a connection, and when it lost one. */
export type Hears = { onparameter(): void; onclose(): void; onerror(): void };

export type Standing = {
  sql: Sql;
  /** Leaves all connections as they are, for fresh ones: nothing comes back over them any more. */
  renew(): void;
  close(): Promise<void>;
};

/** How long work in a replaced pool may still take; what hangs in it is refused after that. */
const LEFT_MS = 5_000;
const END_S = 5;

/** A session that may only read stays so when the database may be written again: so often it is asked by fresh ones. */
const READ_ONLY_MS = 2_000;

/** `commit_ms`: a commit that takes longer ends as one whose connection was lost, and its pool is left. */
export function standing(make: (hears: Hears) => Sql, commit_ms: number): Standing {
  const left = new Map<Sql, NodeJS.Timeout>();
  let [closed, current] = [false, fresh()];

  function fresh(): Sql {
    let opened = false;
    // One that never came to be is tried again by the driver, after a moment; nothing was written to it.
    const lost = (): void => void (opened && made === current && leave(LEFT_MS));
    const made: Sql = make({ onparameter: () => void (opened = true), onclose: lost, onerror: lost });
    return made;
  }

  function leave(ms: number): void {
    if (closed) return;
    const old = current;
    current = fresh();
    if (ms === 0) void end(old, 0);
    else left.set(old, setTimeout(() => void end(old, END_S), ms).unref());
  }

  async function end(old: Sql, timeout: number): Promise<void> {
    clearTimeout(left.get(old));
    left.delete(old);
    await old.end({ timeout });
  }

  const face = new Proxy((() => undefined) as unknown as Sql, {
    apply: (_target, _this, given: unknown[]) => Reflect.apply(current, undefined, given) as unknown,
    get: (_target, key) => (key === 'begin' ? begin : (Reflect.get(current, key) as unknown)),
  });
  let toldAt = -Infinity;
  const begin = (work: (tx: postgres.TransactionSql<Parsed>) => Promise<unknown>): Promise<unknown> => {
    const pool = current;
    const begun = beginOn(pool, work, commit_ms, () => void (pool === current && leave(LEFT_MS)));
    begun.catch((error: unknown) => {
      if (troubleOf(error) !== 'read_only' || pool !== current) return;
      if (performance.now() - toldAt < READ_ONLY_MS) return;
      toldAt = performance.now();
      leave(READ_ONLY_MS);
    });
    return begun;
  };

  return {
    sql: face,
    renew() {
      for (const old of left.keys()) void end(old, 0);
      leave(0);
    },
    async close() {
      closed = true;
      const all = [current, ...left.keys()];
      for (const timer of left.values()) clearTimeout(timer);
      await Promise.all(all.map((each) => each.end({ timeout: END_S })));
    },
  };
}

class Lost extends Error {
  readonly code = 'CONNECTION_CLOSED';
}

/** The socket says it is gone before the driver ends the transaction; both happen in one turn. */
const BOTH_KNOW_MS = 50;

/**
 * A transaction whose connection is gone neither writes nor rolls back any more: the database has already undone it. One whose
 * commit gets no answer is not waited for: the database bounds statements, and no commit.
 */
async function beginOn(
  pool: Sql,
  work: (tx: postgres.TransactionSql<Parsed>) => Promise<unknown>,
  commit_ms: number,
  hangs: () => void,
): Promise<unknown> {
  let lost = false;
  let late: NodeJS.Timeout | undefined;
  const silent = Promise.withResolvers<never>();
  const never = new Promise<never>(() => undefined);
  const begun = pool.begin(async (tx) => {
    const held = new Proxy(tx, {
      apply(target, _this, given: unknown[]) {
        if (lost) throw new Lost('the transaction lost its connection');
        return Reflect.apply(target, undefined, given) as unknown;
      },
    });
    try {
      const answer = await work(held);
      if (lost) await never;
      late = setTimeout(() => {
        hangs();
        silent.reject(new Lost('the commit got no answer'));
      }, commit_ms).unref();
      return answer;
    } catch (error) {
      if (troubleOf(error) === 'gone') await new Promise((resolve) => setTimeout(resolve, BOTH_KNOW_MS));
      if (lost) await never;
      throw error;
    }
  });
  begun.catch(() => void (lost = true));
  try {
    return await Promise.race([begun, silent.promise]);
  } finally {
    clearTimeout(late);
  }
}
