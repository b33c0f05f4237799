// The five checks against a name server of the test's own: what passes, what fails, and what no one can be blamed for.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  checkDomain,
  CHECKS,
  type CheckName,
  type DomainToCheck,
} from '../../../src/mail/authentication/check.ts';
import { namesAbove } from '../../../src/mail/authentication/dmarc.ts';
import { openResolver } from '../../../src/mail/dns.ts';
import { nameServer, type NameServer, type Zone } from '../../support/dns.ts';

const NOW = new Date('2026-03-02T10:00:00Z');

let dns: NameServer;
beforeAll(async () => {
  dns = await nameServer();
});
afterAll(() => dns[Symbol.asyncDispose]());

// Names below a new one for each test: the name server forgets nothing.
let domain: string;
let count = 0;
beforeEach(() => {
  count += 1;
  domain = `case${count}.example`;
});

const says = (name: string, zone: Zone): void => dns.says(name === '' ? domain : `${name}.${domain}`, zone);

type Told = { outcome: string; why: string; found: string | null };

async function check(name: CheckName, asked: Partial<DomainToCheck> = {}): Promise<Told> {
  const checks = await checkDomain({
    domain,
    selectors: [],
    sending_hosts: [],
    resolver: openResolver({ servers: [dns.address], timeoutMs: 300 }),
    now: NOW,
    ...asked,
  });
  return checks[name];
}

const rsa = (bits: number): KeyObject => generateKeyPairSync('rsa', { modulusLength: bits }).publicKey;
const base64 = (key: KeyObject, type: 'spki' | 'pkcs1' = 'spki'): string =>
  key.export({ type, format: 'der' }).toString('base64');
const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

describe('a resolver that fails is unknown and never failing', () => {
  test.each(['broken', 'silent'] as const)('every check, where the name server is %s', async (how) => {
    for (const name of ['', 'our._domainkey', '_dmarc', 'mail']) says(name, how);
    for (const name of CHECKS)
      expect(
        await check(name, {
          selectors: [{ selector: 'our', public_key: null }],
          sending_hosts: [`mail.${domain}`],
        }),
      ).toMatchObject({ outcome: 'unknown', why: 'dns_unavailable' });
  });

  test('every check, where there is no network at all', async () => {
    const resolver = openResolver({ servers: ['127.0.0.1:9'], timeoutMs: 300 });
    const checks = await checkDomain({
      domain,
      selectors: [{ selector: 'our', public_key: null }],
      sending_hosts: ['mail.example'],
      resolver,
      now: NOW,
    });
    for (const name of CHECKS) expect(checks[name].outcome).toBe('unknown');
    expect(checks.spf.checked_at).toBe('2026-03-02T10:00:00.000Z');
  });

  test('an include that cannot be asked, and one of two selectors', async () => {
    says('', { txt: ['v=spf1 include:other.example -all'] });
    dns.says('other.example', 'broken');
    expect(await check('spf')).toMatchObject({ outcome: 'unknown', why: 'dns_unavailable' });
    says('a._domainkey', { txt: [`v=DKIM1; p=${base64(rsa(2048))}`] });
    says('b._domainkey', 'silent');
    const selectors = ['a', 'b'].map((selector) => ({ selector, public_key: null }));
    expect(await check('dkim', { selectors })).toMatchObject({ outcome: 'unknown' });
  });
});

