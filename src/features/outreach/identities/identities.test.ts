// Sending identities through the entry points: born inactive, activated by wire act 9 alone, and deleted; postal addresses.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprint } from '../../../../test/support/fingerprint.ts';
import {
  DOMAINS,
  IDENTITIES,
  MAIL_HOST,
  openSenders,
  type Senders,
} from '../../../../test/support/senders.ts';
import { openTestApp } from '../../../../test/support/app.ts';

let t: Senders;
beforeAll(async () => {
  t = await openSenders();
  t.dns.says('elsewhere.mail-host.example', { addresses: ['127.0.0.1'] });
  t.dns.says('closed.mail-host.example', { addresses: ['10.0.0.1'] });
});
afterAll(() => t.close());

describe('an identity is created', () => {
  test('inactive, with the defaults of a careful sender and its secret kept', async () => {
    const identity = await t.anIdentity();
    expect(identity).toMatchObject({
      active: false,
      state_reason: 'created',
      daily_cap: 40,
      hourly_cap: 8,
      min_gap_s: 300,
      jitter_s: 180,
      ramp: { start: 5, step: 3, day: 0, ceiling: 40 },
      transport: { kind: 'smtp', host: MAIL_HOST, user: 'ann', has_secret: true },
      inbound: { kind: 'none' },
      sent_today: 0,
      allowance_today: 5,
      timezone: 'UTC',
    });
  });

  test('A17 and side door 17: created active is refused, whoever asks', async () => {
    const { name } = await t.active();
    const before = await fingerprint(t.app);
    for (const who of [t.app.admin, t.wired]) {
      const wish = { name: 'Ann', address: `ann@${name}`, transport: { kind: 'sandbox' }, active: true };
      const answer = await who.rest('POST', IDENTITIES, wish);
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { details: { fields: { active: expect.any(String) } } } },
      });
    }
    expect(await fingerprint(t.app)).toBe(before);
  });

  test('A14: not by the first-boot provisioning key, nor by a token without wire', async () => {
    const wish = { name: 'Ann', address: 'ann@who.example', transport: { kind: 'sandbox' } };
    expect((await t.token.rest('POST', IDENTITIES, wish)).body.error.code).toBe('wire_required');
    const bare = await openTestApp();
    const answer = await bare.bearer(bare.key).rest('POST', IDENTITIES, wish);
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
      () => ({ transport: t.smtp({ security: 'plain' }) }),
      'transport.security',
    ],
    ['a port that is none', () => ({ transport: t.smtp({ port: 70_000 }) }), 'transport.port'],
    [
      'a server at a private address',
      () => ({ transport: t.smtp({ host: 'closed.mail-host.example' }) }),
      'transport.host',
    ],
    ['a day of the ramp that was never earned', () => ({ ramp: { day: 30 } }), 'ramp.day'],
  ])('%s is refused by name', async (_, wish, field) => {
    const { name } = await t.active();
    const base = { name: 'Ann', address: `ann@${name}`, transport: t.smtp() };
    const answer = await t.app.admin.rest('POST', IDENTITIES, { ...base, ...wish(name) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)).toContain(field);
  });

  test('an address belongs to one identity, in every spelling, also of two at once', async () => {
    const domain = await t.active();
    const wish = (address: string) => ({ name: 'Ann', address, transport: { kind: 'sandbox' } });
    const both = await Promise.all(
      [`ann@${domain.name}`, `ANN@${domain.name.toUpperCase()}`].map((address) =>
        t.app.admin.rest('POST', IDENTITIES, wish(address)),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('setting active', () => {
  test('needs wire on both its routes, and is not done by a refused one', async () => {
    const { id, revision } = await t.anIdentity();
    const before = await fingerprint(t.app);
    for (const [method, path, body] of [
      ['POST', `${IDENTITIES}/${id}/activate`, {}],
      ['PATCH', `${IDENTITIES}/${id}`, { revision, active: true }],
      // A15: the whole record written back, with one field more.
      ['PATCH', `${IDENTITIES}/${id}`, { revision, name: 'Ann', daily_cap: 10, active: true }],
    ] as const) {
      const answer = await t.token.rest(method, path, body);
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'wire_required' } } });
    }
    expect(await fingerprint(t.app)).toBe(before);
    expect(
      (await t.wired.rest('PATCH', `${IDENTITIES}/${id}`, { revision, active: true })).body.identity,
    ).toMatchObject({
      active: true,
      state_reason: null,
    });
  });

  test('A19: deactivated by anyone, and not set active again without wire', async () => {
    const { id } = await t.anActive();
    expect(await t.onIdentity(id, 'deactivate', t.token)).toMatchObject({
      active: false,
      state_reason: 'person',
    });
    expect((await t.token.rest('POST', `${IDENTITIES}/${id}/activate`, {})).status).toBe(403);
    expect((await t.patch(id, { active: true }, t.token)).status).toBe(403);
    expect((await t.readIdentity(id)).active).toBe(false);
    expect(await t.onIdentity(id, 'activate', t.wired)).toMatchObject({ active: true });
    expect((await t.patch(id, { active: false }, t.token)).body.identity).toMatchObject({ active: false });
  });

  test('needs a domain that is active, unless nothing leaves', async () => {
    const name = `late-${t.freshName()}`;
    await t.app.admin.rest('POST', DOMAINS, { name, dkim_algorithm: 'ed25519' });
    const real = await t.anIdentity({}, { name });
    const refused = await t.app.admin.rest('POST', `${IDENTITIES}/${real.id}/activate`, {});
    expect(refused.status).toBe(409);
    expect(refused.body.error.message).toContain('hasn’t passed its checks');
    const sandbox = await t.anIdentity({ address: `box@${name}`, transport: { kind: 'sandbox' } }, { name });
    expect(await t.onIdentity(sandbox.id, 'activate')).toMatchObject({ active: true });
  });

  test('needs its password', async () => {
    const { id } = await t.anIdentity({ transport: t.smtp({ secret: undefined }) });
    expect((await t.app.admin.rest('POST', `${IDENTITIES}/${id}/activate`, {})).body.error.message).toContain(
      'password',
    );
  });

  test('ends with its domain', async () => {
    const domain = await t.active();
    const { id } = await t.anIdentity({}, domain);
    await t.onIdentity(id, 'activate');
    await t.app.admin.rest('POST', `${DOMAINS}/${domain.id}/retire`, {});
    expect(await t.readIdentity(id)).toMatchObject({ active: false, state_reason: 'domain_retired' });
    expect((await t.wired.rest('POST', `${IDENTITIES}/${id}/activate`, {})).status).toBe(409);
  });
});

