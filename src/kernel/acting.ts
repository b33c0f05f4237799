// What an act runs with: its context, the acts that it calls itself, and the name of the record it acts on.
import type { z } from 'zod';
import { accountOf } from './caller.ts';
import { refusedBeforeReading, refusedOnArguments } from './gates.ts';
import { DELIVERIES_DUE, type EventName } from './events.rules.ts';
import type { AuditRow, ChangeNotification, Reader, Transaction } from './database.ts';
import type { App } from './app.ts';
import { isLong, pathKeys, type AnyOperation, type Operation } from './operation.ts';
import { parseArguments } from './parse.ts';
import {
  handler,
  type Bound,
  type Cookie,
  type Download,
  type ReadContext,
  type RequestFacts,
  type WriteContext,
} from './context.ts';

/** Every operation that can be rehearsed answers so. */
export const isRehearsal = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'dry_run' in answer && answer.dry_run === true;

/** A long read waits for its caller's turn, and of a file it waits for one at every piece. */
export async function answerOf(
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

export type Args = Record<string, unknown>;
/** What an act leaves behind beside rows: for the entry point to set, and for open screens to hear after the commit. */
export type Leaves = { cookie: Cookie | null; changes: ChangeNotification[]; events: EventName[] };

export const leavesNothing = (): Leaves => ({ cookie: null, changes: [], events: [] });

export function contextOf(
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
      leaves?.events.push(event);
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
export function namedBy(op: AnyOperation, args: Args): string | null {
  if (!('action' in op.needs)) return null;
  if (typeof op.needs.on === 'function') return op.needs.on(args)[0] ?? null;
  const [area, noun = '', verb] = op.needs.action.split('.');
  const key = pathKeys(op.path).find((each) => each === noun || each === `${noun}_id`);
  const said = verb === undefined || key === undefined ? null : args[key];
  return typeof said === 'string' ? `${area}:${noun}/${said}` : null;
}

export function statusOf(op: AnyOperation): number {
  return 'json' in op.answers ? op.answers.json : 200;
}
