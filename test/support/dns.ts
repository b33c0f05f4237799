// A name server of the test's own on loopback: says what a test tells it to, counts what it was asked, and is asked
// through a real resolver, so that what travels is DNS.
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { isIPv4 } from 'node:net';
import type { Lookup } from '../../src/net/resolve.ts';

/** `nothing` is NXDOMAIN, `broken` is SERVFAIL, `silent` answers never. */
type Silence = 'nothing' | 'broken' | 'silent';

type Records = {
  addresses?: readonly string[];
  cname?: string;
  txt?: readonly string[];
  /** The empty host is the root: a null MX. */
  mx?: readonly (readonly [preference: number, host: string])[];
  ptr?: readonly string[];
  /** How questions of one type fail, while the others are answered. */
  fails?: Partial<Record<'A' | 'AAAA' | 'MX' | 'TXT' | 'PTR', Silence>>;
};

export type Zone = Records | Silence;

export type NameServer = {
  says(name: string, zone: Zone): void;
  /** Names asked for so far, one entry a question. */
  asked: string[];
  lookup: Lookup;
  /** For resolvers that are told which server to ask. */
  address: string;
  [Symbol.asyncDispose](): Promise<void>;
};

const [A, CNAME, PTR, MX, TXT, AAAA] = [1, 5, 12, 15, 16, 28];
const TYPES = { A, CNAME, PTR, MX, TXT, AAAA };

/** `where`: for those who know name servers by their address alone, and ask at port 53. */
export async function nameServer(where = { address: '127.0.0.1', port: 0 }): Promise<NameServer> {
  const zones = new Map<string, Zone>();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    const told = zones.get(name) ?? 'nothing';
    const zone = typeof told === 'string' ? told : (failingOf(told, type) ?? told);
    if (zone === 'silent') return;
    const answers = typeof zone === 'string' ? [] : recordsOf(zone, type);
    const code = zone === 'nothing' ? 3 : zone === 'broken' ? 2 : 0;
    const head = Buffer.from([
      query[0] ?? 0,
      query[1] ?? 0,
      0x81,
      0x80 | code,
      0,
      1,
      0,
      answers.length,
      0,
      0,
      0,
      0,
    ]);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(where.port, where.address, resolve));

  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  const at = `${where.address}:${(socket.address() as AddressInfo).port}`;
  resolver.setServers([at]);
  return {
    says: (name, zone) => void zones.set(name, zone),
    asked,
    address: at,
    async lookup(name) {
      const both = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const found = both.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      if (found.length === 0) throw new Error('ENOTFOUND');
      return found;
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => void socket.close(() => resolve())),
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

const failingOf = ({ fails = {} }: Records, type: number): Silence | undefined =>
  Object.entries(fails).find(([name]) => TYPES[name as keyof typeof TYPES] === type)?.[1];

function recordsOf({ addresses = [], cname, txt = [], mx = [], ptr = [] }: Records, type: number): Buffer[] {
  const owner = cname === undefined ? Buffer.from([0xc0, 12]) : nameBytes(cname);
  const alias = cname === undefined ? [] : [record(Buffer.from([0xc0, 12]), CNAME, nameBytes(cname))];
  const data: Record<number, () => Buffer[]> = {
    [A]: () => addresses.filter((each) => isIPv4(each)).map(addressBytes),
    [AAAA]: () => addresses.filter((each) => !isIPv4(each)).map(addressBytes),
    [TXT]: () => txt.map(textBytes),
    [PTR]: () => ptr.map(nameBytes),
    [MX]: () =>
      mx.map(([preference, host]) => Buffer.concat([Buffer.from([0, preference]), nameBytes(host)])),
  };
  return [...alias, ...(data[type]?.() ?? []).map((each) => record(owner, type, each))];
}

/** In strings of at most 255 octets, as long records travel. */
function textBytes(text: string): Buffer {
  const parts = text.match(/[\s\S]{1,255}/g) ?? [''];
  return Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part, 'latin1')])));
}

const record = (owner: Buffer, type = A, data: Buffer): Buffer =>
  Buffer.concat([owner, Buffer.from([0, type, 0, 1, 0, 0, 0, 0, data.length >> 8, data.length & 255]), data]);

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter(Boolean)
      .map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const bytes = (part: string): Buffer =>
    Buffer.from(
      part
        .split(':')
        .filter(Boolean)
        .map((group) => group.padStart(4, '0'))
        .join(''),
      'hex',
    );
  const [before, after] = [bytes(head), bytes(tail)];
  return Buffer.concat([before, Buffer.alloc(16 - before.length - after.length), after]);
}