describe('SPF', () => {
  const sending = { sending_hosts: ['93.184.216.34'] };

  test.each<[string, Zone, string]>([
    ['no such domain', 'nothing', 'failing missing'],
    ['no record', { txt: ['hello'] }, 'failing missing'],
    ['another version', { txt: ['v=spf10 -all'] }, 'failing missing'],
    ['two records', { txt: ['v=spf1 -all', 'v=spf1 ~all'] }, 'failing several_records'],
    ['a mechanism that nobody knows', { txt: ['v=spf1 ipv4:93.184.216.34 -all'] }, 'failing malformed'],
    ['our address', { txt: ['v=spf1 ip4:93.184.216.0/24 -all'] }, 'passing ok'],
    ['somebody else', { txt: ['v=spf1 ip4:93.184.217.0/24 -all'] }, 'failing spf_host_not_authorised'],
    ['only softly denied', { txt: ['v=spf1 ~all'] }, 'failing spf_host_not_authorised'],
    ['a record that says nothing', { txt: ['v=spf1'] }, 'failing spf_host_not_authorised'],
    ['MX hosts', { txt: ['v=spf1 mx -all'], mx: [[10, 'mx-of-ours.example']] }, 'passing ok'],
  ])('with a known host: %s', async (_, zone, expected) => {
    dns.says('mx-of-ours.example', { addresses: ['93.184.216.34'] });
    says('', zone);
    const { outcome, why } = await check('spf', sending);
    expect(`${outcome} ${why}`).toBe(expected);
  });

  test('without a known host a sound record passes, and says why', async () => {
    says('', { txt: ['v=spf1 ip4:93.184.217.0/24 -all'] });
    expect(await check('spf')).toEqual({
      outcome: 'passing',
      why: 'spf_valid_host_unknown',
      found: 'v=spf1 ip4:93.184.217.0/24 -all',
      checked_at: NOW.toISOString(),
    });
  });

  test('ten questions are allowed and eleven are not', async () => {
    const include = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, at) => `include:i${from + at}.${domain}`).join(' ');
    for (let at = 0; at < 12; at += 1) says(`i${at}`, { txt: ['v=spf1 ip4:198.51.100.1 -all'] });
    says('', { txt: [`v=spf1 ${include(0, 10)} -all`] });
    expect(await check('spf')).toMatchObject({ outcome: 'passing' });
    says('', { txt: [`v=spf1 ${include(0, 11)} -all`] });
    expect(await check('spf')).toMatchObject({ outcome: 'failing', why: 'spf_too_many_lookups' });
    // Questions of an include count as well.
    says('', { txt: [`v=spf1 include:deep.${domain} ${include(0, 8)} -all`] });
    says('deep', { txt: [`v=spf1 ${include(8, 10)} -all`] });
    expect(await check('spf')).toMatchObject({ outcome: 'failing', why: 'spf_too_many_lookups' });
  });

  test('two empty answers are allowed and three are not', async () => {
    says('', { txt: [`v=spf1 a:x.${domain} a:y.${domain} -all`] });
    expect(await check('spf')).toMatchObject({ outcome: 'passing' });
    says('', { txt: [`v=spf1 a:x.${domain} a:y.${domain} a:z.${domain} -all`] });
    expect(await check('spf')).toMatchObject({ outcome: 'failing', why: 'spf_too_many_void_lookups' });
  });

  test('an include of a domain without a record is an error of ours', async () => {
    says('', { txt: [`v=spf1 include:x.${domain} -all`] });
    says('x', { txt: ['nothing'] });
    expect(await check('spf')).toMatchObject({ outcome: 'failing', why: 'malformed' });
  });

  test('a host by name is judged by its addresses, one of which must be allowed', async () => {
    says('mail', { addresses: ['93.184.216.34', '2606:4700::1'] });
    says('', { txt: ['v=spf1 ip4:93.184.216.34 -all'] });
    expect(await check('spf', { sending_hosts: [`mail.${domain}`] })).toMatchObject({ outcome: 'passing' });
    says('', { txt: ['v=spf1 ip4:93.184.216.35 -all'] });
    expect(await check('spf', { sending_hosts: [`mail.${domain}`] })).toMatchObject({ outcome: 'failing' });
  });

  test('every host must be allowed', async () => {
    says('', { txt: ['v=spf1 ip4:93.184.216.34 -all'] });
    const { why, found } = await check('spf', { sending_hosts: ['93.184.216.34', '1.1.1.1'] });
    expect(why).toBe('spf_host_not_authorised');
    expect(found).toMatch(/^1\.1\.1\.1 /);
  });

  test('a host that cannot be asked for leaves open what a sound record says of it', async () => {
    says('mail', 'broken');
    says('', { txt: ['v=spf1 -all'] });
    const asked = { sending_hosts: [`mail.${domain}`] };
    expect(await check('spf', asked)).toMatchObject({ outcome: 'unknown', why: 'dns_unavailable' });
    says('mail', 'nothing');
    expect(await check('spf', asked)).toMatchObject({ outcome: 'passing', why: 'spf_valid_host_unknown' });
    says('', { txt: ['v=spf1 nonsense -all'] });
    expect(await check('spf', asked)).toMatchObject({ outcome: 'failing', why: 'malformed' });
  });

  test('a record does not count for names below it', async () => {
    says('', { txt: ['v=spf1 -all'] });
    says('sub', { txt: ['x'] });
    expect(await check('spf', { domain: `sub.${domain}` })).toMatchObject({ why: 'missing' });
  });
});

