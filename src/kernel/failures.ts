// Records acts that were refused or failed: one row each, outside the act’s transaction, which has been rolled back by then. A
// user’s first hundred refusals in a minute get a row each; further ones are counted, one row per kind, written when the minute
// is over. Acts that succeeded are recorded elsewhere.
import type { Logger } from 'pino';
import { accountOf } from './caller.ts';
import { MINUTE_MS, SECOND_MS, type Clock } from './clock.ts';
import type { AuditRow, Database } from './database.ts';
import { Refusal } from './refusal.ts';

/** Notifies that something was refused or failed; what was done tells its own. */
const CHANGES = [{ topic: 'audit', id: '' }];

const ROWS_A_MINUTE = 100;
const LOOK_EVERY_MS = 5 * SECOND_MS;

export type Failures = {
  /** Returns when it is written, or counted. */
  record(row: AuditRow, error: unknown): Promise<void>;
  /** Writes what was counted, and counts no more. */
  close(): Promise<void>;
};

type Minute = { began: number; rows: number; more: Map<string, AuditRow & { times: number }> };

export function openFailures(
  database: Pick<Database, 'audit' | 'tell'>,
  clock: Clock,
  log: Pick<Logger, 'error'>,
): Failures {
  const minutes = new Map<string, Minute>();
  let closed = false;

  const write = (row: AuditRow): Promise<void> =>
    database
      .audit(null, row)
      .catch((err: unknown) => log.error({ err, act: row.act }, 'a refusal could not be audited'));
  const end = async (who: string, { more }: Minute): Promise<void> => {
    minutes.delete(who);
    for (const row of more.values()) await write(row);
    if (more.size > 0) database.tell(CHANGES);
  };
  const endAll = async (before: number): Promise<void> => {
    for (const [who, minute] of minutes) if (minute.began <= before) await end(who, minute);
  };
  const timer = setInterval(() => void endAll(clock.now().getTime() - MINUTE_MS), LOOK_EVERY_MS).unref();

  const minuteOf = async (who: string, now: number): Promise<Minute> => {
    const known = minutes.get(who);
    if (known && now - known.began < MINUTE_MS) return known;
    const fresh = { began: now, rows: 0, more: new Map() };
    minutes.set(who, fresh);
    if (known) for (const row of known.more.values()) await write(row);
    return fresh;
  };

  const keep = async (row: AuditRow): Promise<void> => {
    const minute = await minuteOf(accountOf(row.caller), row.at.getTime());
    if (minute.rows < ROWS_A_MINUTE || closed) {
      minute.rows += 1;
      await write(row);
      return database.tell(CHANGES);
    }
    const key = keyOf(row);
    const alike = minute.more.get(key);
    if (!alike) minute.more.set(key, { ...row, times: 1 });
    else {
      alike.times += 1;
      if (alike.resource !== row.resource) alike.resource = null;
    }
  };

  return {
    async record(row, error) {
      const refusal = error instanceof Refusal ? error : null;
      // Of no one's refusals only the tries that count against them are kept (a wrong password, a wrong provisioning key).
      if (refusal && row.caller.credential.kind === 'none' && !refusal.keeps) return;
      if (!refusal) log.error({ err: error, act: row.act, request_id: row.request_id }, 'an act failed');
      await keep({
        ...row,
        outcome: refusal ? 'refused' : 'fault',
        code: refusal ? refusal.code : 'fault',
        sentence: refusal ? refusal.sentence : null,
      });
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await endAll(Infinity);
    },
  };
}

/** Whose account a stranger guessed at stays told apart: there are no more of those than accounts. */
function keyOf({ caller, act, code, resource }: AuditRow): string {
  const { principal, credential, surface, turn } = caller;
  const token = credential.kind === 'token' ? credential.id : '';
  const about = credential.kind === 'none' ? resource : null;
  return JSON.stringify([surface, turn, principal.kind, principal.id, token, act, code, about]);
}
