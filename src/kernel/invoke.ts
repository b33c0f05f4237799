// The only way to run an operation: who → policy → wire → parse → policy and wire on the arguments → what must be asked outside
// → transaction → handler → audit row → commit. Every transport, tool, script and pass calls this.
import { type Caller, isAgent } from './caller.ts';
import { answerOf, type Args, contextOf, isRehearsal, leavesNothing, namedBy, statusOf } from './acting.ts';
import { refusedBeforeReading, refusedOnArguments } from './gates.ts';
import type { AuditRow, Transaction } from './database.ts';
import type { App } from './app.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import { demandPace } from './limits.ts';
import { newId } from './ids.ts';
import type { AnyOperation } from './operation.ts';
import { parseArguments } from './parse.ts';
import { conflict, Refusal } from './refusal.ts';
import { refusedByTrouble } from './trouble.ts';
import { AskAgain, handler, type Bound, type Cookie, type RequestFacts } from './context.ts';

/** Arguments are read only after the gates that do not need them: an entry point passes the reading, not what it read. */
export type Arguments = () => unknown;

export type Outcome = {
  status: number;
  answer: unknown;
  cookie: Cookie | null;
  /** The same call was answered before: this is that answer, and nothing was done. */
  repeated?: true;
};

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

const isUnavailable = (error: unknown): boolean => error instanceof Refusal && error.code === 'unavailable';

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
  const key = idempotencyKeyOf(app, bound.operation, row, args, request);
  let leaves = leavesNothing();
  const { ask, act } = handler(bound);
  // No one is asked again for what was answered before.
  const kept = key && ask && (await database.keptAnswer(key));
  if (kept) return { ...kept, cookie: null, repeated: true as const };
  const asked = ask && (await ask(contextOf(app, database.reader, row, request, null), args));
  const acted = database.transact(async (tx, last) => {
    // A transaction that met another in a circle runs again, and leaves what its last run left.
    leaves = leavesNothing();
    const replay = key && (await database.takeKey(tx, key));
    if (replay) return { ...replay, cookie: null, repeated: true as const };
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
