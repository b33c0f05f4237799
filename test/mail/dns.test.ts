// The resolver of mail against a name server of the test's own: what is a fact, and what is only a failure to ask.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressesOf, openResolver, reverseName, type DnsResolver } from '../../src/mail/dns.ts';
import { nameServer, type NameServer } from '../support/dns.ts';

let server: NameServer;
let resolver: DnsResolver;

beforeAll(async () => {
  server = await nameServer();
  resolver = openResolver({ servers: [server.address], timeoutMs: 300 });
});
afterAll(() => server[Symbol.asyncDispose]());

test('NXDOMAIN, NODATA, SERVFAIL and silence are four different answers', async () => {
  server.says('empty.example', {});
  server.says('broken.example', 'broken');
  server.says('silent.example', 'silent');
  const outcome = async (name: string): Promise<string> => (await resolver.mx(name)).outcome;
  expect(await outcome('absent.example')).toBe('nxdomain');
  expect(await outcome('empty.example')).toBe('nodata');
  expect(await outcome('broken.example')).toBe('servfail');
  expect(await outcome('silent.example')).toBe('timeout');
});

test('where no name server listens, nothing is known', async () => {
  const nobody = openResolver({ servers: ['127.0.0.1:9'], timeoutMs: 300 });
  expect(['servfail', 'timeout']).toContain((await nobody.a('any.example')).outcome);
});

test('a name that cannot be asked for is a failure to ask and no crash', async () => {
  for (const name of ['', 'a..b', `${'a'.repeat(70)}.example`, 'a\u0000b.example'])
    expect(['servfail', 'nodata', 'nxdomain', 'timeout']).toContain((await resolver.a(name)).outcome);
});

test('records are read in one spelling', async () => {
  server.says('full.example', {
    addresses: ['192.0.2.1', '2001:db8::1'],
    txt: [`v=x ${'y'.repeat(300)}`],
    mx: [[10, 'MX1.Full.Example']],
  });
  server.says('null.example', { mx: [[0, '']] });
  server.says('1.2.0.192.in-addr.arpa', { ptr: ['Full.Example'] });
  expect((await resolver.txt('full.example')).records).toEqual([`v=x ${'y'.repeat(300)}`]);
  expect((await resolver.mx('full.example')).records).toEqual([{ preference: 10, host: 'mx1.full.example' }]);
  expect((await resolver.mx('null.example')).records).toEqual([{ preference: 0, host: '' }]);
  expect((await resolver.ptr('1.2.0.192.in-addr.arpa')).records).toEqual(['full.example']);
  expect((await addressesOf(resolver, 'full.example')).records).toEqual(['192.0.2.1', '2001:db8::1']);
});

test('one family that fails matters only where the other has nothing', async () => {
  server.says('four.example', { addresses: ['192.0.2.1'], fails: { AAAA: 'broken' } });
  server.says('none.example', { fails: { AAAA: 'broken' } });
  expect((await addressesOf(resolver, 'four.example')).outcome).toBe('found');
  expect((await addressesOf(resolver, 'none.example')).outcome).toBe('servfail');
});

test('the name of an address is in reverse', () => {
  expect(reverseName('192.0.2.1')).toBe('1.2.0.192.in-addr.arpa');
  expect(reverseName('2001:db8::567:89ab')).toBe(
    'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
  );
  expect(reverseName('mail.example')).toBeNull();
});
