// What a handler gets: the caller, the time, a database, and the few things an act may do besides changing rows. A read gets a
// Reader and can’t write; a write gets the Transaction of its act.
import type { z } from 'zod';
import type { Caller } from './caller.ts';
import type { EventData, EventName } from './events.rules.ts';
import type { Reader, Transaction } from './database.ts';
import type { App } from './app.ts';
import type { AnyOperation, Operation } from './operation.ts';

/** A session's cookie to set or to clear: its value never is in an answer's body. */
export type Cookie = { set: string; expires_at: Date } | 'clear';

export type RequestFacts = {
  id: string;
  /** The peer's address and what it calls itself; for sessions, throttles and the audit log. */
  address: string | null;
  user_agent: string | null;
  idempotency_key: string | null;
  signal?: AbortSignal;
  /** The step of a workflow's run that it is done for, which is its `id` too: what it sets off counts as caused by that run. */
  run_step?: { id: string; workflow_id: string };
  /** Of an act done for others that does more acts: who it is done for now. Rejects with a Refusal once they may do nothing. */
  caller_now?: () => Promise<Caller>;
  /** Asked first in the transaction of an act that writes: what it throws is the act's refusal, and what it locks stays so. */
  first?: (tx: Transaction) => Promise<void>;
  /** The name under which the answer is kept beside the act, whatever its method: the same call again gets it, and does nothing. */
  kept_under?: { owner: string; key: string; life_ms?: number };
  /** Of an act that was agreed to with the people whom a segment had then, by its id: it takes no one else. */
  people_of?: ReadonlyMap<string, ReadonlySet<string>>;
};

type Common = {
  caller: Caller;
  now: Date;
  app: App;
  request: RequestFacts;
  /** Runs another feature's act as the same caller, in the same transaction, through the same gates. */
  invoke<T extends z.ZodObject, G extends z.ZodType>(
    op: Operation<string, T, G>,
    args: z.input<T>,
  ): Promise<z.output<G>>;
};

export type ReadContext = Common & {
  db: Reader;
  /** What the audit row of a file says of it: how much of what. Other reads leave no row. */
  account(sentence: string): void;
};

export type WriteContext = Common & {
  db: Transaction;
  /** Queues an event in this transaction. */
  emit<E extends EventName>(event: E, data: EventData[E]): Promise<void>;
  /** Tells open screens, once this act is committed, that (topic, id) changed. */
  tell(topic: string, id: string): void;
  /** Names in the audit row what the act was done to, where the arguments alone did not. */
  about(resource: string): void;
  cookie(cookie: Cookie): void;
};

/** What a handler of a live stream gives: the messages, and what ends them is the entry point's business. */
export type Live = AsyncIterable<unknown>;

/** What a handler of a file gives: a name of plain letters, and the text or the bytes, piece by piece. */
export type Download = { filename: string; pieces: AsyncIterable<string | Uint8Array> };

const handlerOf = Symbol('handler');

type Ask = (context: ReadContext, args: unknown) => Promise<unknown>;
type Act = (context: ReadContext | WriteContext, args: unknown, asked: unknown) => Promise<unknown>;

/**
 * What an act that asks first does in a rehearsal, where no one outside is asked. `asks`: it asks this instance alone, and asks
 * the same. `instead` gives what is taken for the answer, and `says` how that differs. `cannot` says why there is no rehearsal.
 */
type InRehearsal<Asked> = 'asks' | { instead: Asked; says: string } | { cannot: string };

type Handler = { ask: Ask | null; act: Act; rehearsal: InRehearsal<Ask> };

/** An operation with its handler. The handler can be reached by `invoke` and by `rehearse` alone. */
export type Bound = {
  readonly operation: AnyOperation;
  readonly [handlerOf]: Handler;
};

type Answer<Op extends AnyOperation> = Promise<
  Op['answers'] extends { stream: 'sse' }
    ? Live
    : Op['answers'] extends { file: string }
      ? Download
      : z.input<Op['gives']>
>;

/** Joins a declaration to the code that does it. */
export function bind<Op extends AnyOperation>(
  operation: Op,
  handler: (
    context: Op['effect'] extends 'read' ? ReadContext : WriteContext,
    args: z.output<Op['takes']>,
  ) => Answer<Op>,
): Bound {
  return { operation, [handlerOf]: { ask: null, act: handler as unknown as Act, rehearsal: 'asks' } };
}

/**
 * The same for an act that must ask someone outside first (a name server, a mail server, a vendor). `ask` runs after the
 * gates and before the transaction, so that no row is locked while a stranger thinks; what it gives is the third argument of
 * `handler`. It reads its rows by loaders as every handler does, and it may run again for one act: what it asks must be safe
 * to ask twice. `rehearsal` says what a rehearsal does instead of asking.
 */
export function bindAsking<Op extends AnyOperation, Asked>(
  operation: Op,
  ask: (context: ReadContext, args: z.output<Op['takes']>) => Promise<Asked>,
  handler: (context: WriteContext, args: z.output<Op['takes']>, asked: Asked) => Answer<Op>,
  rehearsal: InRehearsal<(context: ReadContext, args: z.output<Op['takes']>) => Promise<Asked>>,
): Bound {
  return {
    operation,
    [handlerOf]: {
      ask: ask as unknown as Ask,
      act: handler as unknown as Act,
      rehearsal: rehearsal as unknown as InRehearsal<Ask>,
    },
  };
}

/** Thrown by a handler where what was asked does not fit the rows any more, before it wrote one: it is asked, and done, again. */
export class AskAgain extends Error {
  override name = 'AskAgain';
}

/** For `invoke` and `rehearse` alone. */
export const handler = (bound: Bound): Handler => bound[handlerOf];

/** What a rehearsal of it does where the act would ask someone outside: null where it asks no one. */
export function rehearsalOf(bound: Bound): { says: string } | { cannot: string } | null {
  const { rehearsal } = bound[handlerOf];
  if (rehearsal === 'asks') return null;
  return 'cannot' in rehearsal ? { cannot: rehearsal.cannot } : { says: rehearsal.says };
}
