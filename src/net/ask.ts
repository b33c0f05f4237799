// One HTTP request to an outside API: the socket goes only to checked addresses, through no proxy, with TLS verified,
// without following redirects, under one deadline, reading no more of the response than allowed.
import type { IncomingMessage } from 'node:http';
import { openPinned } from './pinned.ts';
import { errorOf, type PostError } from './post-error.ts';
import { admitUrl, type Lookup } from './resolve.ts';
import type { Refused } from './receiver.ts';
import type { PrivateSwitch } from './switches.ts';

export type Asking = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Whole, as it was put together from a checked base address. */
  url: string;
  /** Names and values of ours; Host, Content-Length and Connection are set here. */
  headers: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  /** An answer that is longer is `too_long`. */
  limitBytes: number;
  signal?: AbortSignal | undefined;
};

/** Where a caller may go: how names are resolved, and which private addresses the operator opened for it. */
export type Reach = { lookup: Lookup; opening: PrivateSwitch };

export type Told =
  | { error: null; status: number; text: string; bytes: Buffer }
  /** `sent`: the other side may have had the question, or a part of it. */
  | { error: PostError | 'not_allowed'; sent: boolean; refused: Refused | null };

/** No one can have heard a question that failed like this. */
const UNHEARD: readonly PostError[] = [
  'unresolved',
  'address',
  'refused',
  'unreachable',
  'certificate',
  'tls',
];

/** Never rejects for what the other side does. The address is checked again for every question. */
export async function ask(asking: Asking, { lookup, opening }: Reach): Promise<Told> {
  const admitted = await admitUrl(asking.url, opening, { lookup });
  if (!admitted.ok) return { error: 'not_allowed', sent: false, refused: admitted };
  const { url, addresses } = admitted;
  const failed = (error: PostError): Told => ({ error, sent: !UNHEARD.includes(error), refused: null });
  if (addresses.length === 0) return failed('unresolved');
  if (asking.signal?.aborted) return { error: 'cancelled', sent: false, refused: null };
  return await exchange(asking, new URL(url), addresses, failed);
}

function exchange(
  { method, headers, body = '', timeoutMs, limitBytes, signal }: Asking,
  url: URL,
  addresses: readonly string[],
  failed: (error: PostError) => Told,
): Promise<Told> {
  const { promise, resolve } = Promise.withResolvers<Told>();
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const opened = openPinned({
    method,
    url,
    addresses,
    headers: { ...headers, ...(hasBody && { 'content-length': String(Buffer.byteLength(body)) }) },
  });
  if (!opened) return Promise.resolve(failed('address'));
  const { request, close } = opened;
  const end = (told: Told): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    resolve(told);
    close();
  };
  const cancel = (): void => end(failed('cancelled'));
  const timer = setTimeout(() => end(failed('timeout')), timeoutMs);
  signal?.addEventListener('abort', cancel);
  request.on('error', (error) => end(failed(errorOf(error))));
  request.on('upgrade', () => end(failed('bad_answer')));
  request.on('response', (response) => {
    const status = response.statusCode ?? 0;
    if (status >= 300 && status < 400) return end(failed('redirect'));
    read(
      response,
      limitBytes,
      (bytes) =>
        end(
          bytes === null ? failed('too_long') : { error: null, status, bytes, text: bytes.toString('utf8') },
        ),
      (error) => end(failed(error)),
    );
  });
  request.end(hasBody ? body : undefined);
  return promise;
}

function read(
  response: IncomingMessage,
  limitBytes: number,
  done: (bytes: Buffer | null) => void,
  failed: (error: PostError) => void,
): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  response.on('data', (piece: Buffer) => {
    bytes += piece.byteLength;
    if (bytes > limitBytes) done(null);
    else pieces.push(piece);
  });
  response.on('error', (error) => failed(errorOf(error)));
  response.on('end', () => done(Buffer.concat(pieces)));
}
