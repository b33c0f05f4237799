// Sending identities through the doors: born inactive, activated by wire act 9 alone, changed without a secret going along,
// tested against a mail server on loopback, and deleted.
import { setDefaultCACertificates, getCACertificates } from 'node:tls';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certificateFor } from '../../../test/support/certificate.ts';
import { nameServer, type NameServer } from '../../../test/support/dns.ts';
import { fingerprint } from '../../../test/support/fingerprint.ts';
import {
  openTestHouse,
  type RestClient,
  type TestHouse,
  type TokenClient,
} from '../../../test/support/house.ts';
import { smtpSink, type SmtpSink } from '../../../test/support/smtp.ts';
import { sendingIdentity } from './sending.store.ts';

const PATH = '/api/admin/outreach/identities';
const DOMAINS = '/api/admin/outreach/domains';
const PASSWORD = 'correct-horse-of-the-mail-server';
const HOST = 'smtp.mail-host.example';

let dns: NameServer;
let sink: SmtpSink;
let house: TestHouse;
let token: TokenClient;
let wired: TokenClient;
let logged = '';

beforeAll(async () => {
  dns = await nameServer();
  dns.says(HOST, { addresses: ['127.0.0.1'] });
  dns.says('elsewhere.mail-host.example', { addresses: ['127.0.0.1'] });
  dns.says('closed.mail-host.example', { addresses: ['10.0.0.1'] });
  const certificate = certificateFor([HOST]);
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  sink = await smtpSink({ certificate, login: { user: 'ann', password: PASSWORD } });
  const log = new Writable({
    write(line, _, done) {
      logged += String(line);
      done();
    },
  });
  house = await openTestHouse({
    dnsServer: dns.address,
    lookup: dns.lookup,
    allowHosts: '127.0.0.0/8',
    log: pino({ level: 'trace' }, log),
  });
  token = await house.token();
  wired = await house.token({ scopes: { wire: true } });
});
afterAll(async () => {
  await house.close();
  await sink[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
});

let count = 0;

async function aDomain(): Promise<{ id: string; name: string }> {
  const name = `who${++count}.example`;
  const { domain } = (await house.admin.rest('POST', DOMAINS, { name, dkim_algorithm: 'ed25519' })).body;
  const { records } = (await house.admin.rest('GET', `${DOMAINS}/${domain.id}/records`)).body;
  for (const { name: at, value } of records) dns.says(at, { txt: [value] });
  const checked = await house.admin.rest('POST', `${DOMAINS}/${domain.id}/check`, {});
  expect(checked.body.domain.state).toBe('active');
  return domain;
}

const smtp = (more: object = {}) => ({
  kind: 'smtp',
  host: HOST,
  port: sink.port,
  security: 'starttls',
  user: 'ann',
  secret: PASSWORD,
  ...more,
});

async function anIdentity(more: object = {}, domain?: { name: string }): Promise<any> {
  const { name } = domain ?? (await aDomain());
  const answer = await house.admin.rest('POST', PATH, {
    name: 'Ann Example',
    address: `ann@${name}`,
    transport: smtp(),
    ...more,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.identity;
}

const read = async (id: string): Promise<any> =>
  (await house.admin.rest('GET', `${PATH}/${id}`)).body.identity;

async function act(id: string, what: string, as: RestClient = house.admin): Promise<any> {
  const answer = await as.rest('POST', `${PATH}/${id}/${what}`, {});
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.identity;
}

async function patch(id: string, change: object, as: RestClient = house.admin) {
  const { revision } = await read(id);
  return as.rest('PATCH', `${PATH}/${id}`, { revision, ...change });
}

async function active(): Promise<any> {
  const identity = await anIdentity();
  return act(identity.id, 'activate');
}

describe('an identity is created', () => {
  test('inactive, with the defaults of a careful sender and its secret kept', async () => {
    const identity = await anIdentity();
    expect(identity).toMatchObject({
      active: false,
      state_reason: 'created',
      daily_cap: 40,
      hourly_cap: 8,
      min_gap_s: 300,
      jitter_s: 180,
      ramp: { start: 5, step: 3, day: 0, ceiling: 40 },
      transport: { kind: 'smtp', host: HOST, user: 'ann', has_secret: true },
      inbound: { kind: 'none' },
      sent_today: 0,
      allowance_today: 5,
      timezone: 'UTC',
    });
  });

  test('A17 and side door 17: created active is refused, whoever asks', async () => {
    const { name } = await aDomain();
    const before = await fingerprint(house);
    for (const who of [house.admin, wired]) {
      const wish = { name: 'Ann', address: `ann@${name}`, transport: { kind: 'sandbox' }, active: true };
      const answer = await who.rest('POST', PATH, wish);
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { details: { fields: { active: expect.any(String) } } } },
      });
    }
    expect(await fingerprint(house)).toBe(before);
  });

  test('A14: not by the first-boot provisioning key, nor by a token without wire', async () => {
    const wish = { name: 'Ann', address: 'ann@who.example', transport: { kind: 'sandbox' } };
    expect((await token.rest('POST', PATH, wish)).body.error.code).toBe('wire_required');
    const bare = await openTestHouse();
    const answer = await bare.bearer(bare.key).rest('POST', PATH, wish);
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'wire_required' } } });
    await bare.close();
  });

  test.each<[string, (domain: string) => object, string]>([
    ['a line break in the name', () => ({ name: 'Ann\r\nBcc: eve@evil.example' }), 'name'],
    ['an address that is none', () => ({ address: 'ann' }), 'address'],
    ['an address on no domain of ours', () => ({ address: 'ann@nobody.example' }), 'address'],
    ['a zone that nobody knows', () => ({ timezone: 'Mars/Olympus' }), 'timezone'],
    [
      'a workday that ends before it begins',
      () => ({ workday: { days: [1], from: '17:00', to: '09:00' } }),
      'workday',
    ],
    ['a cap below nothing', () => ({ daily_cap: -1 }), 'daily_cap'],
    ['a ramp above its ceiling', () => ({ ramp: { start: 50 } }), 'ramp'],
    [
      'a password without encryption',
      () => ({ transport: smtp({ security: 'plain' }) }),
      'transport.security',
    ],
    ['a port that is none', () => ({ transport: smtp({ port: 70_000 }) }), 'transport.port'],
    [
      'a server at a private address',
      () => ({ transport: smtp({ host: 'closed.mail-host.example' }) }),
      'transport.host',
    ],
    ['a day of the ramp that was never earned', () => ({ ramp: { day: 30 } }), 'ramp.day'],
  ])('%s is refused by name', async (_, wish, field) => {
    const { name } = await aDomain();
    const base = { name: 'Ann', address: `ann@${name}`, transport: smtp() };
    const answer = await house.admin.rest('POST', PATH, { ...base, ...wish(name) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)).toContain(field);
  });

  test('an address belongs to one identity, in every spelling, also of two at once', async () => {
    const domain = await aDomain();
    const wish = (address: string) => ({ name: 'Ann', address, transport: { kind: 'sandbox' } });
    const both = await Promise.all(
      [`ann@${domain.name}`, `ANN@${domain.name.toUpperCase()}`].map((address) =>
        house.admin.rest('POST', PATH, wish(address)),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('setting active', () => {
  test('needs wire on both its roads, and is not done by a refused one', async () => {
    const { id, revision } = await anIdentity();
    const before = await fingerprint(house);
    for (const [method, path, body] of [
      ['POST', `${PATH}/${id}/activate`, {}],
      ['PATCH', `${PATH}/${id}`, { revision, active: true }],
      // A15: the whole record written back, with one field more.
      ['PATCH', `${PATH}/${id}`, { revision, name: 'Ann', daily_cap: 10, active: true }],
    ] as const) {
      const answer = await token.rest(method, path, body);
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'wire_required' } } });
    }
    expect(await fingerprint(house)).toBe(before);
    expect(
      (await wired.rest('PATCH', `${PATH}/${id}`, { revision, active: true })).body.identity,
    ).toMatchObject({
      active: true,
      state_reason: null,
    });
  });

  test('A19: deactivated by anybody, and not set active again without wire', async () => {
    const { id } = await active();
    expect(await act(id, 'deactivate', token)).toMatchObject({ active: false, state_reason: 'person' });
    expect((await token.rest('POST', `${PATH}/${id}/activate`, {})).status).toBe(403);
    expect((await patch(id, { active: true }, token)).status).toBe(403);
    expect((await read(id)).active).toBe(false);
    expect(await act(id, 'activate', wired)).toMatchObject({ active: true });
    expect((await patch(id, { active: false }, token)).body.identity).toMatchObject({ active: false });
  });

  test('needs a domain that is active, unless nothing leaves', async () => {
    const name = `late${++count}.example`;
    await house.admin.rest('POST', DOMAINS, { name, dkim_algorithm: 'ed25519' });
    const real = await anIdentity({}, { name });
    const refused = await house.admin.rest('POST', `${PATH}/${real.id}/activate`, {});
    expect(refused.status).toBe(409);
    expect(refused.body.error.message).toContain('has not passed its checks');
    const sandbox = await anIdentity({ address: `box@${name}`, transport: { kind: 'sandbox' } }, { name });
    expect(await act(sandbox.id, 'activate')).toMatchObject({ active: true });
  });

  test('needs its password', async () => {
    const { id } = await anIdentity({ transport: smtp({ secret: undefined }) });
    expect((await house.admin.rest('POST', `${PATH}/${id}/activate`, {})).body.error.message).toContain(
      'password',
    );
  });

  test('ends with its domain', async () => {
    const domain = await aDomain();
    const { id } = await anIdentity({}, domain);
    await act(id, 'activate');
    await house.admin.rest('POST', `${DOMAINS}/${domain.id}/retire`, {});
    expect(await read(id)).toMatchObject({ active: false, state_reason: 'domain_retired' });
    expect((await wired.rest('POST', `${PATH}/${id}/activate`, {})).status).toBe(409);
  });
});

