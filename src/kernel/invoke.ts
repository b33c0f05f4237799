// The one entry point: the only way to run an operation. Who → policy → wire → parse → policy and wire on the arguments → what must
// be asked outside → transaction → handler → audit row → commit. Every transport, tool, script and pass ends here.
import type { z } from 'zod';
import { accountOf, type Caller, isAgent } from './caller.ts';
import { refusedBeforeReading, refusedOnArguments } from './gates.ts';
import { DELIVERIES_DUE } from './events.rules.ts';
import type { AuditRow, ChangeNotification, Reader, Transaction } from './database.ts';
import type { App } from './app.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import { demandPace } from './limits.ts';
import { newId } from './ids.ts';
import { isLong, pathKeys, type AnyOperation, type Operation } from './operation.ts';
import { parseArguments } from './parse.ts';
import { conflict, Refusal } from './refusal.ts';
import { refusedByTrouble } from './trouble.ts';
import {
  AskAgain,
  handler,
  type Bound,
  type Cookie,
  type Download,
  type ReadContext,
  type RequestFacts,
  type WriteContext,
} from './context.ts';

/** Arguments are read only after the gates that do not need them: an entry point passes the reading, not what it read. */
export type Arguments = () => unknown;

export type Outcome = { status: number; answer: unknown; cookie: Cookie | null };

export const freshRequest = (facts: Partial<RequestFacts> = {}): RequestFacts => ({
  id: newId(),
  address: null,
  user_agent: null,
  idempotency_key: null,
  ...facts,
});

/**
 * Runs one operation as `caller`. Gives the status and the answer; throws a Refusal (audited) or lets a fault through
 * (audited as such). Source: design §1; interface specification §5.
 */
export function invoke(
  app: App,
  operation: AnyOperation,
  caller: Caller,
  read: Arguments,
  request: RequestFacts = freshRequest(),
): Promise<Outcome> {
  const facts = {
    'dunnock.request_id': request.id,
    'dunnock.surface': caller.surface,
    'dunnock.turn': caller.turn,
  };
  return app.trace.span(`act ${operation.name}`, facts, () => perform(app, operation, caller, read, request));
}

async function perform(
  app: App,
  operation: AnyOperation,
  caller: Caller,
  read: Arguments,
  request: RequestFacts,
): Promise<Outcome> {
  const bound = app.bound.get(operation.name);
  if (!bound || bound.operation !== operation) throw new Error(`${operation.name} stands in no feature`);
  const now = app.clock.now();
  const done: AuditRow = {
    at: now,
    caller,
    act: operation.name,
    resource: null,
    outcome: 'done',
    code: null,
    sentence: null,
    request_id: request.id,
  };
  try {
    const early = refusedBeforeReading(operation, caller, now);
    if (early) throw early;
    const args = parseArguments(operation.takes, await read());
    done.resource = namedBy(operation, args);
    const late = refusedOnArguments(operation, caller, args);
    if (late) throw late;
    if (caller.credential.kind === 'token')
      await demandPace(app.limits, operation.name, caller.credential.id);
    return operation.effect === 'read'
      ? await runRead(app, bound, args, done, request)
      : await runWrite(app, bound, args, done, request, MOST_ASKED);
  } catch (error) {
    const refused = refusedByTrouble(error);
    // A read whose caller left while it waited was kept from no one.
    const left = operation.effect === 'read' && request.signal?.aborted && isUnavailable(error);
    if (left) throw error;
    if (!refused) await app.failures.record(done, error);
    // What the database cannot keep, it cannot keep an account of either.
    else app.log.warn({ err: error, act: done.act, request_id: request.id }, 'the database failed an act');
    throw refused ?? error;
  }
}

async function runRead(
  app: App,
  bound: Bound,
  args: Args,
  row: AuditRow,
  request: RequestFacts,
): Promise<Outcome> {
  const answer = await answerOf(app, bound, args, row, request);
  // What leaves the app as a file is written down before its first byte, or it does not leave.
  if ('file' in bound.operation.answers) await app.database.audit(null, row);
  else if (isAgent(row.caller)) app.reads.note(row);
  return { status: statusOf(bound.operation), answer, cookie: null };
}

/** Every operation that can be rehearsed answers so. */
const isRehearsal = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'dry_run' in answer && answer.dry_run === true;

const isUnavailable = (error: unknown): boolean => error instanceof Refusal && error.code === 'unavailable';

/** A long read waits for its caller's turn, and of a file it waits for one at every piece. */
async function answerOf(
  app: App,
  bound: Bound,
  args: Args,
  row: AuditRow,
  request: RequestFacts,
): Promise<unknown> {
  const { reader, long } = app.database;
  const read = (db: Reader): Promise<unknown> =>
    handler(bound).act(contextOf(app, db, row, request, null), args, undefined);
  if (!isLong(bound.operation, args)) return read(reader);
  const who = accountOf(row.caller);
  const isFile = 'file' in bound.operation.answers;
  return long.run(
    who,
    async (db) => {
      const answer = await read(db);
      if (!isFile) return answer;
      const file = answer as Download;
      return { ...file, pieces: long.pieces(who, db, file.pieces) };
    },
    request.signal,
  );
}

/** How often an act asks again what changed meanwhile. */
const MOST_ASKED = 8;
const CHANGED_MEANWHILE =
  'the data kept changing while it was being read, so nothing was done: try again in a moment';

