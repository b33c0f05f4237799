// DNS lookups for mail, with the four kinds of empty result kept apart: a name that doesn’t exist is a fact, but a
// failing or slow resolver says nothing about anyone’s domain.
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAddress } from '../net/address.ts';

/** `nxdomain` and `nodata` are definite; `servfail` is every other failure, no network among them. */
export type DnsFailure = 'nxdomain' | 'nodata' | 'servfail' | 'timeout';

/** `found` has at least one record. */
export type DnsAnswer<DnsRecord> =
  | { outcome: 'found'; records: readonly DnsRecord[] }
  | { outcome: DnsFailure; records: readonly never[] };

/** `host` is in lower case without its trailing dot; the root, with which a null MX (RFC 7505) points nowhere, is empty. */
export type MxRecord = { preference: number; host: string };

/** Never rejects. Names are asked as they exist, never below a search domain, and no hosts file is read. */
export type DnsResolver = {
  /** The strings of a record joined, as RFC 7208 and RFC 6376 read them. */
  txt(name: string): Promise<DnsAnswer<string>>;
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  a(name: string): Promise<DnsAnswer<string>>;
  aaaa(name: string): Promise<DnsAnswer<string>>;
  ns(name: string): Promise<DnsAnswer<string>>;
  /** By the name below in-addr.arpa or ip6.arpa: see reverseName. */
  ptr(name: string): Promise<DnsAnswer<string>>;
};

export const isDefinite = (outcome: DnsAnswer<unknown>['outcome']): boolean =>
  outcome !== 'servfail' && outcome !== 'timeout';

export type ResolverOptions = {
  /** `192.0.2.53` or `127.0.0.1:5353`; without them those of the machine. */
  servers?: readonly string[];
  /** For one question in all, whatever the number of servers. */
  timeoutMs?: number;
};

const QUESTION_MS = 5_000;

export function openResolver({ servers, timeoutMs = QUESTION_MS }: ResolverOptions = {}): DnsResolver {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 });
  if (servers) resolver.setServers(servers);

  async function ask<Raw, DnsRecord>(
    question: () => Promise<Raw[]>,
    read: (raw: Raw) => DnsRecord,
  ): Promise<DnsAnswer<DnsRecord>> {
    const answered = new AbortController();
    const late = sleep(timeoutMs, 'timeout' as const, { signal: answered.signal }).catch(
      () => 'timeout' as const,
    );
    // In a function, because a name that cannot be asked for at all is thrown and not rejected.
    const found = (async () => question())().catch(failureOf);
    const answer = await Promise.race([found, late]);
    answered.abort();
    if (typeof answer === 'string') return { outcome: answer, records: [] };
    return answer.length === 0
      ? { outcome: 'nodata', records: [] }
      : { outcome: 'found', records: answer.map(read) };
  }

  return {
    txt: (name) =>
      ask(
        () => resolver.resolveTxt(name),
        (parts) => parts.join(''),
      ),
    mx: (name) =>
      ask(
        () => resolver.resolveMx(name),
        ({ priority, exchange }) => ({ preference: priority, host: hostOf(exchange) }),
      ),
    a: (name) => ask(() => resolver.resolve4(name), same),
    aaaa: (name) => ask(() => resolver.resolve6(name), same),
    ns: (name) => ask(() => resolver.resolveNs(name), hostOf),
    ptr: (name) => ask(() => resolver.resolvePtr(name), hostOf),
  };
}

/** Both families at once. Found when either is; a failure of one counts where the other found nothing. */
export async function addressesOf(resolver: DnsResolver, name: string): Promise<DnsAnswer<string>> {
  const [a, aaaa] = await Promise.all([resolver.a(name), resolver.aaaa(name)]);
  const records = [...a.records, ...aaaa.records];
  if (records.length > 0) return { outcome: 'found', records };
  const failed = [a, aaaa].find(({ outcome }) => !isDefinite(outcome)) ?? a;
  return { outcome: failed.outcome === 'found' ? 'nodata' : failed.outcome, records: [] };
}

/** The name under which the name of an address is kept (RFC 1035 section 3.5, RFC 3596 section 2.5); null for anything else. */
export function reverseName(address: string): string | null {
  if (!isAddress(address) || address.includes('%')) return null;
  if (!address.includes(':')) return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const digits = (part: string): string =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => group.padStart(4, '0'))
      .join('');
  const [before, after] = [digits(head), digits(tail ?? '')];
  const all = before + '0'.repeat(32 - before.length - after.length) + after;
  return `${[...all].reverse().join('.')}.ip6.arpa`;
}

const same = (address: string): string => address;
const hostOf = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** By code alone. Every code that is not known to be definite is a failure of the resolver. */
function failureOf(error: unknown): DnsFailure {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOTFOUND') return 'nxdomain';
  if (code === 'ENODATA') return 'nodata';
  return code === 'ETIMEOUT' ? 'timeout' : 'servfail';
}
