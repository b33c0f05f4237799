// Whether a URL, a host or an address may be called at all, before anything is resolved or opened (specification,
// section 6, “Receiver address rules”). Pure: the refusal is a value with its sentence, shared by screens and jobs.
import { withoutEdges } from '../kernel/edges.ts';
import { classifyAddress, isAddress, type NotPublic } from './address.ts';
import { askOperator, opensAddress, opensName, type PrivateSwitch } from './switches.ts';

export type RefusedWhy = 'malformed' | 'scheme' | 'credentials' | 'name' | 'address';

/** `sentence` is product copy under 300 characters; it carries nothing of the URL and nothing that a resolver said. */
export type Refused = { ok: false; why: RefusedWhy; sentence: string };

/** `host` is a name in lower case ASCII without its trailing dot, or an address without brackets. */
export type Host = { ok: true; host: string; isLiteral: boolean };

/** `url` is what was checked, in one spelling: keep and call this, never the text that was typed. */
export type Receiver = Host & { url: string };

const SENTENCES: Record<Exclude<RefusedWhy, 'name' | 'address'>, string> = {
  malformed:
    'Programs would not agree on which machine this address means: write it as https://host/path, with a whole host name and without spaces, backslashes or control characters.',
  scheme: 'Only http and https addresses can be called: write the whole address, starting with https://.',
  credentials:
    'A user name or password inside an address would be shown wherever the address is shown: take it out of the address and give secrets in their own field.',
};

const KINDS: Record<Exclude<NotPublic, 'unreadable'>, string> = {
  loopback: 'the machine of this instance itself',
  this_network: 'the machine of this instance itself',
  unspecified: 'the machine of this instance itself',
  link_local: 'on the link of this machine, where clouds keep credentials',
  unique_local: 'on a private network (unique local)',
  private: 'on a private network',
  carrier_grade_nat: 'on a private network (carrier-grade NAT)',
  multicast: 'many machines at once (multicast)',
  documentation: 'in a block kept for documentation',
  transition: 'behind a tunnel whose far end cannot be checked',
  reserved: 'in a reserved block where no receiver can be',
};

/** A URL text as a person or an agent typed it. Outer spaces are dropped. */
export function checkUrl(text: string, opening: PrivateSwitch): Receiver | Refused {
  const typed = withoutEdges(text, ' ');
  // Parsers differ over these: one drops a tab, another reads a backslash as the end of the host.
  if (/[\p{Cc}\s\\]/u.test(typed)) return refused('malformed');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(typed)?.[1]?.toLowerCase();
  if (scheme !== 'http' && scheme !== 'https') return refused('scheme');
  const authority = /^https?:\/\/([^/?#]+)/i.exec(typed)?.[1];
  if (authority === undefined) return refused('malformed');
  // On the text and not on the parsed URL, which has already forgotten an empty user name.
  if (authority.includes('@')) return refused('credentials');
  const url = URL.parse(typed);
  if (!url || url.port === '0') return refused('malformed');
  const checked = checkHost(url.hostname, opening);
  if (!checked.ok) return checked;
  if (!checked.isLiteral) url.hostname = checked.host;
  return { ...checked, url: url.href };
}

/** A host on its own, as mail servers are given: a name, an IPv4 address, or an IPv6 address with or without brackets. */
export function checkHost(text: string, opening: PrivateSwitch): Host | Refused {
  const bare = isAddress(text) && text.includes(':') && !text.includes('%') ? `[${text}]` : text;
  if (/[\p{Cc}\s\\/?#@]/u.test(bare)) return refused('malformed');
  const parsed = URL.parse(`http://${bare}/`);
  // With its port put back a bare host is what it was; `host:80` is not a host.
  if (!parsed || parsed.port !== '' || /:\d*$/.test(bare)) return refused('malformed');
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isAddress(host)) return checkAddresses(host, [host], opening) ?? { ok: true, host, isLiteral: true };
  if (!isName(host)) return refused('malformed');
  if (isPrivateName(host) && !opensName(opening, host)) return refusedName(opening);
  return { ok: true, host, isLiteral: false };
}

/**
 * Every address a name resolved to; null when all of them may be called, also when there is none. One that may not
 * refuses the name, because the receiver chooses which of them answers. No switch opens what is not an address.
 */
export function checkAddresses(
  host: string,
  addresses: readonly string[],
  opening: PrivateSwitch,
): Refused | null {
  for (const address of addresses) {
    const kind = classifyAddress(address);
    if (kind === 'public' || (kind !== 'unreadable' && opensAddress(opening, host, address))) continue;
    return refusedAddress(kind, opening);
  }
  return null;
}

// RFC 1035 sizes; underscores are allowed since such names resolve in practice.
const isName = (host: string): boolean =>
  host.length <= 253 && host.split('.').every((label) => label.length > 0 && label.length <= 63);

const isPrivateName = (host: string): boolean =>
  host === 'localhost' || /\.(internal|local|localdomain)$/.test(host);

const refused = (why: keyof typeof SENTENCES): Refused => ({ ok: false, why, sentence: SENTENCES[why] });

const refusedName = (opening: PrivateSwitch): Refused => ({
  ok: false,
  why: 'name',
  sentence: `The host name is on a private network, which this instance may not call: use a public host name, or ${askOperator(opening)}.`,
});

function refusedAddress(kind: NotPublic, opening: PrivateSwitch): Refused {
  const sentence =
    kind === 'unreadable'
      ? 'The name of that host resolves to something that isn’t an IP address, so it can’t be checked: ask the name’s owner to fix its DNS.'
      : `That host is ${KINDS[kind]}, and a call from here could reach what only this instance may reach: give a public address, or ${askOperator(opening)}.`;
  return { ok: false, why: 'address', sentence };
}
