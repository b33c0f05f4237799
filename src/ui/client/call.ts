// One call of one declared operation, by name. The route table says how the arguments become path, query and body; the
// contracts give the types; what the product refuses comes back as an ApiError with its sentence.
import type { z } from 'zod';
import { routes, type Operations } from './operations.gen.ts';
import { heardOf } from './reach.ts';
import { isOver, signedInAgain } from './session-over.ts';

export type OperationName = keyof Operations;
export type Takes<N extends OperationName> = z.input<Operations[N]['takes']>;
export type Answer<N extends OperationName> = z.output<Operations[N]['gives']>;

type Method<N extends OperationName> = (typeof routes)[N][0];
/** Operations that read, and those that act; `policy_explain` is a POST that reads and is called by hand. */
export type ReadName = { [N in OperationName]: Method<N> extends 'GET' ? N : never }[OperationName];
export type ActName = Exclude<OperationName, ReadName>;

/** `code` is one of the product's error codes, or `unreachable` where no answer came (status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;
  /** Whole seconds, with 429. */
  readonly retry_after: number | null;

  constructor(
    status: number,
    code: string,
    sentence: string,
    details: { fields?: Record<string, string>; retry_after?: number } = {},
  ) {
    const fields = details.fields ?? {};
    const path = Object.keys(fields).find((each) => sentence.startsWith(`${each}: `));
    super(path === undefined ? sentence : withoutPath(sentence, path));
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = Object.fromEntries(
      Object.entries(fields).map(([name, says]) => [name, withoutPath(says, name)]),
    );
    this.retry_after = details.retry_after ?? null;
  }

  get sentence(): string {
    return this.message;
  }
}

/** A field's sentence opens with its path (`steps.0.subject: …`), which no screen shows: the words are beside the field. */
function withoutPath(sentence: string, path: string): string {
  const says = sentence.startsWith(`${path}: `) ? sentence.slice(path.length + 2) : sentence;
  return says.charAt(0).toUpperCase() + says.slice(1);
}

type Plain = Record<string, unknown>;
/** What may be in a query: one level of plain values. */
type Flat = string | number | boolean;

/** Where a call goes, and with what. */
export function request(name: OperationName, args: Plain): [string, RequestInit] {
  const [method, template] = routes[name];
  const rest: Plain = { ...args };
  const path = template.replaceAll(/:([a-z_]+)/g, (_, key: string) => {
    const value = String(rest[key]);
    delete rest[key];
    return encodeURIComponent(value);
  });
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  if (method === 'GET') {
    const query = new URLSearchParams();
    for (const [key, value] of given)
      if (value !== null && value !== '')
        query.set(key, Array.isArray(value) ? value.join(',') : String(value as Flat));
    return [query.size ? `${path}?${query}` : path, { method }];
  }
  return [
    path,
    {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(given)),
    },
  ];
}

/** Who is told what an act that went through had sent. */
export const went = new Set<(body: string) => void>();

const UNREACHABLE = 'Can’t reach Dunnock. Check your connection and try again.';
const OFFLINE = 'You’re offline. Nothing was changed, and your text is still here.';
const SIGNED_OUT = 'You’re signed out. Sign in again to continue.';
const NO_SENTENCE = 'Unexpected response. Try again. If it keeps happening, contact your operator.';

type ErrorBody = {
  error?: {
    code?: string;
    message?: string;
    details?: { fields?: Record<string, string>; retry_after?: number };
  };
};

/**
 * Where the session is over, asks the person to sign in again and calls once more. Not for what someone else may give up: an act
 * of a run is not waited for, and signing in is its own question.
 */
export async function call<N extends OperationName>(
  name: N,
  args: Takes<N>,
  signal?: AbortSignal,
): Promise<Answer<N>> {
  const how = routes[name][0] === 'GET' ? 'read' : 'act';
  if ((name.startsWith('auth_') && name !== 'auth_step_up') || (how === 'act' && signal))
    return once(name, args, signal);
  return regained(how, () => once(name, args, signal));
}

/** What was refused because the session is over is tried again after signing in; given up where the person did not. */
export async function regained<T>(how: 'read' | 'act', act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    if (await signedInAgain(how)) return act();
    throw isOver() ? new ApiError(401, 'given_up', SIGNED_OUT) : error;
  }
}

async function once<N extends OperationName>(
  name: N,
  args: Takes<N>,
  signal?: AbortSignal,
): Promise<Answer<N>> {
  const [path, init] = request(name, args);
  // Asked before it is tried: what broke off later may have been done.
  const offline = !navigator.onLine;
  let response: Response;
  try {
    response = await fetch(path, {
      ...init,
      signal: signal ?? null,
      credentials: 'same-origin',
      cache: 'no-store',
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    heardOf(0);
    throw new ApiError(0, 'unreachable', offline && init.method !== 'GET' ? OFFLINE : UNREACHABLE);
  }
  heardOf(response.status);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) {
    if (typeof init.body === 'string') for (const hear of went) hear(init.body);
    return body as Answer<N>;
  }
  const { error } = (body ?? {}) as ErrorBody;
  throw new ApiError(response.status, error?.code ?? 'fault', error?.message ?? NO_SENTENCE, error?.details);
}