describe('a change', () => {
  const OTHERS: [string, () => object, ('transport' | 'inbound')[]][] = [
    [
      'the server',
      () => ({ transport: smtp({ secret: undefined, host: 'elsewhere.mail-host.example' }) }),
      ['transport'],
    ],
    ['the port', () => ({ transport: smtp({ secret: undefined, port: 2525 }) }), ['transport']],
    ['the encryption', () => ({ transport: smtp({ secret: undefined, security: 'tls' }) }), ['transport']],
    ['the user', () => ({ transport: smtp({ secret: undefined, user: 'eve' }) }), ['transport']],
    ['the kind of transport', () => ({ transport: { kind: 'sandbox' } }), ['transport']],
    [
      'the inbound server',
      () => ({ inbound: imap({ host: 'elsewhere.mail-host.example', secret: undefined }) }),
      ['inbound'],
    ],
    ['the kind of inbound', () => ({ inbound: { kind: 'none' } }), ['inbound']],
  ];
  const imap = (more: object = {}) => ({
    kind: 'imap',
    host: HOST,
    port: 993,
    security: 'tls',
    user: 'ann',
    secret: PASSWORD,
    ...more,
  });
  const withBoth = async (): Promise<any> => act((await anIdentity({ inbound: imap() })).id, 'activate');
  const secretsOf = async (id: string) =>
    (
      await house.sql`select transport_secret as transport, inbound_secret as inbound from identities where id = ${id}`
    )[0] as Record<string, string | null>;

  test.each(OTHERS)(
    'of %s deactivates, and voids the secret that was stored for it',
    async (_, change, voided) => {
      const { id } = await withBoth();
      const before = await secretsOf(id);
      const answer = await patch(id, change(), token);
      expect(answer.body.identity).toMatchObject({ active: false, state_reason: 'changed' });
      const after = await secretsOf(id);
      for (const way of ['transport', 'inbound'] as const)
        expect(after[way], way).toBe(voided.includes(way) ? null : before[way]);
    },
  );

  test('of the address voids both, and leads to the domain that it ends in', async () => {
    const { id } = await withBoth();
    const other = await aDomain();
    const wrong = await patch(id, { address: `bo@${other.name}`, domain_id: (await read(id)).domain_id });
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { details: { fields: { domain_id: expect.any(String) } } } },
    });
    const { identity } = (await patch(id, { address: `bo@${other.name}` }, token)).body;
    expect(identity).toMatchObject({ active: false, domain_id: other.id, transport: { has_secret: false } });
    expect(await secretsOf(id)).toEqual({ transport: null, inbound: null });
  });

  test('to the same settings keeps secret and state; a new secret alone deactivates', async () => {
    const { id } = await active();
    const before = await secretsOf(id);
    const same = await patch(id, { transport: smtp({ secret: undefined }) }, token);
    expect(same.body.identity).toMatchObject({ active: true, transport: { has_secret: true } });
    expect(await secretsOf(id)).toEqual(before);
    const replaced = await patch(id, { transport: smtp({ secret: 'another' }) }, token);
    expect(replaced.body.identity).toMatchObject({ active: false, transport: { has_secret: true } });
    expect((await secretsOf(id))['transport']).not.toBe(before['transport']);
  });

  test('of the transport is never set active in one go, not even with wire', async () => {
    const { id } = await active();
    const answer = await patch(id, { transport: smtp({ secret: 'another' }), active: true }, wired);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: { fields: { active: expect.any(String) } } } },
    });
    expect((await read(id)).active).toBe(true);
  });

  test('of what stood otherwise meanwhile is refused, naming the revision', async () => {
    const { id, revision, address } = await anIdentity();
    await patch(id, { daily_cap: 30 });
    const stale = await house.admin.rest('PATCH', `${PATH}/${id}`, { revision, daily_cap: 20 });
    expect(stale).toMatchObject({
      status: 409,
      body: {
        error: {
          message: `the identity ${address} changed since you read it: the current revision is ${revision + 1}. Re-read it and retry against that.`,
        },
      },
    });
    expect((await read(id)).daily_cap).toBe(30);
  });

  test('of caps and hours keeps it active; what nobody may set is no argument', async () => {
    const { id } = await active();
    const changed = await patch(
      id,
      { daily_cap: 20, ramp: { start: 20 }, timezone: 'Europe/Berlin', workday: null },
      token,
    );
    expect(changed.body.identity).toMatchObject({ active: true, daily_cap: 20, allowance_today: 20 });
    for (const field of ['ramp_day', 'sent_today', 'next_slot_at', 'state_reason', 'gone_at'])
      expect((await patch(id, { [field]: 1 })).status, field).toBe(400);
  });
});

