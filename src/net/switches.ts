// Private addresses that an operator may open, each caller with its own switch: one classifier, several entry points.
// SERVICE_EVENTS_ALLOW_PRIVATE opens only deliveries of events; SERVICE_ALLOW_PRIVATE_HOSTS opens everything else.
import { isAddress, networks, type Networks } from './address.ts';

/** Names and networks an operator listed. Read once, by readAllowedHosts. */
export type AllowedHosts = { names: ReadonlySet<string>; networks: Networks };

/** `allowPrivate` is the switch of events: everything or nothing. `allowedHosts` is that of mail, models and capabilities. */
export type PrivateSwitch = { allowPrivate: boolean } | { allowedHosts: AllowedHosts };

/** The value of SERVICE_EVENTS_ALLOW_PRIVATE: the literal 1 opens, and nothing else does. */
export const readEventsSwitch = (value: string | undefined): { allowPrivate: boolean } => ({
  allowPrivate: value === '1',
});

/**
 * The value of SERVICE_ALLOW_PRIVATE_HOSTS: host names, addresses and networks (10.0.0.0/8) between commas or spaces.
 * A name opens itself alone, not what ends in it. Throws a plain Error that names the entry it cannot read, so that
 * a slip of the operator stops the start and not the first letter.
 */
export function readAllowedHosts(text: string): AllowedHosts {
  const entries = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((entry) => entry.replace(/^\[(.*)\]$/, '$1'));
  const isNetwork = (entry: string): boolean => entry.includes('/') || isAddress(entry);
  return {
    networks: networks(entries.filter(isNetwork)),
    names: new Set(entries.filter((entry) => !isNetwork(entry)).map(nameOf)),
  };
}

/**
 * The value of SERVICE_TRUSTED_PROXIES: addresses and networks between commas or spaces, whose word on whom they speak for is
 * believed. Loopback is always among them. Throws a plain Error that names the entry it cannot read.
 */
export function readProxies(text: string): (address: string) => boolean {
  const listed = networks(['127.0.0.0/8', '::1', ...text.split(/[\s,]+/).filter(Boolean)]);
  return (address) => isAddress(address) && listed.has(address);
}

export function opensName(opening: PrivateSwitch, host: string): boolean {
  return 'allowPrivate' in opening ? opening.allowPrivate : opening.allowedHosts.names.has(host);
}

/** `host` is the name that gave the address, or the address itself. */
export function opensAddress(opening: PrivateSwitch, host: string, address: string): boolean {
  if ('allowPrivate' in opening) return opening.allowPrivate;
  return (
    opening.allowedHosts.names.has(host) || (isAddress(address) && opening.allowedHosts.networks.has(address))
  );
}

/** Ends a sentence: what the operator can do. */
export function askOperator(opening: PrivateSwitch): string {
  return 'allowPrivate' in opening
    ? 'ask the operator to set SERVICE_EVENTS_ALLOW_PRIVATE=1'
    : 'ask the operator to list it in SERVICE_ALLOW_PRIVATE_HOSTS';
}

function nameOf(entry: string): string {
  const url = URL.parse(`http://${entry}/`);
  if (!url || url.port !== '' || url.username !== '' || url.hostname === '' || /[*?#@:\\]/.test(entry)) {
    throw new Error(`${entry} is neither a host name, an address nor a network such as 10.0.0.0/8`);
  }
  return url.hostname.replace(/\.$/, '');
}
