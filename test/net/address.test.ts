// The classifier against itself (every spelling of an address has one verdict), and against the address library that
// the HTTP server brings, which was written by others.
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyAddress, networks } from '../../src/net/address.ts';
import { checkHost, checkUrl } from '../../src/net/receiver.ts';

type Library = { process(text: string): { range(): string } };
const ofServer = createRequire(createRequire(import.meta.url).resolve('fastify'));
const library = ofServer('ipaddr.js') as Library;

const CLOSED = { allowPrivate: false };

const v4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => parts as number[]);
/** Half of them near the borders of special blocks, where a wrong prefix shows. */
const group = fc.oneof(
  fc.nat(0xffff),
  fc.constantFrom(
    0,
    1,
    2,
    3,
    0x64,
    0x100,
    0x112,
    0x1ff,
    0x200,
    0x2001,
    0x2002,
    0x2620,
    0x3fff,
    0x3ffe,
    0x5f00,
    0xdb8,
    0x4f,
    0x8000,
    0xff9b,
    0xfe80,
    0xfebf,
    0xfec0,
    0xfc00,
    0xfdff,
    0xff00,
    0xffff,
  ),
);
const v6 = fc
  .array(group, { minLength: 8, maxLength: 8 })
  .map((groups) => groups.map((each) => each.toString(16)).join(':'));

describe('the classifier', () => {
  test.each([
    ['127.255.255.255', 'loopback'],
    ['::1', 'loopback'],
    ['0.0.0.0', 'this_network'],
    ['::', 'unspecified'],
    ['169.254.169.254', 'link_local'],
    ['fe80::1%eth0', 'link_local'],
    ['2606:4700::1%1', 'link_local'],
    ['fd12::1', 'unique_local'],
    ['172.31.255.255', 'private'],
    ['::ffff:ac1f:ffff', 'private'],
    ['100.127.0.1', 'carrier_grade_nat'],
    ['239.1.1.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['2001:db8::1', 'documentation'],
    ['64:ff9b:1::a00:1', 'transition'],
    ['64:ff9b::808:808', 'transition'],
    ['2606:4700::5efe:a00:1', 'transition'],
    ['2606:4700::200:5efe:a00:1', 'transition'],
    ['::7f00:1', 'transition'],
    ['4000::1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['192.0.0.9', 'reserved'],
    ['8.8.8.8', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['localhost', 'unreadable'],
    ['127.1', 'unreadable'],
    ['', 'unreadable'],
  ] as const)('says of %s that it is %s', (address, kind) => expect(classifyAddress(address)).toBe(kind));

  test('agrees with an independent library on every IPv4 address, also when it is mapped into IPv6', () => {
    fc.assert(
      fc.property(v4, (parts) => {
        const address = parts.join('.');
        const isPublic = library.process(address).range() === 'unicast';
        expect(classifyAddress(address) === 'public').toBe(isPublic);
        expect(classifyAddress(`::ffff:${address}`) === 'public').toBe(isPublic);
      }),
      { numRuns: 2_000 },
    );
  });

  test('lets no IPv6 address pass that an independent library refuses', () => {
    fc.assert(
      fc.property(v6, (address) => {
        if (classifyAddress(address) === 'public') expect(library.process(address).range()).toBe('unicast');
      }),
      { numRuns: 5_000 },
    );
  });

  test('I1: whatever spelling an IPv4 address has, what is checked is what is called', () => {
    const part = (value: number, base: number): string =>
      base === 8 ? `0${value.toString(8)}` : base === 16 ? `0X${value.toString(16)}` : String(value);
    fc.assert(
      fc.property(v4, fc.constantFrom(8, 10, 16), fc.nat(3), (parts, base, dots) => {
        const rest = parts.slice(dots).reduce((sum, each) => sum * 256 + each, 0);
        const spelled = [...parts.slice(0, dots), rest].map((each) => part(each, base)).join('.');
        const address = parts.join('.');
        const checked = checkUrl(`http://${spelled}/`, CLOSED);
        expect(checked.ok).toBe(classifyAddress(address) === 'public');
        if (checked.ok)
          expect(checked).toEqual({ ok: true, host: address, isLiteral: true, url: `http://${address}/` });
      }),
    );
  });

  test('I1: no text makes the check throw, and nothing passes with credentials or a host that is not the one kept', () => {
    const pieces = fc.constantFrom(
      'http',
      'https',
      '://',
      ':',
      '/',
      '//',
      '@',
      '\\',
      '.',
      '127.0.0.1',
      'localhost',
      '[::1]',
      '%2e',
      'a',
      '0x7f',
      '#',
      '?',
      '8',
      '\t',
      '。',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 9 }).map((each) => each.join('')),
        (text) => {
          const checked = checkUrl(text, CLOSED);
          if (!checked.ok) return;
          const url = new URL(checked.url);
          expect([url.username, url.password, url.hostname.replace(/^\[|\]$/g, '')]).toEqual([
            '',
            '',
            checked.host,
          ]);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});

test('a host on its own is read as a URL would read it, and takes no port, path or credentials', () => {
  expect(checkHost('IMAP.Example.COM.', CLOSED)).toEqual({
    ok: true,
    host: 'imap.example.com',
    isLiteral: false,
  });
  expect(checkHost('2606:4700::1', CLOSED)).toEqual({ ok: true, host: '2606:4700::1', isLiteral: true });
  expect(checkHost('[2606:4700:0::1]', CLOSED)).toMatchObject({ host: '2606:4700::1' });
  expect(checkHost('::1', CLOSED)).toMatchObject({ ok: false, why: 'address' });
  expect(checkHost('0x7f.1', CLOSED)).toMatchObject({ ok: false, why: 'address' });
  for (const text of [
    '',
    'a.example:25',
    'a.example:80',
    '[::1]:80',
    'u@a.example',
    'a.example/x',
    'a.example?',
    'a.example#',
    'a b',
    'a..b',
    'fe80::1%eth0',
  ]) {
    expect(checkHost(text, CLOSED), text).toMatchObject({ ok: false, why: 'malformed' });
  }
});

test('a network that cannot be read is told and not guessed', () => {
  for (const text of [
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'fd00::/129',
    'fe80::1%eth0/64',
    'a/8',
  ]) {
    expect(() => networks([text]), text).toThrow(text);
  }
});
