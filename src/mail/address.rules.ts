// Mail addresses and mail domains, and the one spelling by which the app compares them. Pure and free of Node, so
// that contracts, rules and screens can use it. Nothing is guessed: what isn’t an address is refused.

/** Why a text isn’t an address, or isn’t a domain. Closed, so that rows and tests may name it. */
export type AddressWhy =
  | 'empty'
  | 'not_bare' // "Ann <a@b.example>", <a@b.example>, mailto:a@b.example, or several addresses
  | 'no_at'
  | 'local_missing'
  | 'local_too_long' // more than 64 octets
  | 'local_character'
  | 'local_dots'
  | 'domain_missing'
  | 'domain_literal' // a@[192.0.2.1]
  | 'domain_malformed'
  | 'domain_not_full' // a@localhost
  | 'too_long'; // more than 254 octets

export type Address = {
  /** Case kept, NFC, quoted only where it must be: what RCPT is given. */
  local: string;
  /** Lower case ASCII (A-labels), without a trailing dot. */
  domain: string;
  /** The spelling of matching and of unique indexes: the whole address in lower case. Tags and dots stay. */
  normalised: string;
  /** As it was written, without outer spaces. */
  shown: string;
  /** The next hop must offer SMTPUTF8 (RFC 6531). */
  utf8_local: boolean;
};

export type ParsedAddress = { ok: true; address: Address } | { ok: false; why: AddressWhy };
export type ParsedDomain = { ok: true; domain: string } | { ok: false; why: AddressWhy };

/** One sentence for each, free of what was typed. */
export const ADDRESS_SAYS: Record<AddressWhy, string> = {
  empty: 'Give an address, such as ann@example.com.',
  not_bare: 'Give only the address, such as ann@example.com, without a name, brackets or mailto:.',
  no_at: 'An address has one @ between the mailbox and the domain, such as ann@example.com.',
  local_missing: 'The mailbox before the @ is missing.',
  local_too_long: 'The mailbox before the @ has more than 64 octets, which no mail server has to accept.',
  local_character:
    'The mailbox before the @ contains a character that isn’t allowed there, such as a space or an invisible one.',
  local_dots: 'The mailbox before the @ begins or ends with a dot, or has two in a row.',
  domain_missing: 'The domain after the @ is missing.',
  domain_literal: 'The domain is an IP address: give a domain name.',
  domain_malformed: 'Mail can’t be sent to this domain: check its spelling.',
  domain_not_full: 'The domain is incomplete: write it with its ending, such as example.com.',
  too_long: 'The address has more than 254 octets, which no mail server has to accept.',
};

const LONGEST_LOCAL = 64;
const LONGEST_ADDRESS = 254;
const LONGEST_DOMAIN = 253;
/** Nothing longer is looked into: three octets a character, and room for what is trimmed. */
const LONGEST_TEXT = 2_000;

/** RFC 5321 section 4.1.2 and RFC 6531. Outer spaces are dropped; nothing else is repaired. */
export function parseAddress(text: string): ParsedAddress {
  if (text.length > LONGEST_TEXT) return no('too_long');
  const shown = text.trim().normalize('NFC');
  if (shown === '') return no('empty');
  if (/^mailto:/i.test(shown) || (/[<>]/.test(shown) && !shown.startsWith('"'))) return no('not_bare');
  // A quoted mailbox may hold an @, a domain never.
  const at = shown.lastIndexOf('@');
  if (at === -1) return no('no_at');
  const mailbox = localPart(shown.slice(0, at));
  if (!mailbox.ok) return mailbox;
  const { local } = mailbox;
  const parsed = normaliseDomain(shown.slice(at + 1));
  if (!parsed.ok) return parsed.why === 'empty' ? no('domain_missing') : parsed;
  const { domain } = parsed;
  if (octets(local) > LONGEST_LOCAL) return no('local_too_long');
  if (octets(local) + 1 + domain.length > LONGEST_ADDRESS) return no('too_long');
  const normalised = `${local.toLowerCase().normalize('NFC')}@${domain}`;
  return { ok: true, address: { local, domain, normalised, shown, utf8_local: !isAscii(local) } };
}

/** A domain in lower case ASCII by IDNA, without its trailing dot. One label is not a whole domain; an IP is none. */
export function normaliseDomain(text: string): ParsedDomain {
  if (text.length > LONGEST_TEXT) return no('domain_malformed');
  // Compatibility forms first, so that a full-width slash or percent cannot mean something to the URL parser below.
  const typed = text.normalize('NFKC').trim();
  if (typed === '') return no('empty');
  if (/^\[.*\]$/.test(typed)) return no('domain_literal');
  if (!/^(?:[A-Za-z0-9.-]|[^\p{ASCII}])+$/u.test(typed) || NEVER.test(typed)) return no('domain_malformed');
  const domain = URL.parse(`http://${typed}/`)?.hostname.replace(/\.$/, '') ?? '';
  const labels = domain.split('.');
  // The URL parser writes every spelling of an IPv4 address with four numbers.
  if (/^\d+$/.test(labels.at(-1) ?? '')) return no('domain_literal');
  if (domain.length > LONGEST_DOMAIN || !labels.every((label) => LABEL.test(label)))
    return no('domain_malformed');
  return labels.length < 2 ? no('domain_not_full') : { ok: true, domain };
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Controls, formatting, lone surrogates, private and unassigned code points, separators: no one types these on purpose. */
const NEVER = /[\p{C}\p{Z}]/u;

const ATOM = /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|[^\p{ASCII}])+$/u;

function localPart(written: string): { ok: true; local: string } | { ok: false; why: AddressWhy } {
  if (written === '') return no('local_missing');
  if (written.startsWith('"')) return quoted(written);
  // `Ann, a@b.example` and `a@b.example; c` are lists, not mailboxes.
  if (/[,;:@]/.test(written)) return no('not_bare');
  if (NEVER.test(written)) return no('local_character');
  const atoms = written.split('.');
  if (atoms.every((atom) => ATOM.test(atom))) return { ok: true, local: written };
  const onlyDots = atoms.every((atom) => atom === '' || ATOM.test(atom));
  return no(onlyDots ? 'local_dots' : 'local_character');
}

/** `"ann"` and `ann` are one mailbox (RFC 5321 section 4.1.2), so quotes stay only where they are needed. */
function quoted(written: string): { ok: true; local: string } | { ok: false; why: AddressWhy } {
  const inside = /^"((?:[^"\\]|\\.)*)"$/su.exec(written)?.[1];
  if (inside === undefined) return no(/"\s*</.test(written) ? 'not_bare' : 'local_character');
  const plain = inside.replace(/\\(.)/gsu, '$1');
  if (NEVER.test(plain.replaceAll(' ', ''))) return no('local_character');
  if (plain !== '' && plain.split('.').every((atom) => ATOM.test(atom))) return { ok: true, local: plain };
  return { ok: true, local: `"${plain.replace(/["\\]/g, '\\$&')}"` };
}

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);
const octets = (text: string): number => new TextEncoder().encode(text).byteLength;
const no = <Why extends AddressWhy>(why: Why): { ok: false; why: Why } => ({ ok: false, why });
