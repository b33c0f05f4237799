// The only way a delivery leaves: an HTTP POST whose socket goes only to checked addresses, through no proxy, with
// TLS verified, without following redirects, under one deadline, reading little and keeping only the response’s
// status.
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isAddress } from './address.ts';
import { pinnedLookup } from './pin.ts';
import { codeOf, errorOf, type PostError } from './post-error.ts';

/** Exactly one of: an answer that was read to its end, whatever its status, or a failure, with the status if one came. */
export type PostAnswer = { status: number; error: null } | { status: number | null; error: PostError };

export type Post = {
  /** As checkUrl gave it: http or https, without credentials. */
  url: string;
  /** As admitUrl gave them. */
  addresses: readonly string[];
  /** Names and values of ours; Host, Content-Length and Connection are set here. */
  headers: Readonly<Record<string, string>>;
  /** Sent to the byte; a string as UTF-8. */
  body: string | Uint8Array;
  /** For the whole exchange, from connecting to the last byte of the answer. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** Shares connections between the posts of a pass. Without one the connection serves this post alone. */
  pool?: Pool;
};

type PinnedAgent = HttpAgent | HttpsAgent;

/** Where a post goes, worked out once for all that go there. */
type CallSource =
  | { refused: PostAnswer }
  | { refused: null; to: RequestOptions; open: typeof httpRequest; url: URL };

/** Connections of one pass, kept alive by origin and addresses. `close` ends them all; to be called when the pass ends. */
export type Pool = { sourceOf(post: Post): CallSource; close(): void };

const LONGEST_ANSWER_BYTES = 16 * 1024;
const LONGEST_HEAD_BYTES = 16 * 1024;

/** How long one of several addresses is waited for before the next is tried beside it (RFC 8305). */
const NEXT_ADDRESS_MS = 1_000;

export function openPool(): Pool {
  const agents = new Map<string, PinnedAgent>();
  let last: { url: string; addresses: readonly string[]; source: CallSource } | null = null;
  const agentOf = (url: URL, addresses: readonly string[]): PinnedAgent => {
    const key = [url.origin, ...[...addresses].sort()].join(' ');
    const agent = agents.get(key) ?? newAgent(url, addresses, true);
    agents.set(key, agent);
    return agent;
  };
  return {
    // The rows of a batch all go one way, under the very list that was checked for them.
    sourceOf(post) {
      const { url, addresses } = post;
      if (last?.url === url && last.addresses === addresses) return last.source;
      const source = sourceOf(post, agentOf);
      last = { url, addresses, source };
      return source;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
      last = null;
    },
  };
}

function sourceOf(
  { url: text, addresses }: Post,
  agentOf: (url: URL, addresses: readonly string[]) => PinnedAgent,
): CallSource {
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new Error('a URL with credentials reached a post unchecked');
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isAddress(literal) && !addresses.includes(literal))
    return { refused: { status: null, error: 'address' } };
  if (addresses.length === 0) return { refused: { status: null, error: 'unresolved' } };
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const to = {
    protocol: url.protocol,
    hostname: literal,
    port: url.port,
    path: url.pathname + url.search,
    method: 'POST',
    agent: agentOf(url, addresses),
    maxHeaderSize: LONGEST_HEAD_BYTES,
  };
  return { refused: null, to, open, url };
}

/**
 * Posts once. Resolves whatever the receiver does; rejects only for a mistake of the caller (a URL or header that
 * cannot be sent). One exception to "once": when a kept connection breaks before any answer, which is how servers
 * close idle ones, the post goes out again on a fresh connection under the same deadline; receivers deduplicate.
 */
export async function postPinned(post: Post): Promise<PostAnswer> {
  const alone = (url: URL, addresses: readonly string[]) => newAgent(url, addresses, false);
  const source = post.pool ? post.pool.sourceOf(post) : sourceOf(post, alone);
  if (source.refused) return source.refused;
  if (post.signal?.aborted) return { status: null, error: 'cancelled' };
  const { to, open, url } = source;

  let current: Exchange | null = null;
  // Late is who has not answered once everything that lies in the sockets was read: after a busy moment of this process
  // timers come first, and the receiver would be blamed for it.
  const timer = setTimeout(() => setImmediate(() => current?.late()), post.timeoutMs);
  const cancel = (): void => current?.cut('cancelled');
  post.signal?.addEventListener('abort', cancel);
  try {
    current = exchange(post, to, open);
    const first = await current.answer;
    if (first !== 'stale') return first;
    const agent = alone(url, post.addresses);
    current = exchange(post, { ...to, agent }, open);
    const fresh = await current.answer;
    agent.destroy();
    return fresh === 'stale' ? { status: null, error: 'reset' } : fresh;
  } finally {
    // The connection may be another post's by the time at which this one would have been late.
    current = null;
    clearTimeout(timer);
    post.signal?.removeEventListener('abort', cancel);
    if (!post.pool) (to.agent as PinnedAgent).destroy();
  }
}

type Exchange = { answer: Promise<PostAnswer | 'stale'>; late(): void; cut(error: PostError): void };

function exchange(post: Post, to: RequestOptions, open: typeof httpRequest): Exchange {
  const { body } = post;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  const headers = { ...post.headers, 'content-length': length };
  const { promise: answer, resolve } = Promise.withResolvers<PostAnswer | 'stale'>();
  const request = open({ ...to, headers });
  let status: number | null = null;
  // Nothing more is read or sent: what the receiver still sends meets a closed socket.
  const cut = (error: PostError): void => {
    resolve({ status, error });
    request.destroy();
  };
  request.on('error', (error) => {
    if (status === null && isStale(request, error)) resolve('stale');
    else cut(errorOf(error));
  });
  // A receiver that switches protocols (101) gives no answer to a POST.
  request.on('upgrade', () => cut('bad_answer'));
  request.on('response', (response) => {
    status = response.statusCode ?? 0;
    if (status >= 300 && status < 400) return cut('redirect');
    readToEnd(response, cut, () => resolve({ status, error: null } as PostAnswer));
  });
  // A text goes out in one write with its head.
  request.end(body);
  return { answer, cut, late: () => cut(status === null ? 'timeout' : 'too_slow') };
}

function readToEnd(response: IncomingMessage, cut: (error: PostError) => void, done: () => void): void {
  let readBytes = 0;
  response.on('data', (chunk: Buffer) => {
    readBytes += chunk.byteLength;
    if (readBytes > LONGEST_ANSWER_BYTES) cut('too_long');
  });
  response.on('error', (error) => cut(errorOf(error)));
  response.on('end', done);
}

/** Every option that the environment of the host could turn (a proxy, certificates unverified) is stated. */
function newAgent(url: URL, addresses: readonly string[], keepAlive: boolean): PinnedAgent {
  const options = {
    keepAlive,
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    proxyEnv: {},
  };
  if (url.protocol === 'http:') return new HttpAgent(options);
  return new HttpsAgent({ ...options, rejectUnauthorized: true });
}

function isStale(request: ClientRequest, error: Error): boolean {
  return request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}
