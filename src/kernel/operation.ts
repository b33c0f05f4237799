// The declaration of an operation: one value, stated once, with no optional safety field and no default. Entry points, tools,
// documents and tests loop over these values; only `invoke` runs one.
import type { z } from 'zod';
import type { GatedAct } from './acts.ts';

export type Effect = 'read' | 'write' | 'destroy';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What policy asks. `action` is `area.noun.verb`. `on` says how the thing is named: by the arguments alone, or `row` where
 * only the loaded row knows its names; then the loader demands the action (a gate on an operation is no gate on a row).
 * `open` is for the few operations that no one needs a right for, with the reason; `callers` for those that anyone with a
 * credential may run, because what they come to asks for its own right.
 */
export type Needs<Args> =
  | { action: string; on: 'row' | Method1<Args, string[]> }
  | { open: string }
  | { callers: string };

// Written as a method, whose argument TypeScript compares both ways: an operation of known arguments must be usable where
// any operation is (the loops over all of them hand over what its own schema has parsed).
type Method1<Args, Answer> = { of(args: Args): Answer }['of'];

/** Which kind of caller may run it at all; each narrower kind carries the sentence that refuses the others. */
export type Who =
  | 'anyone'
  /** Every token is refused, whatever its scopes, and so is an agent's turn; no one signed in is fine (sign-in itself). */
  | { never_a_token: string }
  | { not_on_an_agent_turn: string }
  | { people_only: string; code?: 'agent_turn' }
  /** A token needs the scope `scripts`, and a person in a session the right alone. */
  | { scripts_scope: string }
  | { session_only: string; code?: 'token_cannot_mint'; provisioning_key?: 'admitted' };

export type Wire<Args> = 'never' | { act: GatedAct; when?: Method1<Args, boolean> };

export type StepUp = 'needed' | 'no';

export type Answers =
  | {
      json: 200 | 201;
      /** The answer shows a secret once: it is never stored for a replay and never cached. */
      shows_secret: boolean;
    }
  /** A live stream. `instead` is the sentence that tells a request tool what to read. */
  | { stream: 'sse'; instead: string }
  /** A file of this content type, written as it is made. That it was asked for is audited, although it is a read. */
  | { file: string; instead: string };

export const OK: Answers = { json: 200, shows_secret: false };
export const CREATED: Answers = { json: 201, shows_secret: false };
export const OK_WITH_SECRET: Answers = { json: 200, shows_secret: true };
export const CREATED_WITH_SECRET: Answers = { json: 201, shows_secret: true };

export type Operation<
  Name extends string = string,
  Takes extends z.ZodObject = z.ZodObject,
  Gives extends z.ZodType = z.ZodType,
  Does extends Effect = Effect,
  Gets extends Answers = Answers,
> = {
  readonly name: Name;
  /** One or two sentences of product copy, for a person and for an agent. */
  readonly says: string;
  readonly method: Method;
  /** `/api/…`, with `:key` for each argument that is in the path. */
  readonly path: `/api/${string}`;
  /** Path, query and body keys together, flat. */
  readonly takes: Takes;
  readonly gives: Gives;
  /** Arguments that parse. */
  readonly example: z.input<Takes>;
  readonly effect: Does;
  readonly needs: Needs<z.output<Takes>>;
  readonly who: Who;
  /** May a session run it only within ten minutes of a sign-in or a step-up (domain.md §4.1)? Tokens are not asked. */
  readonly step_up: StepUp;
  readonly wire: Wire<z.output<Takes>>;
  readonly answers: Gets;
  /**
   * Of a read whose caller chooses what it costs the database (words, filters, a whole list), always or with some arguments: it
   * runs on connections apart, one at a time for each caller, where a statement has five seconds. Absent: what it reads is
   * bounded by its limit and an index.
   */
  readonly cost?: 'long' | Method1<z.output<Takes>, boolean>;
  /** Of a list: the fields of a row that an agent is given which asks for none (kernel/lean.ts). Absent: whole rows. */
  readonly brief?: readonly string[];
  /**
   * The argument that a person on screen may send as a file, in a multipart body of at most so many bytes, with the other
   * arguments as JSON in its part `arguments`. Every other body is JSON, for everyone and everywhere.
   */
  readonly upload?: { argument: string; max_bytes: number };
};

/**
 * States an operation. It only fixes the types (effect and answers to the letter, so that a read's handler is given no
 * transaction); nothing is registered anywhere.
 */
export function operation<
  const Name extends string,
  Takes extends z.ZodObject,
  Gives extends z.ZodType,
  const Does extends Effect,
  const Gets extends Answers,
>(declared: Operation<Name, Takes, Gives, Does, Gets>): Operation<Name, Takes, Gives, Does, Gets> {
  return declared;
}

// An operation of any shape, for the places that loop over all of them.
export type AnyOperation = Operation<string, z.ZodObject, z.ZodType>;

export const pathKeys = (path: string): string[] =>
  [...path.matchAll(/:([a-z_]+)/g)].map((m) => m[1] as string);

/** Does this call run where long reads do? */
export const isLong = (op: AnyOperation, args: Record<string, unknown>): boolean =>
  typeof op.cost === 'function' ? op.cost(args) : op.cost === 'long';

export function needsAction(op: AnyOperation): string | null {
  return 'action' in op.needs ? op.needs.action : null;
}
