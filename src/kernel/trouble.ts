// Recognizes database failures that aren’t the statement’s fault, by driver codes and SQLSTATE, and turns them into a 503 that
// says what to do. Any other error stays a fault.
import { Refusal } from './refusal.ts';

export type Trouble = 'gone' | 'unsettled' | 'full' | 'read_only' | 'slow' | 'crowded';

/** The connection was lost, or fell silent, while a transaction committed: whether it did, only a look can tell. */
export class Unsettled extends Error {
  override name = 'Unsettled';
}

const OF_THE_DRIVER =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NETDOWN|NOTFOUND|NOENT|AI_AGAIN))$/;

/** The server is not up, goes down, has no place for us, or does not let us in. */
const GONE = /^(08...|28...|3D000|53300|57P0.|25P03)$/;
const FULL = /^(53000|53100|53200|53400|58030)$/;
const SLOW = /^(57014|55P03)$/;
const CROWDED = /^(40001|40P01)$/;

/** Null: not the database's trouble. */
export function troubleOf(error: unknown): Trouble | null {
  if (error instanceof Unsettled) return 'unsettled';
  if (!(error instanceof Error)) return null;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  if (typeof code !== 'string') return null;
  // The driver marks what it rejects with its statement: the same codes come from mail servers and receivers too.
  if (OF_THE_DRIVER.test(code)) return code.startsWith('CONNECT') || 'query' in error ? 'gone' : null;
  if (error.name !== 'PostgresError') return null;
  if (code === '25006') return 'read_only';
  if (GONE.test(code) || severity === 'FATAL') return 'gone';
  if (FULL.test(code)) return 'full';
  if (SLOW.test(code)) return 'slow';
  return CROWDED.test(code) ? 'crowded' : null;
}

/** Whole seconds until asking again is worth it. */
const AGAIN_S = 5;

/** Null: a fault. */
export function refusedByTrouble(error: unknown): Refusal | null {
  switch (troubleOf(error)) {
    case 'gone':
      return new Refusal(
        503,
        'unavailable',
        'the database is not responding, so nothing was changed: try again in a moment, and if it continues, the operator can restart the database',
        { retry_after: AGAIN_S },
      );
    case 'unsettled':
      return new Refusal(
        503,
        'unavailable',
        'the database stopped responding while saving this, so it may or may not have been saved: check before you retry, or retry with the same Idempotency-Key if you sent one',
        { retry_after: AGAIN_S },
      );
    case 'full':
      return new Refusal(
        503,
        'unavailable',
        'the database’s disk is full, so nothing was changed: the operator can free space, and then it works again',
        { retry_after: AGAIN_S },
      );
    case 'read_only':
      return new Refusal(
        503,
        'unavailable',
        'the database is read-only at the moment, so nothing was changed: reads still work, and the operator can restore writes',
        { retry_after: AGAIN_S },
      );
    case 'slow':
      return new Refusal(
        503,
        'unavailable',
        'the database took too long, so nothing was changed: narrow the request, or try again in a moment',
        { retry_after: AGAIN_S },
      );
    case 'crowded':
      return new Refusal(
        503,
        'unavailable',
        'too many requests tried to change this at once, so nothing was saved: try again',
        { retry_after: 1 },
      );
    case null:
      return null;
  }
}