describe('a test of the way out', () => {
  test('climbs to where a letter could leave, and sends none', async () => {
    const { id } = await anIdentity();
    const { body } = await token.rest('POST', `${PATH}/${id}/test`, {});
    expect(body.rungs.map(({ outcome }: any) => outcome)).toEqual(Array(5).fill('pass'));
    expect(body.identity).toMatchObject({
      test_outcome: 'passing',
      active: false,
      last_tested_at: expect.any(String),
    });
    expect(sink.letters).toEqual([]);
  });

  test('says what failed in words of our own, and never the password', async () => {
    const { id } = await anIdentity({ transport: smtp({ secret: 'wrong-password-of-ann' }) });
    const { body } = await token.rest('POST', `${PATH}/${id}/test`, {});
    expect(body.rungs.at(-1)).toMatchObject({ rung: 'sign_in', outcome: 'fail' });
    expect(body.identity.test_outcome).toBe('failing');
    expect(JSON.stringify(body)).not.toContain('wrong-password-of-ann');
  });

  test('calls no server that the operator did not open', async () => {
    const { id } = await anIdentity();
    // The name led to a public address when it was saved, and leads into the house now.
    dns.says(HOST, { addresses: ['10.1.2.3'] });
    const connections = sink.connections();
    const { body } = await house.admin.rest('POST', `${PATH}/${id}/test`, {});
    dns.says(HOST, { addresses: ['127.0.0.1'] });
    expect(body.rungs[0]).toMatchObject({ rung: 'address', outcome: 'fail' });
    expect(sink.connections()).toBe(connections);
  });

  test('of one without a password, or of the sandbox, asks nobody', async () => {
    const { id } = await anIdentity({ transport: smtp({ secret: undefined }) });
    expect((await house.admin.rest('POST', `${PATH}/${id}/test`, {})).body.identity.test_outcome).toBe(
      'failing',
    );
    const box = await anIdentity({ transport: { kind: 'sandbox' } });
    expect((await house.admin.rest('POST', `${PATH}/${box.id}/test`, {})).body.identity.test_outcome).toBe(
      'passing',
    );
  });
});

