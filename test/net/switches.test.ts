// What operators may open: each caller has its own switch, and none opens more than it says.
import { expect, test } from 'vitest';
import { admitHost, admitUrl } from '../../src/net/resolve.ts';
import { checkAddresses, checkHost, checkUrl } from '../../src/net/receiver.ts';
import { readAllowedHosts, readEventsSwitch } from '../../src/net/switches.ts';

const listed = {
  allowedHosts: readAllowedHosts(
    'ollama.internal, Mail.Example.com.  10.1.0.0/16,fd00::/8 [::1] 192.168.7.7',
  ),
};
const resolvesTo = (...addresses: string[]) => ({ lookup: async () => addresses });

test('a listed name is opened, whatever it resolves to, and so is no name that ends in it', async () => {
  expect(await admitHost('ollama.internal', listed, resolvesTo('172.20.0.2'))).toMatchObject({
    ok: true,
    addresses: ['172.20.0.2'],
  });
  expect(await admitHost('MAIL.example.com', listed, resolvesTo('127.0.0.1'))).toMatchObject({ ok: true });
  expect(await admitHost('other.internal', listed, resolvesTo('8.8.8.8'))).toMatchObject({
    ok: false,
    why: 'name',
  });
  expect(await admitHost('a.ollama.internal', listed, resolvesTo('8.8.8.8'))).toMatchObject({
    ok: false,
    why: 'name',
  });
  expect(await admitHost('a.mail.example.com', listed, resolvesTo('127.0.0.1'))).toMatchObject({
    ok: false,
    why: 'address',
  });
});

test('a listed network is opened for any name and in any spelling, and every other private address stays refused', async () => {
  expect(
    await admitUrl(
      'http://a.example/',
      listed,
      resolvesTo('10.1.2.3', '::ffff:10.1.2.4', 'fd12::1', '8.8.8.8'),
    ),
  ).toMatchObject({ ok: true });
  expect(await admitUrl('http://a.example/', listed, resolvesTo('10.1.2.3', '10.2.0.1'))).toMatchObject({
    ok: false,
    why: 'address',
  });
  expect(checkUrl('http://[::1]:11434/', listed)).toMatchObject({ ok: true, host: '::1' });
  expect(checkUrl('http://192.168.7.7/', listed)).toMatchObject({ ok: true });
  expect(checkUrl('http://192.168.7.8/', listed)).toMatchObject({ ok: false, why: 'address' });
  expect(checkUrl('http://127.0.0.1/', listed)).toMatchObject({ ok: false, why: 'address' });
});

test('credentials in the URL and answers that are no address stay refused under every switch', () => {
  for (const opening of [listed, { allowPrivate: true }]) {
    expect(checkUrl('http://user@ollama.internal/', opening)).toMatchObject({
      ok: false,
      why: 'credentials',
    });
    expect(checkUrl('http://@10.1.2.3/', opening)).toMatchObject({ ok: false, why: 'credentials' });
    expect(checkAddresses('ollama.internal', ['10.1.2.3', 'not-an-address'], opening)).toMatchObject({
      why: 'address',
    });
  }
});

test("a refusal names the caller's own switch", () => {
  const says = (checked: ReturnType<typeof checkHost>) => (checked.ok ? '' : checked.sentence);
  expect(says(checkHost('10.2.0.1', listed))).toMatch(/SERVICE_ALLOW_PRIVATE_HOSTS\.$/);
  expect(says(checkHost('a.internal', listed))).toMatch(/SERVICE_ALLOW_PRIVATE_HOSTS\.$/);
  expect(says(checkHost('10.2.0.1', readEventsSwitch(undefined)))).toMatch(
    /SERVICE_EVENTS_ALLOW_PRIVATE=1\.$/,
  );
});

test('an entry of the list that cannot be read stops the start', () => {
  expect(readAllowedHosts('').names.size).toBe(0);
  for (const entry of [
    'ollama:11434',
    'http://ollama',
    '10.0.0.0/99',
    '*.internal',
    'u@host',
    'fe80::1%eth0',
  ]) {
    expect(() => readAllowedHosts(`a.example, ${entry}`), entry).toThrow(entry);
  }
});
