// Owns the one way a delivery leaves: an HTTP POST whose socket goes to checked addresses alone, through no proxy, with
// TLS verified, following nothing, under one deadline, reading little and keeping of the answer its status alone.
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

/** Connections of one pass, kept alive by origin and addresses. `close` ends them all; to be called when the pass ends. */
export type Pool = { agentFor(url: URL, addresses: readonly string[]): PinnedAgent; close(): void };

const LONGEST_ANSWER_BYTES = 16 * 1024;
const LONGEST_HEAD_BYTES = 16 * 1024;

/** How long one of several addresses is waited for before the next is tried beside it (RFC 8305). */
const NEXT_ADDRESS_MS = 1_000;

export function openPool(): Pool {
  const agents = new Map<string, PinnedAgent>();
  return {
    agentFor(url, addresses) {
      const key = [url.origin, ...[...addresses].sort()].join(' ');
      const agent = agents.get(key) ?? newAgent(url, addresses, true);
      agents.set(key, agent);
      return agent;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

/**
 * Posts once. Resolves whatever the receiver does; rejects only for a mistake of the caller (a URL or header that
 * cannot be sent). One exception to "once": when a kept connection breaks before any answer, which is how servers
 * close idle ones, the post goes out again on a fresh connection under the same deadline; receivers deduplicate.
 */
export async function postPinned(post: Post): Promise<PostAnswer> {
  const url = new URL(post.url);
  if (url.username !== '' || url.password !== '')
    throw new Error('a URL with credentials reached a post unchecked');
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isAddress(literal) && !post.addresses.includes(literal)) return { status: null, error: 'address' };
  if (post.addresses.length === 0) return { status: null, error: 'unresolved' };
  if (post.signal?.aborted) return { status: null, error: 'cancelled' };

  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), post.timeoutMs);
  try {
    const first =
      post.pool && (await exchange(post, url, post.pool.agentFor(url, post.addresses), deadline.signal));
    if (first && first !== 'stale') return first;
    const agent = newAgent(url, post.addresses, false);
    const fresh = await exchange(post, url, agent, deadline.signal);
    agent.destroy();
    return fresh === 'stale' ? { status: null, error: 'reset' } : fresh;
  } finally {
    clearTimeout(timer);
  }
}

function exchange(
  post: Post,
  url: URL,
  agent: PinnedAgent,
  deadline: AbortSignal,
): Promise<PostAnswer | 'stale'> {
  const body = Buffer.from(post.body);
  const options: RequestOptions = {
    method: 'POST',
    agent,
    headers: { ...post.headers, 'content-length': String(body.byteLength) },
    maxHeaderSize: LONGEST_HEAD_BYTES,
  };
  return new Promise((resolve) => {
    const request = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
    let status: number | null = null;

    const end = (answer: PostAnswer | 'stale'): void => {
      deadline.removeEventListener('abort', onDeadline);
      post.signal?.removeEventListener('abort', onCancel);
      resolve(answer);
    };
    // Nothing more is read or sent: what the receiver still sends meets a closed socket.
    const cut = (error: PostError): void => {
      end({ status, error });
      request.destroy();
    };
    const onDeadline = (): void => cut(status === null ? 'timeout' : 'too_slow');
    const onCancel = (): void => cut('cancelled');
    deadline.addEventListener('abort', onDeadline);
    post.signal?.addEventListener('abort', onCancel);

    request.on('error', (error) =>
      status === null && isStale(request, error) ? end('stale') : cut(errorOf(error)),
    );
    // A receiver that switches protocols (101) gives no answer to a POST.
    request.on('upgrade', () => cut('bad_answer'));
    request.on('response', (response) => {
      status = response.statusCode ?? 0;
      if (status >= 300 && status < 400) return cut('redirect');
      readToEnd(response, cut, () => end({ status: response.statusCode ?? 0, error: null }));
    });
    request.end(body);
  });
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
