// The hosts that send for us: their addresses, and whether name and address agree (RFC 5321 section 4.1.1.1).
// Receivers check this for every connection.
import { classifyAddress, isAddress } from '../../net/address.ts';
import { addressesOf, isDefinite, reverseName, type DnsResolver } from '../dns.ts';
import { failing, passing, undecided, worstOf, type Finding } from './outcome.ts';

/** Each costs a walk through SPF: more than any host sends from. */
const MOST_ADDRESSES = 16;

export type SendingHost = { host: string; addresses: readonly string[]; finding: Finding | null };

/** `finding` is why there is nothing to check of this host; it is never a failure of the domain. */
export async function sendingHost(resolver: DnsResolver, host: string): Promise<SendingHost> {
  const answer = isAddress(host)
    ? { outcome: 'found' as const, records: [host] }
    : await addressesOf(resolver, host);
  if (!isDefinite(answer.outcome))
    return { host, addresses: [], finding: undecided('dns_unavailable', host) };
  const addresses = answer.records
    .filter((address) => classifyAddress(address) === 'public')
    .slice(0, MOST_ADDRESSES);
  if (addresses.length > 0) return { host, addresses, finding: null };
  const why = answer.records.length > 0 ? 'host_private' : 'host_unresolved';
  return { host, addresses, finding: undecided(why, host) };
}

/**
 * One address that agrees is enough: from which of several a host sends is not to be seen from here, and a failure must be
 * certain.
 */
export async function checkPtr(resolver: DnsResolver, hosts: readonly SendingHost[]): Promise<Finding> {
  const findings = await Promise.all(
    hosts.map(async ({ host, addresses, finding }) => {
      if (finding) return finding;
      const each = await Promise.all(addresses.map((address) => agrees(resolver, host, address)));
      return each.find(({ outcome }) => outcome === 'passing') ?? leastCertain(each);
    }),
  );
  return worstOf(findings) ?? undecided('host_unknown');
}

/** Of findings none of which passes: what could not be asked might have passed. */
export const leastCertain = (findings: readonly Finding[]): Finding =>
  findings.find(({ outcome }) => outcome === 'unknown') ?? findings[0] ?? undecided('host_unknown');

const MOST_NAMES = 10;

async function agrees(resolver: DnsResolver, host: string, address: string): Promise<Finding> {
  const names = await resolver.ptr(reverseName(address) ?? '');
  if (!isDefinite(names.outcome)) return undecided('dns_unavailable', address);
  if (names.outcome !== 'found') return failing('ptr_missing', address);
  const [first = ''] = names.records;
  let isAnyUnasked = false;
  for (const name of names.records.slice(0, MOST_NAMES)) {
    const back = await addressesOf(resolver, name);
    if (back.records.some((each) => isSame(each, address))) return passing('ok', `${address} ${name}`);
    isAnyUnasked ||= !isDefinite(back.outcome);
  }
  return isAnyUnasked
    ? undecided('dns_unavailable', `${address} ${first}`)
    : failing('ptr_differs', `${address} ${first} ${host}`);
}

/** Addresses as a resolver writes them and as a person does. */
function isSame(one: string, other: string): boolean {
  const spelt = (address: string): string =>
    address.includes(':') ? new URL(`http://[${address}]/`).hostname : address;
  return spelt(one) === spelt(other);
}
