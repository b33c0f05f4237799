// SPF (RFC 7208): one record, within its limits of ten lookups and two void ones, that allows our hosts to send. A
// library walks the includes; the lookups go through our resolver.
import type { spf } from 'mailauth/lib/spf/index.js';
import { isDefinite, type DnsAnswer, type DnsResolver } from '../dns.ts';
import { leastCertain, type SendingHost } from './hosts.ts';
import { failing, passing, undecided, worstOf, type Finding } from './outcome.ts';

const MOST_LOOKUPS = 10;
const MOST_VOID_LOOKUPS = 2;
/** Receivers are to wait at least as long (section 4.6.4); what took longer is unknown. */
const WALK_MS = 20_000;
/** The library reads records with patterns that very long texts would keep busy. */
const LONGEST_RECORD = 4_096;

/** From a block kept for documentation: an address that no record lets send, so that the whole record is walked. */
const NOBODY = '192.0.2.1';

export async function checkSpf(
  resolver: DnsResolver,
  domain: string,
  hosts: readonly SendingHost[],
): Promise<Finding> {
  const texts = await resolver.txt(domain);
  if (!isDefinite(texts.outcome)) return undecided('dns_unavailable');
  const records = texts.records.filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [record] = records;
  if (record === undefined) return failing('missing');
  if (records.length > 1) return failing('several_records', records.join(' | '));

  const { whole } = await evaluate(resolver, domain, NOBODY, record);
  const findings = await Promise.all(
    hosts.map(async ({ host, addresses, finding }) => {
      if (finding) return finding.why === 'dns_unavailable' && whole.outcome === 'passing' ? finding : whole;
      const each = await Promise.all(
        addresses.map((address) => evaluate(resolver, domain, address, record, host)),
      );
      // One address that may send is enough, as with PTR: from which of them a host sends is not to be seen.
      const ours = each.map(({ ofHost }) => ofHost);
      return ours.find(({ outcome }) => outcome === 'passing') ?? leastCertain(ours);
    }),
  );
  return worstOf(findings) ?? whole;
}

/** `whole` judges the record alone, `ofHost` whether it lets this address send. */
async function evaluate(
  resolver: DnsResolver,
  domain: string,
  ip: string,
  record: string,
  helo = domain,
): Promise<{ whole: Finding; ofHost: Finding }> {
  // Read where a domain is checked, which most processes never do.
  const library = await import('mailauth/lib/spf/index.js');
  const { status, lookups } = await library.spf({
    sender: `postmaster@${domain}`,
    ip,
    helo,
    mta: domain,
    strict: true,
    maxResolveCount: MOST_LOOKUPS,
    maxVoidCount: MOST_VOID_LOOKUPS,
    maxElapsedTime: WALK_MS,
    resolver: asLibrary(resolver),
  });
  const both = (finding: Finding): { whole: Finding; ofHost: Finding } => ({
    whole: finding,
    ofHost: finding,
  });
  if (status.result === 'temperror') return both(undecided('dns_unavailable', record));
  if (status.result === 'permerror' || status.result === 'none') {
    const { count = 0, void: empty = 0 } = lookups ?? {};
    if (count > MOST_LOOKUPS) return both(failing('spf_too_many_lookups', record));
    if (empty > MOST_VOID_LOOKUPS) return both(failing('spf_too_many_void_lookups', record));
    return both(failing('malformed', record));
  }
  const whole = passing('spf_valid_host_unknown', record);
  if (status.result === 'pass') return { whole, ofHost: passing('ok', record) };
  return { whole, ofHost: failing('spf_host_not_authorised', `${ip} ${record}`) };
}

type LibraryResolver = NonNullable<Parameters<typeof spf>[0]['resolver']>;

/** The shapes and error codes of node:dns, which the library reads. */
function asLibrary(resolver: DnsResolver): LibraryResolver {
  const records = <DnsRecord>({ outcome, records: found }: DnsAnswer<DnsRecord>): readonly DnsRecord[] => {
    if (outcome === 'found') return found;
    throw Object.assign(new Error(outcome), { code: CODES[outcome] });
  };
  const question = async (name: string, type: string): Promise<unknown[]> => {
    if (type === 'TXT')
      return records(await resolver.txt(name)).map((text) => [text.slice(0, LONGEST_RECORD)]);
    if (type === 'MX')
      return records(await resolver.mx(name)).map(({ preference, host }) => ({
        priority: preference,
        exchange: host,
      }));
    if (type === 'A') return [...records(await resolver.a(name))];
    if (type === 'AAAA') return [...records(await resolver.aaaa(name))];
    if (type === 'PTR') return [...records(await resolver.ptr(name))];
    throw new Error(`SPF asks for no ${type}`);
  };
  // The library's types forget that MX records are objects, as node's are.
  return question as LibraryResolver;
}

const CODES = { nxdomain: 'ENOTFOUND', nodata: 'ENODATA', servfail: 'ESERVFAIL', timeout: 'ETIMEOUT' };
