// Classifies an IP address: public, or why nothing of ours may be sent there. Pure; the app’s only classifier.
// Special blocks are those of the IANA special-purpose registries (RFC 6890) and of the specification, section 6.
import { BlockList, isIP } from 'node:net';

export type NotPublic =
  | 'loopback'
  | 'this_network'
  | 'unspecified'
  | 'link_local'
  | 'unique_local'
  | 'private'
  | 'carrier_grade_nat'
  | 'multicast'
  | 'documentation'
  | 'transition'
  | 'reserved'
  | 'unreadable';

export type AddressKind = 'public' | NotPublic;

export type Networks = { has(address: string): boolean };

/** Networks written `10.0.0.0/8` or `fd00::/8`; an address alone is itself. Throws a plain Error naming what it cannot read. */
export function networks(written: readonly string[]): Networks {
  const list = new BlockList();
  for (const each of written) {
    const [base = '', bits, more] = each.split('/');
    const family = isIP(base);
    const width = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
    if (family === 0 || base.includes('%') || more !== undefined || prefix > width)
      throw new Error(`${each} is not a network such as 10.0.0.0/8`);
    list.addSubnet(base, prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return { has: (address) => holds(list, unmapped(address)) };
}

const holds = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

type Blocks = readonly (readonly [NotPublic, Networks])[];

const BLOCKS_V4: Blocks = [
  ['this_network', networks(['0.0.0.0/8'])],
  ['loopback', networks(['127.0.0.0/8'])],
  ['private', networks(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'])],
  ['carrier_grade_nat', networks(['100.64.0.0/10'])],
  ['link_local', networks(['169.254.0.0/16'])],
  ['documentation', networks(['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'])],
  ['transition', networks(['192.88.99.0/24', '192.52.193.0/24'])],
  ['multicast', networks(['224.0.0.0/4'])],
  // IETF protocols, DNS sinks (AS112), measuring, class E and broadcast.
  [
    'reserved',
    networks(['192.0.0.0/24', '192.31.196.0/24', '192.175.48.0/24', '198.18.0.0/15', '240.0.0.0/4']),
  ],
];

// The order matters: ::1 and :: lie inside ::/96. Forms that carry an IPv4 address are refused whole, because who
// unwraps them, and to what, is decided by a gateway that we do not see.
const BLOCKS_V6: Blocks = [
  ['loopback', networks(['::1'])],
  ['unspecified', networks(['::'])],
  ['link_local', networks(['fe80::/10'])],
  ['unique_local', networks(['fc00::/7'])],
  ['private', networks(['fec0::/10'])],
  ['multicast', networks(['ff00::/8'])],
  // IPv4-compatible, IPv4-translated, NAT64 (RFC 6052, RFC 8215), 6to4, Teredo.
  [
    'transition',
    networks(['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32']),
  ],
  ['documentation', networks(['2001:db8::/32', '3fff::/20'])],
  // IETF protocols (measuring, ORCHID, DRIP), DNS sinks, the former 6bone.
  ['reserved', networks(['2001::/23', '2620:4f:8000::/48', '3ffe::/16'])],
];

const GLOBAL_UNICAST = networks(['2000::/3']);

/** `address` is text as a resolver or URL.hostname without brackets gives it. ::ffff:a.b.c.d is judged as a.b.c.d. */
export function classifyAddress(address: string): AddressKind {
  if (isIP(address) === 0) return 'unreadable';
  // A zone id has a meaning on a link alone (RFC 4007).
  if (address.includes('%')) return 'link_local';
  const bare = unmapped(address);
  if (isIP(bare) === 4) return blockOf(BLOCKS_V4, bare) ?? 'public';
  return (
    blockOf(BLOCKS_V6, bare) ??
    (isIsatap(bare) ? 'transition' : GLOBAL_UNICAST.has(bare) ? 'public' : 'reserved')
  );
}

/** Whether the text is an IP address of either family, as a resolver writes one. */
export const isAddress = (text: string): boolean => isIP(text) !== 0;

function blockOf(blocks: Blocks, address: string): NotPublic | undefined {
  return blocks.find(([, block]) => block.has(address))?.[0];
}

/** ::ffff:a.b.c.d in any spelling as a.b.c.d; everything else as it was. */
function unmapped(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return address;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** The interface id of ISATAP (RFC 5214), with either value of its universal bit: it tunnels to the IPv4 address behind it. */
function isIsatap(address: string): boolean {
  const [, , , , fifth = 0, sixth] = groupsOf(address);
  return (fifth & 0xfdff) === 0 && sixth === 0x5efe;
}

/** The eight groups. The URL parser writes every spelling in one way, without a dotted tail. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const read = (part: string): number[] =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const [before, after] = [read(head), read(tail ?? '')];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
