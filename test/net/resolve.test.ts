// Names, asked of a name server on loopback through a real resolver.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { admitUrl, systemLookup, type Lookup } from '../../src/net/resolve.ts';
import { nameServer, type NameServer } from '../support/dns.ts';

const CLOSED = { allowPrivate: false };
let dns: NameServer;
beforeAll(async () => {
  dns = await nameServer();
});
afterAll(() => dns[Symbol.asyncDispose]());

const admit = (name: string, lookup: Lookup = dns.lookup, timeoutMs = 5_000) =>
  admitUrl(`https://${name}/in`, CLOSED, { lookup, timeoutMs });

test('any other name is resolved and every resolved address is checked, of both families', async () => {
  dns.says('public.example', { addresses: ['93.184.216.34', '1.1.1.1', '2606:4700::1'] });
  expect(await admit('public.example')).toMatchObject({
    ok: true,
    host: 'public.example',
    addresses: ['93.184.216.34', '1.1.1.1', '2606:4700::1'],
  });

  dns.says('last.example', { addresses: ['93.184.216.34', '2606:4700::1', 'fd00::1'] });
  expect(await admit('last.example')).toMatchObject({ ok: false, why: 'address' });

  dns.says('mixed.example', { addresses: ['93.184.216.34', '10.0.0.5'] });
  expect(await admit('mixed.example')).toMatchObject({ ok: false, why: 'address' });
});

test.each(['nothing', 'broken', 'silent'] as const)(
  'a hostname that resolves to nothing (%s) is allowed',
  async (how) => {
    dns.says(`${how}.example`, how);
    expect(await admit(`${how}.example`, dns.lookup, how === 'silent' ? 300 : 5_000)).toEqual({
      ok: true,
      host: `${how}.example`,
      isLiteral: false,
      url: `https://${how}.example/in`,
      addresses: [],
    });
  },
);

test('a resolver that never answers is waited for no longer than told, and what it says afterwards is not used', async () => {
  let answer: (addresses: string[]) => void = () => {};
  const started = performance.now();
  const admitted = await admit('slow.example', () => new Promise((resolve) => (answer = resolve)), 300);
  answer(['10.0.0.1']);
  expect(performance.now() - started).toBeLessThan(2_000);
  expect(admitted).toMatchObject({ ok: true, addresses: [] });
});

test('I2: a name that was public when it was set and is private at the pass is refused at the pass', async () => {
  dns.says('rebinding.example', { addresses: ['93.184.216.34'] });
  expect(await admit('rebinding.example')).toMatchObject({ ok: true });
  dns.says('rebinding.example', { addresses: ['169.254.169.254'] });
  expect(await admit('rebinding.example')).toMatchObject({ ok: false, why: 'address' });
});

test('the resolver of the machine gives every address of a name, the hosts file included', async () => {
  const addresses = await systemLookup('localhost');
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(address).toMatch(/^(127\.|::1$)/);
});
