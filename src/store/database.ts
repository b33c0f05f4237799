// The app’s Database on PostgreSQL: transactions that leave nothing when abandoned, and the rows that every act
// writes besides its own (audit, events, change notifications, idempotency keys).
import type postgres from 'postgres';
import { DAY_MS, after } from '../kernel/clock.ts';
import { eventBody } from '../kernel/events.rules.ts';
import {
  json,
  type AuditRow,
  type Database,
  type IdempotencyKey,
  type Parsed,
  type Reader,
  type Replay,
  type Transaction,
  type Work,
} from '../kernel/database.ts';
import { newId } from '../kernel/ids.ts';
import { READ_TOO_SLOW } from '../kernel/sentences.ts';
import { NO_TRACE, type Trace } from '../kernel/trace.ts';
import { keepable } from '../kernel/parse.ts';
import { Refusal, conflict } from '../kernel/refusal.ts';
import { troubleOf, Unsettled } from '../kernel/trouble.ts';
import type { Pools } from './connect.ts';
import { keepPassRun } from './health.ts';
import { openLongReads } from './long-reads.ts';
import { openTeller } from './change-feed.ts';

export function openDatabase(
  pools: Pools,
  instance: string,
  log: (error: unknown) => void,
  trace: Trace = NO_TRACE,
): Database {
  return {
    reader: pools.reader,
    long: openLongReads(pools.long),
    transact: (work, signal) =>
      trace.span('transaction', {}, () => again(() => transact(pools.writer, work, signal))),
    // Without `begin` a connection of the pool commits each statement; it has the same tags of statements.
    inOneStatement: (work) => again(() => work(pools.writer as unknown as Transaction)),
    async audit(tx, row) {
      await writeAudit(tx ?? pools.writer, row);
    },
    async emit(tx, event, data, occurred_at) {
      const id = newId();
      const body = eventBody({ id, event, instance, occurred_at, data });
      await tx`insert into event_deliveries (id, event, occurred_at, body, next_attempt_at)
               values (${id}, ${event}, ${occurred_at}, ${body}, ${occurred_at})`;
      return id;
    },
    tell: openTeller(pools.writer, log),
    takeKey,
    keepAnswer,
    keptAnswer: async (key) => {
      const kept = await keptCall(pools.reader, key, sinceOf(key));
      return kept === null || kept.status === null ? null : { status: kept.status, answer: kept.answer };
    },
    heard: (of) => keepPassRun(pools.writer, of),
  };
}

/** Two acts that took the same rows in different orders: the database undid one of them, which may simply run again. */
const UNDONE_FOR_ANOTHER = ['40P01', '40001'];
const TRIES = 3;

async function again<T>(act: () => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (tries <= 1 || typeof code !== 'string' || !UNDONE_FOR_ANOTHER.includes(code)) throw error;
    return again(act, tries - 1);
  }
}

async function transact<T>(writer: postgres.Sql<Parsed>, work: Work<T>, signal?: AbortSignal): Promise<T> {
  let committing = false;
  const last: Promise<unknown>[] = [];
  const take = (statement: Promise<unknown>): void => {
    last.push(statement);
    // Heard below, and maybe not yet when it fails.
    statement.catch(() => undefined);
  };
  try {
    const done = await writer.begin(async (tx) => {
      const answer = await work(tx, take);
      if (signal?.aborted) throw new Refusal(503, 'unavailable', READ_TOO_SLOW);
      committing = true;
      return { answer };
    });
    // The database took a commit behind a statement that failed for a rollback, and said nothing of it.
    await Promise.all(last);
    return (done as { answer: T }).answer;
  } catch (error) {
    if (committing && troubleOf(error) === 'gone') throw new Unsettled('a commit', { cause: error });
    throw error;
  }
}

export async function writeAudit(db: Reader | Transaction, row: AuditRow): Promise<void> {
  const { caller } = row;
  const { principal, credential } = caller;
  const token =
    credential.kind === 'token'
      ? { id: credential.id, name: credential.name }
      : credential.kind === 'provisioning_key'
        ? { id: principal.id, name: principal.name }
        : null;
  await db`insert into audit ${db({
    id: newId(),
    at: row.at,
    principal_kind: principal.kind,
    principal_id: principal.id,
    principal_name: principal.name,
    on_behalf_of_id: principal.on_behalf_of?.id ?? null,
    on_behalf_of_name: principal.on_behalf_of?.name ?? null,
    token_id: token?.id ?? null,
    token_name: token?.name ?? null,
    surface: caller.surface,
    turn: caller.turn,
    act: row.act,
    resource: row.resource,
    outcome: row.outcome,
    code: row.code,
    sentence: row.sentence === null ? null : keepable(row.sentence),
    request_id: row.request_id,
    times: row.times ?? 1,
    rehearsed: row.rehearsed ?? false,
  })}`;
}

const KEY_LIFE_MS = DAY_MS;

/** Keys that ran out go with the next one that is taken, this many at a time; those another call is just removing are its. */
const MOST_REMOVED = 100;

type KeptCall = { act: string; arguments_hash: string; status: number | null; answer: unknown };

const sinceOf = ({ at, life_ms = KEY_LIFE_MS }: IdempotencyKey): Date => after(at, -life_ms);

async function keptCall(
  db: Reader,
  { owner, key, act, arguments_hash }: IdempotencyKey,
  since: Date,
): Promise<KeptCall | null> {
  const [kept] = await db<KeptCall[]>`
    select act, arguments_hash, status, answer from idempotency_keys
    where owner = ${owner} and key = ${key} and at >= ${since}`;
  if (kept && (kept.act !== act || kept.arguments_hash !== arguments_hash))
    throw conflict(
      'this Idempotency-Key was already used for another call: send a new key with each new call',
    );
  return kept ?? null;
}

/** A second call with the same key waits on the unique index until the first has committed, and then sees its answer. */
async function takeKey(tx: Transaction, key: IdempotencyKey): Promise<Replay | null> {
  const oldest = after(key.at, -KEY_LIFE_MS);
  const since = sinceOf(key);
  await tx`delete from idempotency_keys where owner = ${key.owner} and key = ${key.key} and at < ${since}`;
  await tx`delete from idempotency_keys where (owner, key) in (
    select owner, key from idempotency_keys where at < ${oldest} order by at limit ${MOST_REMOVED} for update skip locked)`;
  const taken = await tx`
    insert into idempotency_keys (owner, key, act, arguments_hash, at)
    values (${key.owner}, ${key.key}, ${key.act}, ${key.arguments_hash}, ${key.at})
    on conflict do nothing returning key`;
  if (taken.length > 0) return null;
  const kept = await keptCall(tx, key, oldest);
  if (!kept || kept.status === null)
    throw conflict(
      'the first call with this Idempotency-Key has not finished: wait a moment, then send it again',
    );
  return { status: kept.status, answer: kept.answer };
}

/** Wherever in it they exist. */
const idsIn = (answer: unknown): string[] => [...new Set(JSON.stringify(answer)?.match(ID) ?? [])];

/** As ids are written. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

async function keepAnswer(tx: Transaction, key: IdempotencyKey, replay: Replay): Promise<void> {
  await tx`update idempotency_keys set status = ${replay.status}, answer = ${json(tx, replay.answer ?? null)},
             names = ${idsIn(replay.answer)}::uuid[]
           where owner = ${key.owner} and key = ${key.key}`;
}