describe('DKIM', () => {
  test('without a selector of ours nothing has failed', async () => {
    expect(await check('dkim')).toMatchObject({ outcome: 'unknown', why: 'dkim_no_selector' });
  });

  const long = rsa(2048);
  const ed = generateKeyPairSync('ed25519').publicKey;
  const edRaw = ed.export({ type: 'spki', format: 'der' }).subarray(12).toString('base64');

  test.each<[string, Zone, string | null, string]>([
    ['no such name', 'nothing', null, 'failing missing'],
    ['a key of 2048 bits', { txt: [`v=DKIM1; k=rsa; p=${base64(long)}`] }, null, 'passing ok'],
    ['our own key, as PEM', { txt: [`v=DKIM1; p=${base64(long)}`] }, pem(long), 'passing ok'],
    ['our own key, as a record', { txt: [`p=${base64(long)}`] }, base64(long), 'passing ok'],
    ['our own key in the bare form', { txt: [`p=${base64(long, 'pkcs1')}`] }, pem(long), 'passing ok'],
    ['somebody else’s key', { txt: [`p=${base64(rsa(2048))}`] }, pem(long), 'failing dkim_key_differs'],
    ['a key of 1024 bits', { txt: [`p=${base64(rsa(1024))}`] }, null, 'passing dkim_key_short'],
    ['a key of 768 bits', { txt: [`p=${base64(rsa(768))}`] }, null, 'failing dkim_key_too_short'],
    ['an Ed25519 key', { txt: [`v=DKIM1; k=ed25519; p=${edRaw}`] }, pem(ed), 'passing ok'],
    ['a key that was taken back', { txt: ['v=DKIM1; p='] }, null, 'failing dkim_revoked'],
    ['no key', { txt: ['v=DKIM1; k=rsa'] }, null, 'failing malformed'],
    ['a key that is none', { txt: ['v=DKIM1; p=aGVsbG8='] }, null, 'failing malformed'],
    ['another version', { txt: [`v=DKIM2; p=${base64(long)}`] }, null, 'failing malformed'],
    ['two records', { txt: [`p=${base64(long)}`, 'v=DKIM1; p='] }, null, 'failing several_records'],
    ['SHA-1 alone', { txt: [`h=sha1; p=${base64(long)}`] }, null, 'failing dkim_key_not_for_mail'],
    ['not for mail', { txt: [`s=tlsrpt; p=${base64(long)}`] }, null, 'failing dkim_key_not_for_mail'],
    ['for mail among others', { txt: [`s=x:email; h=sha1:sha256; p=${base64(long)}`] }, null, 'passing ok'],
  ])('%s', async (_, zone, public_key, expected) => {
    says('our._domainkey', zone);
    const { outcome, why } = await check('dkim', { selectors: [{ selector: 'our', public_key }] });
    expect(`${outcome} ${why}`).toBe(expected);
  });

  test('one bad selector of several is a failure', async () => {
    says('a._domainkey', { txt: [`p=${base64(long)}`] });
    const selectors = ['a', 'b'].map((selector) => ({ selector, public_key: null }));
    expect(await check('dkim', { selectors })).toMatchObject({ outcome: 'failing', found: 'b._domainkey' });
  });
});

describe('DMARC', () => {
  test.each<[string, string[], string]>([
    ['nothing', [], 'failing missing'],
    ['p=none', ['v=DMARC1; p=none'], 'passing ok'],
    ['tags that are gone', ['v=DMARC1; p=reject; pct=0; rf=x; ri=0'], 'passing ok'],
    ['no policy at all', ['v=DMARC1; rua=mailto:d@example.com'], 'passing ok'],
    [
      'a policy that nobody knows, with reports',
      ['v=DMARC1; p=nope; rua=mailto:d@example.com'],
      'passing ok',
    ],
    ['a policy that nobody knows', ['v=DMARC1; p=nope'], 'failing malformed'],
    ['two records', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'failing several_records'],
    ['another version', ['v=DMARC2; p=none'], 'failing missing'],
    ['a version in small letters', ['v=dmarc1; p=none'], 'failing missing'],
    ['other texts beside it', ['hello', 'v=DMARC1; p=none'], 'passing ok'],
  ])('%s', async (_, txt, expected) => {
    says('_dmarc', txt.length > 0 ? { txt } : 'nothing');
    const { outcome, why } = await check('dmarc');
    expect(`${outcome} ${why}`).toBe(expected);
  });

  test('the record of a domain above covers those below it, by sp= or else by p=', async () => {
    says('_dmarc', { txt: ['v=DMARC1; p=reject; sp=quarantine'] });
    const below = { domain: `news.mail.${domain}` };
    expect(await check('dmarc', below)).toMatchObject({
      outcome: 'passing',
      why: 'dmarc_inherited',
      found: `${domain} sp=quarantine`,
    });
    says('_dmarc', { txt: ['v=DMARC1; p=reject'] });
    expect(await check('dmarc', below)).toMatchObject({ found: `${domain} sp=reject` });
  });

  test('of several above the one with the fewest labels is the organisation’s', async () => {
    says('_dmarc.mail', { txt: ['v=DMARC1; p=none'] });
    says('_dmarc', { txt: ['v=DMARC1; p=reject'] });
    expect(await check('dmarc', { domain: `a.mail.${domain}` })).toMatchObject({
      found: `${domain} sp=reject`,
    });
  });

  test('a record that says psd=n ends the walk; below psd=y lies the organisation', async () => {
    says('_dmarc.mail', { txt: ['v=DMARC1; p=none; psd=n'] });
    says('_dmarc', { txt: ['v=DMARC1; p=reject'] });
    const below = { domain: `a.mail.${domain}` };
    expect(await check('dmarc', below)).toMatchObject({ found: `mail.${domain} sp=none` });
    says('_dmarc.mail', { txt: ['v=DMARC1; p=none'] });
    says('_dmarc', { txt: ['v=DMARC1; p=reject; psd=y'] });
    expect(await check('dmarc', below)).toMatchObject({ found: `mail.${domain} sp=none` });
    says('_dmarc.mail', 'nothing');
    expect(await check('dmarc', below)).toMatchObject({ found: `${domain} sp=reject` });
  });

  test('a step of the walk that cannot be asked leaves the whole open', async () => {
    says('_dmarc.mail', 'broken');
    expect(await check('dmarc', { domain: `a.mail.${domain}` })).toMatchObject({ outcome: 'unknown' });
  });

  test('the walk asks eight questions at most', () => {
    expect(namesAbove('a.b.c.example.com')).toEqual([
      'b.c.example.com',
      'c.example.com',
      'example.com',
      'com',
    ]);
    const deep = namesAbove(`${'x.'.repeat(20)}example.com`);
    expect(deep).toHaveLength(7);
    expect(deep[0]).toBe('x.x.x.x.x.example.com');
  });
});