test('deleting takes the secrets and the name, frees the address, and leaves the row to its letters', async () => {
  const { id, address } = await active();
  const gone = (await token.rest('DELETE', `${PATH}/${id}`)).body.identity;
  expect(gone).toMatchObject({ active: false, state_reason: 'deleted', gone_at: expect.any(String) });
  for (const [method, path, body] of [
    ['POST', `${PATH}/${id}/activate`, {}],
    ['POST', `${PATH}/${id}/test`, {}],
    ['PATCH', `${PATH}/${id}`, { revision: gone.revision, name: 'Eve' }],
  ] as const)
    expect((await wired.rest(method, path, body)).status).toBe(409);
  const { items } = (await house.admin.rest('GET', `${PATH}?domain=${gone.domain_id}`)).body;
  expect(items).toEqual([]);
  expect((await anIdentity({}, { name: address.split('@')[1] })).address).toBe(address);
});

test('the sender is given the secrets opened, and prints none of them', async () => {
  const { id, domain_id } = await active();
  const { sealer } = house.instance.house;
  const identity = await sendingIdentity(house.sql, sealer, id);
  const { transport, dkim } = identity ?? {};
  expect(transport).toMatchObject({ kind: 'smtp', access: { login: { user: 'ann' } } });
  expect(transport?.kind === 'smtp' && transport.access.login?.password.reveal()).toBe(PASSWORD);
  expect(dkim?.private_key.reveal()).toContain('BEGIN PRIVATE KEY');
  expect(() => JSON.stringify(identity)).toThrow('a secret');
  // Sealed to its row: moved to another, it does not open.
  const other = await anIdentity();
  await house.sql`
    update identities set transport_secret = (select transport_secret from identities where id = ${id}) where id = ${other.id}`;
  expect((await sendingIdentity(house.sql, sealer, other.id))?.transport).toEqual({ kind: 'unusable' });
  expect((await house.sql`select 1 from domains where id = ${domain_id}`).length).toBe(1);
});

