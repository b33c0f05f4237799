// A `fetch` for libraries that call outside services: the address is checked for every call and the socket pinned to
// it, redirects aren’t followed, and responses are limited in size and time.
import type { IncomingMessage } from 'node:http';
import type { Reach } from './ask.ts';
import { openPinned } from './pinned.ts';
import { errorOf, type PostError } from './post-error.ts';
import { admitUrl } from './resolve.ts';

export type FetchLimits = {
  /** Until the answer begins. */
  firstMs: number;
  /** Between two pieces of it. */
  idleMs: number;
  limitBytes: number;
};

/** Why a call failed; `sentence` is ours, where the address itself is refused. */
export class FetchFailed extends Error {
  readonly why: PostError | 'not_allowed';
  readonly sentence: string | null;
  constructor(why: PostError | 'not_allowed', sentence: string | null = null) {
    super(why);
    this.name = 'FetchFailed';
    this.why = why;
    this.sentence = sentence;
  }
}

export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Rejects with a FetchFailed. Bodies are texts, bytes or form fields; a Request is read for its address, method and headers. */
export function guardedFetch({ lookup, opening }: Reach, limits: FetchLimits): GuardedFetch {
  return async (input, init = {}) => {
    const given = input instanceof Request ? input : null;
    const asked = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    const admitted = await admitUrl(asked, opening, { lookup });
    if (!admitted.ok) throw new FetchFailed('not_allowed', admitted.sentence);
    if (admitted.addresses.length === 0) throw new FetchFailed('unresolved');
    const body = bodyOf(init.body);
    const headers = new Headers(init.headers ?? given?.headers);
    if (init.body instanceof URLSearchParams && !headers.has('content-type'))
      headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
    if (body) headers.set('content-length', String(body.byteLength));
    const signal = init.signal ?? given?.signal ?? null;
    if (signal?.aborted) throw new FetchFailed('cancelled');
    const opened = openPinned({
      method: init.method ?? given?.method ?? 'GET',
      url: new URL(admitted.url),
      addresses: admitted.addresses,
      headers: Object.fromEntries(headers),
    });
    if (!opened) throw new FetchFailed('address');
    return exchange(opened, body, signal, limits);
  };
}

function exchange(
  { request, close }: NonNullable<ReturnType<typeof openPinned>>,
  body: Buffer | null,
  signal: AbortSignal | null,
  limits: FetchLimits,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  // The stream's own end, once there is one: what goes wrong later is said there.
  let tell: (error: FetchFailed) => void = reject;
  const fail = (why: PostError): void => {
    end();
    tell(new FetchFailed(why));
  };
  const cancel = (): void => fail('cancelled');
  const end = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    close();
  };
  let timer = setTimeout(fail, limits.firstMs, 'timeout');
  const waitAgain = (): void => {
    clearTimeout(timer);
    timer = setTimeout(fail, limits.idleMs, 'too_slow');
  };
  signal?.addEventListener('abort', cancel);
  request.on('error', (error) => fail(errorOf(error)));
  request.on('upgrade', () => fail('bad_answer'));
  request.on('response', (response) => {
    const status = response.statusCode ?? 0;
    if (status >= 300 && status < 400) return fail('redirect');
    waitAgain();
    const stream = streamOf(response, limits.limitBytes, {
      waitAgain,
      fail,
      end,
      heard: (to) => (tell = to),
    });
    const empty = status === 204 || status === 205;
    resolve(new Response(empty ? null : stream, { status, headers: headersOf(response) }));
  });
  request.end(body ?? undefined);
  return promise;
}

type Course = {
  waitAgain(): void;
  fail(why: PostError): void;
  end(): void;
  heard(to: (error: FetchFailed) => void): void;
};

function streamOf(
  response: IncomingMessage,
  limitBytes: number,
  { waitAgain, fail, end, heard }: Course,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  let open = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      heard((error) => {
        if (open) controller.error(error);
        open = false;
      });
      response.on('data', (piece: Buffer) => {
        bytes += piece.byteLength;
        if (bytes > limitBytes) return fail('too_long');
        waitAgain();
        if (open) controller.enqueue(new Uint8Array(piece));
        if ((controller.desiredSize ?? 0) <= 0) response.pause();
      });
      response.on('error', (error) => fail(errorOf(error)));
      response.on('end', () => {
        end();
        if (open) controller.close();
        open = false;
      });
    },
    pull() {
      response.resume();
    },
    cancel() {
      open = false;
      end();
    },
  });
}

function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) headers.append(name, each);
  return headers;
}

function bodyOf(body: RequestInit['body']): Buffer | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof URLSearchParams) return Buffer.from(body.toString());
  if (body instanceof Uint8Array) return Buffer.from(body);
  throw new TypeError('a body is a text, bytes or form fields');
}
