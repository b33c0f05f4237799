// Whose page is calling: the Host and Origin checks. A foreign page must not speak for the person at the screen, nor reach a
// desk on their own machine by a name that it rebinds (DNS rebinding).
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Refusal } from '../kernel/refusal.ts';

export type Premises = {
  /** Throws 403 for a foreign Host on a loopback bind, and for a foreign Origin anywhere. */
  demandKnown(request: IncomingMessage): void;
  /** The Host alone: for routes that read no credential, where a foreign page that calls borrows nothing. */
  demandKnownHost(request: IncomingMessage): void;
  /** Throws 403 for a call with a cookie that does not show that it comes from our own pages. */
  demandSameOrigin(request: IncomingMessage): void;
};

export type PremisesOptions = {
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
    `this ${what} is not one of the instance's: an operator can list it in SERVICE_ORIGINS`,
  );

export function openPremises({ base_url, host, origins }: PremisesOptions): Premises {
  const known = new Set([new URL(base_url).origin, ...origins.map((origin) => new URL(origin).origin)]);
  const hosts = new Set([...known].map((origin) => new URL(origin).host));
  const loopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  const ownHost = (name: string): boolean => !loopback || hosts.has(name) || isLoopbackName(name);
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
        "a call with the session's cookie must come from this instance's own pages: send its Origin",
      );
    },
  };
}

/** `localhost`, 127.x.x.x or [::1], with any port: names that cannot be rebound. */
function isLoopbackName(hostAndPort: string): boolean {
  const name = hostAndPort.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