test('deleting takes the secrets and the name, frees the address, and leaves the row to its letters', async () => {
  const { id, address } = await t.anActive();
  const gone = (await t.token.rest('DELETE', `${IDENTITIES}/${id}`)).body.identity;
  expect(gone).toMatchObject({ active: false, state_reason: 'deleted', gone_at: expect.any(String) });
  for (const [method, path, body] of [
    ['POST', `${IDENTITIES}/${id}/activate`, {}],
    ['POST', `${IDENTITIES}/${id}/test`, {}],
    ['PATCH', `${IDENTITIES}/${id}`, { revision: gone.revision, name: 'Eve' }],
  ] as const)
    expect((await t.wired.rest(method, path, body)).status).toBe(409);
  const { items } = (await t.app.admin.rest('GET', `${IDENTITIES}?domain=${gone.domain_id}`)).body;
  expect(items).toEqual([]);
  expect((await t.anIdentity({}, { name: address.split('@')[1]! })).address).toBe(address);
});

describe('postal addresses', () => {
  const POSTAL = '/api/admin/outreach/postal-addresses';

  test('are added, listed newest first, and deleted while no campaign names them', async () => {
    const made = await t.token.rest('POST', POSTAL, {
      name: 'Office',
      lines: 'Example Ltd\n1 Sample Street',
    });
    expect(made.status).toBe(201);
    const { id } = made.body.postal_address;
    expect((await t.token.rest('GET', POSTAL)).body.items[0]).toEqual(made.body.postal_address);
    const campaign = await t.app.admin.rest('POST', '/api/admin/outreach/campaigns', {
      name: 'Spring',
      postal_address_id: id,
    });
    expect(campaign.status, JSON.stringify(campaign.body)).toBe(201);
    const kept = await t.token.rest('DELETE', `${POSTAL}/${id}`);
    expect(kept).toMatchObject({ status: 409 });
    await t.app.sql`update campaigns set postal_address_id = null`;
    expect((await t.token.rest('DELETE', `${POSTAL}/${id}`)).status).toBe(200);
    expect((await t.token.rest('DELETE', `${POSTAL}/${id}`)).status).toBe(404);
  });
});
