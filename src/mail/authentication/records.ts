// DNS records that a domain’s owner publishes so that receivers trust our letters, with what each is for and whether
// it exists. Pure: what exists is what checkDomain found.
import type { CheckName, DomainChecks } from './check.ts';
import type { CheckOutcome } from './outcome.ts';

export type RecordsWanted = {
  domain: string;
  /** The base64 of `p=`. */
  dkim: readonly { selector: string; key_type: 'rsa' | 'ed25519'; public_key: string }[];
  /** What senders are named by: a vendor's include, or our own hosts and addresses. */
  spf: { includes: readonly string[]; hosts: readonly string[]; addresses: readonly string[] };
  /** Where reports of receivers go; null for none. */
  dmarc_rua: string | null;
  /** The host that takes answers and reports of failed deliveries; null where someone else's mail already exists. */
  mx_host: string | null;
  /** Another domain in MAIL FROM than the sending one; null where they are the same. */
  return_path: { domain: string; mx_host: string } | null;
  /** Null before the first check. */
  checks: DomainChecks | null;
};

export type RecordToPublish = {
  type: 'TXT' | 'MX';
  name: string;
  value: string;
  why: string;
  present: CheckOutcome;
};

const WHY = {
  spf: 'Lists the servers that may send for this domain. If a record that begins with v=spf1 exists, add to that one: with two SPF records, neither is valid.',
  dkim: 'The public half of the key that signs your letters. With it, receivers check that no one changed a letter.',
  dmarc:
    'Tells receivers what to do with mail that only claims to come from this domain. p=none rejects nothing and asks for reports. Make it stricter when the reports are clean.',
  mx: 'Names the server that receives replies and bounces.',
  returnSpf: 'Receivers also check SPF for the return-path domain, which doesn’t inherit the record above.',
  returnMx: 'Names the server that receives bounces.',
};

export function recordsToPublish(wanted: RecordsWanted): RecordToPublish[] {
  const { domain, dkim, dmarc_rua, mx_host, return_path, checks } = wanted;
  const present = (name: CheckName): CheckOutcome => checks?.[name].outcome ?? 'unknown';
  const spf = spfValue(wanted.spf);
  const rua = dmarc_rua === null ? '' : `; rua=mailto:${dmarc_rua}`;
  const txt = (name: string, value: string, why: string, stands: CheckOutcome): RecordToPublish => ({
    type: 'TXT',
    name,
    value,
    why,
    present: stands,
  });
  const mx = (name: string, host: string, why: string, stands: CheckOutcome): RecordToPublish => ({
    type: 'MX',
    name,
    value: `10 ${host}`,
    why,
    present: stands,
  });
  return [
    txt(domain, spf, WHY.spf, present('spf')),
    ...dkim.map(({ selector, key_type, public_key }) =>
      txt(
        `${selector}._domainkey.${domain}`,
        `v=DKIM1; k=${key_type}; p=${public_key}`,
        WHY.dkim,
        present('dkim'),
      ),
    ),
    txt(`_dmarc.${domain}`, `v=DMARC1; p=none${rua}`, WHY.dmarc, present('dmarc')),
    ...(mx_host === null ? [] : [mx(domain, mx_host, WHY.mx, present('mx'))]),
    // The checks are of the sending domain alone, so nothing is known of another one.
    ...(return_path === null
      ? []
      : [
          txt(return_path.domain, spf, WHY.returnSpf, 'unknown'),
          mx(return_path.domain, return_path.mx_host, WHY.returnMx, 'unknown'),
        ]),
  ];
}

/** `~all`: receivers that know DMARC decide by it, and others do not drop a forwarded letter. */
const spfValue = ({ includes, hosts, addresses }: RecordsWanted['spf']): string =>
  [
    'v=spf1',
    ...includes.map((each) => `include:${each}`),
    ...hosts.map((each) => `a:${each}`),
    ...addresses.map((each) => (each.includes(':') ? `ip6:${each}` : `ip4:${each}`)),
    '~all',
  ].join(' ');
