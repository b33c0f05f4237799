// DKIM (RFC 6376, 8301, 8463): whether the key published under our selector is ours, and strong enough.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { isDefinite, type DnsResolver } from '../dns.ts';
import { failing, passing, tagsOf, undecided, worstOf, type Finding } from './outcome.ts';

export type Selector = {
  selector: string;
  /** PEM, or the base64 of a record's `p=`; null where the key is someone else's, as a vendor's is. */
  public_key: string | null;
};

const LEAST_RSA_BITS = 1024;
const ADVISED_RSA_BITS = 2048;

/** Selectors cannot be discovered: without one of ours there is nothing to look for, and nothing has failed. */
export async function checkDkim(
  resolver: DnsResolver,
  domain: string,
  selectors: readonly Selector[],
): Promise<Finding> {
  const findings = await Promise.all(selectors.map((each) => checkSelector(resolver, domain, each)));
  const short = findings.find(({ why }) => why === 'dkim_key_short');
  const worst = worstOf(findings);
  return (worst?.outcome === 'passing' ? short : worst) ?? worst ?? undecided('dkim_no_selector');
}

async function checkSelector(
  resolver: DnsResolver,
  domain: string,
  { selector, public_key }: Selector,
): Promise<Finding> {
  const name = `${selector}._domainkey`;
  const texts = await resolver.txt(`${name}.${domain}`);
  if (!isDefinite(texts.outcome)) return undecided('dns_unavailable', name);
  const [record, ...others] = texts.records;
  if (record === undefined) return failing('missing', name);
  // More than one is undefined by section 3.6.2.2: receivers would each take another.
  if (others.length > 0) return failing('several_records', name);

  const tags = tagsOf(record);
  const written = tags?.get('p')?.replace(/\s/g, '');
  const version = tags?.get('v');
  if (!tags || written === undefined || (version !== undefined && version !== 'DKIM1'))
    return failing('malformed', record);
  if (written === '') return failing('dkim_revoked', record);
  const kind = tags.get('k') ?? 'rsa';
  if (!allows(tags.get('h'), 'sha256') || !(allows(tags.get('s'), 'email') || allows(tags.get('s'), '*')))
    return failing('dkim_key_not_for_mail', record);
  if (kind !== 'rsa' && kind !== 'ed25519') return failing('dkim_key_not_for_mail', record);

  const key = keyOf(written, kind);
  if (!key) return failing('malformed', record);
  const ours = public_key === null ? null : expectedKey(public_key, kind);
  if (public_key !== null && !ours?.equals(key))
    return failing('dkim_key_differs', describe(name, kind, key));
  const bits = bitsOf(key);
  if (kind === 'rsa' && bits < LEAST_RSA_BITS)
    return failing('dkim_key_too_short', describe(name, kind, key));
  const why = kind === 'rsa' && bits < ADVISED_RSA_BITS ? 'dkim_key_short' : 'ok';
  return passing(why, describe(name, kind, key));
}

/** A list between colons; without the tag everything is allowed. */
const allows = (list: string | undefined, wanted: string): boolean =>
  list === undefined || list.split(':').some((each) => each.trim().toLowerCase() === wanted);

const bitsOf = (key: KeyObject): number => key.asymmetricKeyDetails?.modulusLength ?? 0;

const describe = (name: string, kind: string, key: KeyObject): string =>
  kind === 'rsa' ? `${name} rsa ${bitsOf(key)}` : `${name} ${kind}`;

/** What is before the 32 bytes of an Ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const ED25519_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** The key of `p=`: SubjectPublicKeyInfo, or the bare form that some hosts publish. Null for what is none. */
function keyOf(base64: string, kind: 'rsa' | 'ed25519'): KeyObject | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  const bytes = Buffer.from(base64, 'base64');
  const forms =
    kind === 'ed25519'
      ? [{ key: Buffer.concat([ED25519_HEAD, bytes]), type: 'spki' as const }]
      : (['spki', 'pkcs1'] as const).map((type) => ({ key: bytes, type }));
  for (const { key, type } of forms) {
    try {
      const read = createPublicKey({ key, type, format: 'der' });
      if (read.asymmetricKeyType === kind) return read;
    } catch {
      // Not in this form.
    }
  }
  return null;
}

function expectedKey(written: string, kind: 'rsa' | 'ed25519'): KeyObject | null {
  if (!written.includes('-----BEGIN')) return keyOf(written.replace(/\s/g, ''), kind);
  try {
    return createPublicKey(written);
  } catch {
    return null;
  }
}
