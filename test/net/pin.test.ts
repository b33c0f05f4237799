// The pinned resolver, in the forms in which sockets ask.
import type { LookupOptions } from 'node:dns';
import { expect, test } from 'vitest';
import { pinnedLookup } from '../../src/net/pin.ts';

const ask = (addresses: string[], options: LookupOptions): Promise<unknown> =>
  new Promise((resolve) =>
    pinnedLookup(addresses)('a.example', options, (error, found, family) =>
      resolve(error?.code ?? [found, family]),
    ),
  );

test('a pinned resolver gives the checked addresses of the family that is asked for, and no others', async () => {
  const both = ['93.184.216.34', '2606:4700::1'];
  const [four, six] = [
    { address: '93.184.216.34', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ];
  expect(await ask(both, { all: true })).toEqual([[four, six], undefined]);
  expect(await ask(both, { all: true, family: 6 })).toEqual([[six], undefined]);
  expect(await ask(both, { family: 'IPv4' })).toEqual(['93.184.216.34', 4]);
  expect(await ask(both, { family: 'IPv6' })).toEqual(['2606:4700::1', 6]);
  expect(await ask(both, {})).toEqual(['93.184.216.34', 4]);
});

test('without a checked address of that family the name does not exist', async () => {
  expect(await ask([], { all: true })).toBe('ENOTFOUND');
  expect(await ask(['93.184.216.34'], { family: 6, all: true })).toBe('ENOTFOUND');
  expect(await ask(['not-an-address'], {})).toBe('ENOTFOUND');
});
