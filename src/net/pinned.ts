// A request whose socket goes only to checked addresses: through no proxy, with TLS verified, on its own connection.
// The caller handles the response.
import { Agent as HttpAgent, type ClientRequest, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isAddress } from './address.ts';
import { pinnedLookup } from './pin.ts';

export type Pinned = {
  method: string;
  /** As it was checked. */
  url: URL;
  /** As the check gave them. */
  addresses: readonly string[];
  headers: Readonly<Record<string, string>>;
};

export type Opened = {
  request: ClientRequest;
  /** Ends the connection, whatever is on it. */
  close(): void;
};

/** Nothing is sent before `request.end`. Null: the host is an address that was not among the checked ones. */
export function openPinned({ method, url, addresses, headers }: Pinned): Opened | null {
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isAddress(hostname) && !addresses.includes(hostname)) return null;
  const options = { keepAlive: false, lookup: pinnedLookup(addresses), autoSelectFamily: true, proxyEnv: {} };
  const isPlain = url.protocol === 'http:';
  const agent = isPlain ? new HttpAgent(options) : new HttpsAgent({ ...options, rejectUnauthorized: true });
  const open = isPlain ? httpRequest : httpsRequest;
  const request = open({
    protocol: url.protocol,
    hostname,
    port: url.port,
    path: url.pathname + url.search,
    method,
    agent,
    maxHeaderSize: 16 * 1024,
    headers,
  });
  return {
    request,
    close() {
      request.destroy();
      agent.destroy();
    },
  };
}
