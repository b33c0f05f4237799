// The only place that opens connections to mail servers: only to checked addresses, through no proxy, and abandoned
// after a deadline.
import { connect, type Socket } from 'node:net';
import { isAddress } from '../../net/address.ts';
import { pinnedLookup } from '../../net/pin.ts';
import { errorOf } from '../../net/post-error.ts';
import { admitHost, type Lookup } from '../../net/resolve.ts';
import type { AllowedHosts } from '../../net/switches.ts';
import type { UnreachableWhy } from './transport.ts';

export type Place = {
  host: string;
  port: number;
  /** Of SERVICE_ALLOW_PRIVATE_HOSTS. */
  allowedHosts: AllowedHosts;
  lookup: Lookup;
  /** Of SERVICE_MAIL_CA_FILE. */
  ca?: readonly string[];
};

export type OpenedSocket =
  | { ok: true; socket: Socket; host: string }
  /** `sentence` is why the address is not allowed, as product copy. */
  | { ok: false; why: UnreachableWhy; sentence: string | null };

/** How long one of several addresses is waited for before the next is tried beside it (RFC 8305). */
const NEXT_ADDRESS_MS = 1_000;

/** The socket is connected and paused: nothing that arrives is lost. */
export async function openSocket(
  { host, port, allowedHosts, lookup }: Place,
  connectMs: number,
  signal?: AbortSignal,
): Promise<OpenedSocket> {
  const admitted = await admitHost(host, { allowedHosts }, { lookup });
  if (!admitted.ok) return { ok: false, why: 'address', sentence: admitted.sentence };
  const { addresses, host: name } = admitted;
  if (addresses.length === 0) return { ok: false, why: 'dns', sentence: null };
  // Node asks no resolver for a literal, so it is compared here with what was checked.
  if (isAddress(name) && !addresses.includes(name)) return { ok: false, why: 'address', sentence: null };

  const { promise, resolve } = Promise.withResolvers<OpenedSocket>();
  const socket = connect({
    host: name,
    port,
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  });
  const fail = (why: UnreachableWhy): void => {
    socket.on('error', () => {});
    socket.destroy();
    resolve({ ok: false, why, sentence: null });
  };
  const onError = (error: Error): void => {
    const why = errorOf(firstOf(error));
    fail(why === 'timeout' ? 'timeout' : why === 'unresolved' ? 'dns' : 'refused');
  };
  const onCut = (): void => fail('dropped');
  const timer = setTimeout(() => fail('timeout'), connectMs);
  signal?.addEventListener('abort', onCut);
  socket.on('error', onError);
  socket.once('connect', () => resolve({ ok: true, socket, host: name }));
  if (signal?.aborted) onCut();

  const opened = await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', onCut);
  if (opened.ok) socket.off('error', onError);
  return opened;
}

/** Several addresses fail as one error that holds theirs. */
const firstOf = (error: Error): Error =>
  error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
