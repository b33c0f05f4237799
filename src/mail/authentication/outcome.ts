// The result of one check of a sending domain. It has three values: a resolver that fails proves nothing, and nothing
// is ever paused for that.

export type CheckOutcome = 'passing' | 'failing' | 'unknown';

/** Our codes, each with its check before it where it belongs to one. */
export type CheckWhy =
  | 'ok'
  | 'dns_unavailable'
  | 'missing' // no such record: NXDOMAIN or NODATA
  | 'several_records'
  | 'malformed'
  // SPF
  | 'spf_too_many_lookups'
  | 'spf_too_many_void_lookups'
  | 'spf_host_not_authorised'
  | 'spf_valid_host_unknown' // the record is sound; which host sends is not known
  // DKIM
  | 'dkim_no_selector'
  | 'dkim_revoked'
  | 'dkim_key_too_short' // RSA below 1024 bits
  | 'dkim_key_short' // passing: 2048 are advised
  | 'dkim_key_differs'
  | 'dkim_key_not_for_mail' // s=, h= or k= leave our signatures out
  // DMARC
  | 'dmarc_inherited' // passing: the record of a domain above covers this one
  // MX
  | 'mx_null'
  // PTR and sending hosts
  | 'host_unknown'
  | 'host_unresolved'
  | 'host_private'
  | 'ptr_missing'
  | 'ptr_differs';

export type Finding = {
  outcome: CheckOutcome;
  why: CheckWhy;
  /** What is in DNS, for a person to compare: printable ASCII, at most 200 characters. */
  found: string | null;
};

export type Check = Finding & { checked_at: string };

const LONGEST_FOUND = 200;

/** Someone else's text, made safe to show. It never becomes part of a sentence. */
export function shown(text: string): string {
  const plain = text.slice(0, LONGEST_FOUND + 1).replace(/[^\x20-\x7e]/g, '?');
  return plain.length > LONGEST_FOUND ? `${plain.slice(0, LONGEST_FOUND - 3)}...` : plain;
}

export const passing = (why: CheckWhy, found: string | null): Finding => ({
  outcome: 'passing',
  why,
  found: found === null ? null : shown(found),
});

export const failing = (why: CheckWhy, found: string | null = null): Finding => ({
  outcome: 'failing',
  why,
  found: found === null ? null : shown(found),
});

export const undecided = (why: CheckWhy, found: string | null = null): Finding => ({
  outcome: 'unknown',
  why,
  found: found === null ? null : shown(found),
});

const RANK: Record<CheckOutcome, number> = { failing: 0, unknown: 1, passing: 2 };

/** One failure is the whole's; short of one, what could not be asked is. Undefined for none. */
export const worstOf = (findings: readonly Finding[]): Finding | undefined =>
  findings.toSorted((one, other) => RANK[one.outcome] - RANK[other.outcome])[0];

/** `tag=value; …` as DKIM and DMARC write records, names in lower case. Null for what is no such list, or repeats a tag. */
export function tagsOf(record: string): ReadonlyMap<string, string> | null {
  const tags = new Map<string, string>();
  for (const part of record.split(';')) {
    if (part.trim() === '') continue;
    const [name = '', ...value] = part.split('=');
    const tag = name.trim().toLowerCase();
    if (value.length === 0 || !/^[a-z][a-z0-9_]*$/.test(tag) || tags.has(tag)) return null;
    tags.set(tag, value.join('=').trim());
  }
  return tags;
}