test('secrets stand in no table, answer, audit row or line of the log', async () => {
  const { id } = await active();
  await patch(id, { transport: smtp({ port: 99_999 }) });
  await house.admin.rest('POST', PATH, { transport: smtp(), address: 'no@nowhere.example', name: 'X' });
  const tables = await house.sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`;
  for (const { name } of tables) {
    const rows = await house.sql`select to_jsonb(t)::text as row from ${house.sql(name)} t`;
    const text = rows.map((row) => String(row['row'])).join('\n');
    expect(text, name).not.toContain(PASSWORD);
    expect(text, name).not.toContain('BEGIN PRIVATE KEY');
  }
  for (const path of [PATH, `${PATH}/${id}`, DOMAINS, '/api/admin/audit'])
    expect(JSON.stringify((await house.admin.rest('GET', path)).body)).not.toContain(PASSWORD);
  expect(logged).not.toContain(PASSWORD);
});

describe('postal addresses', () => {
  const POSTAL = '/api/admin/outreach/postal-addresses';

  test('are added, listed newest first, and deleted while no campaign names them', async () => {
    const made = await token.rest('POST', POSTAL, { name: 'Office', lines: 'Example Ltd\n1 Sample Street' });
    expect(made.status).toBe(201);
    const { id } = made.body.postal_address;
    expect((await token.rest('GET', POSTAL)).body.items[0]).toEqual(made.body.postal_address);
    const campaign = await house.admin.rest('POST', '/api/admin/outreach/campaigns', {
      name: 'Spring',
      postal_address_id: id,
    });
    expect(campaign.status, JSON.stringify(campaign.body)).toBe(201);
    const kept = await token.rest('DELETE', `${POSTAL}/${id}`);
    expect(kept).toMatchObject({ status: 409 });
    await house.sql`update campaigns set postal_address_id = null`;
    expect((await token.rest('DELETE', `${POSTAL}/${id}`)).status).toBe(200);
    expect((await token.rest('DELETE', `${POSTAL}/${id}`)).status).toBe(404);
  });
});
