// DMARC (RFC 9989): which record covers a domain, by the tree walk that replaced the public suffix list. `pct`, `rf`
// and `ri` no longer exist and are ignored; p=none is a policy.
import { isDefinite, type DnsResolver } from '../dns.ts';
import { failing, passing, tagsOf, undecided, type Finding } from './outcome.ts';

const MOST_LABELS = 8;
const POLICIES = ['none', 'quarantine', 'reject'];

/** `sp` is what holds below the name. */
type Policy = { at: string; record: string; sp: string; psd: 'y' | 'n' | 'u' };

/** What a name says: its policy, nothing valid and why, or that it could not be asked. */
type Said = { policy: Policy } | { invalid: 'several_records' | 'malformed' | null } | 'unasked';

export async function checkDmarc(resolver: DnsResolver, domain: string): Promise<Finding> {
  const own = await ask(resolver, domain);
  if (own === 'unasked') return undecided('dns_unavailable');
  if ('policy' in own) return passing('ok', own.policy.record);

  // The fewest labels that have a record are the organisation's, unless one says that it is, or is not, a public suffix.
  let above: Policy | null = null;
  for (const name of namesAbove(domain)) {
    const said = await ask(resolver, name);
    if (said === 'unasked') return undecided('dns_unavailable');
    if (!('policy' in said)) continue;
    const { psd } = said.policy;
    // The organisation's is one label below a public suffix; without a record there the suffix' own covers it.
    const isOrganisation: boolean =
      above !== null && above.at.split('.').length === name.split('.').length + 1;
    above = psd === 'y' && isOrganisation ? above : said.policy;
    if (psd !== 'u') break;
  }
  if (above) return passing('dmarc_inherited', `${above.at} sp=${above.sp}`);
  return failing(own.invalid ?? 'missing');
}

/** The names of the walk after the domain itself: never more than seven labels, and no more than eight questions in all. */
export function namesAbove(domain: string): string[] {
  const labels = domain.split('.');
  const start = labels.length > MOST_LABELS ? labels.length - (MOST_LABELS - 1) : 1;
  return labels.slice(start).map((_, at) => labels.slice(start + at).join('.'));
}

async function ask(resolver: DnsResolver, domain: string): Promise<Said> {
  const texts = await resolver.txt(`_dmarc.${domain}`);
  if (!isDefinite(texts.outcome)) return 'unasked';
  const records = texts.records.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text));
  const [record] = records;
  if (record === undefined) return { invalid: null };
  // All of several are thrown away (section 4.10).
  if (records.length > 1) return { invalid: 'several_records' };
  const tags = tagsOf(record);
  if (!tags) return { invalid: 'malformed' };
  const policy = (name: string): string | undefined => tags.get(name)?.toLowerCase();
  const areValid = ['p', 'sp', 'np'].every((name) => POLICIES.includes(policy(name) ?? 'none'));
  // A record with a policy that no one knows still asks for reports, as p=none; without reports it is none at all.
  if (!areValid && !/(?:^|,)\s*mailto:[^\s@,]+@[^\s@,]+/i.test(policy('rua') ?? ''))
    return { invalid: 'malformed' };
  const p = (areValid ? policy('p') : undefined) ?? 'none';
  const sp = (areValid ? policy('sp') : undefined) ?? p;
  const psd = policy('psd');
  return { policy: { at: domain, record, sp, psd: psd === 'y' || psd === 'n' ? psd : 'u' } };
}