describe('MX', () => {
  test.each<[string, Zone, string]>([
    [
      'one',
      {
        mx: [
          [20, 'b.example'],
          [10, 'a.example'],
        ],
      },
      'passing ok',
    ],
    ['none, though the domain has an address', { addresses: ['93.184.216.34'] }, 'failing missing'],
    ['no such domain', 'nothing', 'failing missing'],
    ['a null MX', { mx: [[0, '']] }, 'failing mx_null'],
  ])('%s', async (_, zone, expected) => {
    says('', zone);
    const { outcome, why } = await check('mx');
    expect(`${outcome} ${why}`).toBe(expected);
  });
});

describe('PTR', () => {
  const host = (): Partial<DomainToCheck> => ({ sending_hosts: [`mail.${domain}`] });
  const REVERSE = '34.216.184.93.in-addr.arpa';

  test('without a known host there is nothing to check', async () => {
    expect(await check('ptr')).toMatchObject({ outcome: 'unknown', why: 'host_unknown' });
  });

  test.each<[string, Zone, string]>([
    ['name and address agree', { ptr: ['back.example'] }, 'passing ok'],
    ['the address has no name', 'nothing', 'failing ptr_missing'],
    ['the name has another address', { ptr: ['elsewhere.example'] }, 'failing ptr_differs'],
    ['the name does not exist', { ptr: ['nobody.example'] }, 'failing ptr_differs'],
    ['one of several names agrees', { ptr: ['elsewhere.example', 'back.example'] }, 'passing ok'],
    ['the name cannot be asked', { ptr: ['dark.example'] }, 'unknown dns_unavailable'],
    ['the address cannot be asked', 'broken', 'unknown dns_unavailable'],
  ])('%s', async (_, zone, expected) => {
    says('mail', { addresses: ['93.184.216.34'] });
    dns.says('back.example', { addresses: ['93.184.216.34'] });
    dns.says('elsewhere.example', { addresses: ['1.1.1.1'] });
    dns.says('dark.example', 'broken');
    dns.says(REVERSE, zone);
    const { outcome, why } = await check('ptr', host());
    expect(`${outcome} ${why}`).toBe(expected);
  });

  test('a host on a private network, and one that does not resolve, are no one’s failure', async () => {
    expect(await check('ptr', { sending_hosts: ['10.0.0.1'] })).toMatchObject({ why: 'host_private' });
    expect(await check('ptr', host())).toMatchObject({ outcome: 'unknown', why: 'host_unresolved' });
  });
});

test('what is in DNS is shown short and plain', async () => {
  says('', { txt: [`v=spf1 \u0001é ${'x'.repeat(900)}`] });
  const { found } = await check('spf');
  expect(found).toMatch(/^v=spf1 [\x20-\x7e]+\.\.\.$/);
  expect(found?.length).toBe(200);
});
