// Whose page is calling: the Host and Origin checks. A foreign page must not speak for the person at the screen, nor reach a
// desk on their own machine by a name that it rebinds (DNS rebinding).
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Refusal } from '../kernel/refusal.ts';

export type OriginCheck = {
  /** Throws 403 for a foreign Host and for a foreign Origin. */
  demandKnown(request: IncomingMessage): void;
  /** The Host alone: for routes that read no credential, where a foreign page that calls borrows nothing. */
  demandKnownHost(request: IncomingMessage): void;
  /** Throws 403 for a call with a cookie that does not show that it comes from our own pages. */
  demandSameOrigin(request: IncomingMessage): void;
};

export type OriginCheckOptions = {
  base_url: string;
  /** The address that is listened on. */
  host: string;
  /** SERVICE_ORIGINS: further origins whose pages may call. */
  origins: string[];
};

const foreign = (what: string): Refusal =>
  new Refusal(
    403,
    'policy_denied',
    `this ${what} is not allowed on this instance: an operator can add it to SERVICE_ORIGINS`,
  );

export function openOriginCheck({ base_url, host, origins }: OriginCheckOptions): OriginCheck {
  const known = new Set([new URL(base_url).origin, ...origins.map((origin) => new URL(origin).origin)]);
  const names = new Set([...known].map((origin) => new URL(origin).hostname));
  const loopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  const ownHost = (called: string): boolean => {
    const name = called.toLowerCase().replace(/:\d*$/, '');
    return names.has(name) || (loopback ? isLoopbackName(name) : cannotBeRebound(name));
  };
  const ownOrigin = (origin: string, request: IncomingMessage): boolean => {
    if (known.has(origin)) return true;
    const called = request.headers.host;
    return (
      called !== undefined &&
      ownHost(called) &&
      (origin === `http://${called}` || origin === `https://${called}`)
    );
  };
  const demandKnownHost = (request: IncomingMessage): void => {
    if (request.headers.host !== undefined && !ownHost(request.headers.host)) throw foreign('host name');
  };
  return {
    demandKnownHost,
    demandKnown(request) {
      demandKnownHost(request);
      const { origin } = request.headers;
      if (origin !== undefined && !ownOrigin(origin, request)) throw foreign('origin');
    },
    demandSameOrigin(request) {
      const site = request.headers['sec-fetch-site'];
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (site === 'same-origin' || (reads && (site === undefined || site === 'none'))) return;
      if (site === undefined && request.headers.origin !== undefined) return; // demandKnown has compared it
      throw new Refusal(
        403,
        'session_only',
        'a request with a session cookie must come from this instance’s own pages: send an Origin header',
      );
    },
  };
}

const bare = (name: string): string => name.replace(/^\[|\]$/g, '');

/** `localhost`, 127.x.x.x or [::1]: names that cannot be rebound. */
function isLoopbackName(name: string): boolean {
  const address = bare(name);
  return name === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * An IP address isn’t a name, and a name without a dot is of this network only: no one can register it. Health checks, containers and
 * proxies call so. A name with a dot may be anyone's, and lead here from tomorrow on.
 */
const cannotBeRebound = (name: string): boolean =>
  isIP(bare(name)) !== 0 ||
  /^[a-z0-9_-]{1,63}$/.test(name) ||
  // Nor can anyone register a name under these: containers, clusters and home networks use them.
  ['.internal', '.local', '.localhost', '.home.arpa', '.svc'].some((end) => name.endsWith(end));
