// The five checks of a sending domain, run at once and independently: a resolver that fails one says nothing about
// the others.
import { isDefinite, type DnsResolver } from '../dns.ts';
import { checkDkim, type Selector } from './dkim.ts';
import { checkDmarc } from './dmarc.ts';
import { checkPtr, sendingHost } from './hosts.ts';
import { failing, passing, undecided, type Check, type Finding } from './outcome.ts';
import { checkSpf } from './spf.ts';

export const CHECKS = ['spf', 'dkim', 'dmarc', 'mx', 'ptr'] as const;
export type CheckName = (typeof CHECKS)[number];
export type DomainChecks = Record<CheckName, Check>;

export type DomainToCheck = {
  /** As normaliseDomain writes it. */
  domain: string;
  selectors: readonly Selector[];
  /** Names or addresses of the machines whose connection receivers see; empty where a vendor's are not known. */
  sending_hosts: readonly string[];
  resolver: DnsResolver;
  now: Date;
};

/** Never rejects for what DNS says, however it says it. */
export async function checkDomain(asked: DomainToCheck): Promise<DomainChecks> {
  const { domain, selectors, sending_hosts, resolver, now } = asked;
  const hosts = await Promise.all(sending_hosts.map((host) => sendingHost(resolver, host)));
  const [spf, dkim, dmarc, mx, ptr] = await Promise.all([
    checkSpf(resolver, domain, hosts),
    checkDkim(resolver, domain, selectors),
    checkDmarc(resolver, domain),
    checkMx(resolver, domain),
    checkPtr(resolver, hosts),
  ]);
  const at = (finding: Finding): Check => ({ ...finding, checked_at: now.toISOString() });
  return { spf: at(spf), dkim: at(dkim), dmarc: at(dmarc), mx: at(mx), ptr: at(ptr) };
}

/** Reports of what was not delivered, and answers, must be able to arrive (RFC 5321 section 5.1, RFC 7505). */
async function checkMx(resolver: DnsResolver, domain: string): Promise<Finding> {
  const { outcome, records } = await resolver.mx(domain);
  if (!isDefinite(outcome)) return undecided('dns_unavailable');
  if (records.length === 0) return failing('missing');
  const hosts = records.filter(({ host }) => host !== '');
  if (hosts.length === 0) return failing('mx_null');
  return passing(
    'ok',
    hosts
      .toSorted((one, other) => one.preference - other.preference)
      .map(({ preference, host }) => `${preference} ${host}`)
      .join(', '),
  );
}