async function runWrite(
  app: App,
  bound: Bound,
  args: Args,
  row: AuditRow,
  request: RequestFacts,
  asks: number,
): Promise<Outcome> {
  const { database } = app;
  const key = idempotencyKeyOf(app, bound.operation, row, args, request.idempotency_key);
  let leaves: Leaves = { cookie: null, changes: [] };
  const { ask, act } = handler(bound);
  const asked = ask && (await ask(contextOf(app, database.reader, row, request, null), args));
  const acted = database.transact(async (tx, last) => {
    // A transaction that met another in a circle runs again, and leaves what its last run left.
    leaves = { cookie: null, changes: [] };
    const replay = key && (await database.takeKey(tx, key));
    if (replay) return { ...replay, cookie: null };
    await request.first?.(tx);
    const answer = await orKept(tx, act(contextOf(app, tx, row, request, leaves), args, asked));
    if (answer instanceof Refusal) return answer;
    const outcome = { status: statusOf(bound.operation), answer, cookie: leaves.cookie };
    if (key) await database.keepAnswer(tx, key, { status: outcome.status, answer });
    last(database.audit(tx, { ...row, rehearsed: isRehearsal(answer) }));
    return outcome;
  }, request.signal);
  const done = await acted.catch((error: unknown) => {
    if (!(error instanceof AskAgain)) throw error;
    return asks > 1 ? null : conflict(CHANGED_MEANWHILE);
  });
  if (done === null) return runWrite(app, bound, args, row, request, asks - 1);
  if (done instanceof Refusal) throw done;
  database.tell(leaves.changes);
  return done;
}

/** The answer, or the one kind of refusal whose transaction commits: one that keeps something (see Refusal.keeping). */
async function orKept(tx: Transaction, answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Refusal) || !error.keeps) throw error;
    await error.keeps(tx);
    return error;
  }
}

type Args = Record<string, unknown>;
/** What an act leaves behind beside rows: for the entry point to set, and for open screens to hear after the commit. */
type Leaves = { cookie: Cookie | null; changes: ChangeNotification[] };

function contextOf(
  app: App,
  db: Reader | Transaction,
  row: AuditRow,
  request: RequestFacts,
  leaves: Leaves | null,
): ReadContext & WriteContext {
  const tx = db as Transaction;
  return {
    caller: row.caller,
    now: row.at,
    app,
    request,
    db: tx as Reader & Transaction,
    invoke: <T extends z.ZodObject, G extends z.ZodType>(op: Operation<string, T, G>, args: z.input<T>) =>
      invokeInside(
        app,
        op as unknown as AnyOperation,
        args,
        row,
        request,
        db,
        leaves && { tx, leaves },
      ) as Promise<z.output<G>>,
    emit: async (event, data) => {
      await app.database.emit(tx, event, data, row.at);
      leaves?.changes.push({ topic: DELIVERIES_DUE, id: '' });
    },
    tell: (topic, id) => {
      leaves?.changes.push({ topic, id });
    },
    about: (resource) => {
      row.resource = resource;
    },
    account: (sentence) => {
      row.sentence = sentence;
    },
    cookie: (cookie) => {
      if (leaves) leaves.cookie = cookie;
    },
  };
}

/** An act called by another act: the same caller and the same gates, in the same transaction, with an audit row of its own. */
async function invokeInside(
  app: App,
  op: AnyOperation,
  given: unknown,
  outer: AuditRow,
  request: RequestFacts,
  db: Reader | Transaction,
  act: { tx: Transaction; leaves: Leaves } | null,
): Promise<unknown> {
  const bound = app.bound.get(op.name);
  if (!bound) throw new Error(`${op.name} stands in no feature`);
  if (op.effect !== 'read' && act === null) throw new Error(`${op.name} writes, and was called from a read`);
  const early = refusedBeforeReading(op, outer.caller, outer.at);
  if (early) throw early;
  const args = parseArguments(op.takes, given);
  const late = refusedOnArguments(op, outer.caller, args);
  if (late) throw late;
  const row: AuditRow = { ...outer, act: op.name, resource: namedBy(op, args) };
  if (db === app.database.reader && isLong(op, args)) return answerOf(app, bound, args, row, request);
  const context = contextOf(app, db, row, request, act?.leaves ?? null);
  const { ask, act: run } = handler(bound);
  // A stranger would be asked while the outer act holds its rows.
  if (ask && act) throw new Error(`${op.name} asks outside, and was called from within an act`);
  const asked = ask && (await ask(context, args));
  const answer = await run(context, args, asked);
  if (op.effect !== 'read' && act)
    await app.database.audit(act.tx, { ...row, rehearsed: isRehearsal(answer) });
  return answer;
}

/** Where only the row knows its names: what its path says of it, `crm:person/…` of `/api/admin/crm/people/:person`. */
function namedBy(op: AnyOperation, args: Args): string | null {
  if (!('action' in op.needs)) return null;
  if (typeof op.needs.on === 'function') return op.needs.on(args)[0] ?? null;
  const [area, noun = '', verb] = op.needs.action.split('.');
  const key = pathKeys(op.path).find((each) => each === noun || each === `${noun}_id`);
  const said = verb === undefined || key === undefined ? null : args[key];
  return typeof said === 'string' ? `${area}:${noun}/${said}` : null;
}

function statusOf(op: AnyOperation): number {
  return 'json' in op.answers ? op.answers.json : 200;
}
