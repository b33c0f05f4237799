// Sending domains through the entry points: added with a key of their own, listed, and checked against a name server of the test's.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOMAINS, HOUR_MS, openSenders, type Senders } from '../../../../test/support/senders.ts';

let t: Senders;
beforeAll(async () => {
  t = await openSenders();
});
afterAll(() => t.close());

describe('a domain is added with a key of its own', () => {
  test('unverified, under one spelling, with a selector of this instance', async () => {
    const domain = await t.add('Spelling.EXAMPLE.', { dkim_algorithm: undefined });
    expect(domain).toMatchObject({
      name: 'spelling.example',
      state: 'unverified',
      dkim: { selector: expect.stringMatching(/^test-[0-9a-f]{8}$/), algorithm: 'rsa' },
      auth: { spf: null, dkim: null, dmarc: null, mx: null, ptr: null },
      daily_cap: 120,
      allowance_today: 120,
    });
    const other = await t.add('other-key.example', { dkim_algorithm: 'ed25519' });
    expect(other.dkim).toEqual({ selector: domain.dkim.selector, algorithm: 'ed25519' });
  });

  test('its private key is sealed at rest and shown to no one', async () => {
    const domain = await t.add();
    const [row] = await t.app.sql`select dkim_private, dkim_public from domains where id = ${domain.id}`;
    expect(row?.['dkim_private']).toMatch(/^v1\./);
    const records = await t.app.admin.rest('GET', `${DOMAINS}/${domain.id}/records`);
    expect(JSON.stringify(records.body)).toContain(`p=${row?.['dkim_public']}`);
    for (const shown of [domain, records.body]) {
      expect(JSON.stringify(shown)).not.toContain(row?.['dkim_private']);
      expect(JSON.stringify(shown)).not.toContain('PRIVATE KEY');
    }
  });

  test('the records to publish say what people told of how letters leave', async () => {
    const domain = await t.add(t.freshName(), {
      dkim_algorithm: 'rsa',
      sending_hosts: ['mail.sender.example', '192.0.2.7'],
      spf_includes: ['_spf.vendor.example'],
      dmarc_rua: 'reports@sender.example',
      mx_host: 'mx.sender.example',
    });
    const { records } = (await t.app.admin.rest('GET', `${DOMAINS}/${domain.id}/records`)).body;
    expect(
      records.map(({ type, name, value }: Record<'type' | 'name' | 'value', string>) => [
        type,
        name,
        value.slice(0, 60),
      ]),
    ).toEqual([
      ['TXT', domain.name, 'v=spf1 include:_spf.vendor.example a:mail.sender.example ip4'],
      [
        'TXT',
        `${domain.dkim.selector}._domainkey.${domain.name}`,
        expect.stringMatching(/^v=DKIM1; k=rsa; p=/),
      ],
      ['TXT', `_dmarc.${domain.name}`, 'v=DMARC1; p=none; rua=mailto:reports@sender.example'],
      ['MX', domain.name, '10 mx.sender.example'],
    ]);
  });

  test.each([
    ['a public suffix', { name: 'co.uk' }, 'name'],
    ['one label', { name: 'localhost' }, 'name'],
    ['an address', { name: '192.0.2.1' }, 'name'],
    ['a NUL', { name: 'a\0b.example' }, 'name'],
    ['a state', { name: 'born.example', state: 'active' }, 'state'],
    ['a cap below nothing', { name: 'born.example', daily_cap: -1 }, 'daily_cap'],
    ['a host that is none', { name: 'born.example', sending_hosts: ['a b'] }, 'sending_hosts.0'],
  ])('%s is refused by name', async (_, body, field) => {
    const answer = await t.app.admin.rest('POST', DOMAINS, body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)).toContain(field);
  });
});

describe('a check', () => {
  test('makes an unverified domain active once SPF, DKIM and DMARC pass', async () => {
    const domain = await t.add();
    t.dns.says(domain.name, { txt: [] });
    expect(await t.onDomain(domain.id, 'check')).toMatchObject({
      state: 'unverified',
      auth: { spf: { outcome: 'failing', why: 'missing' }, ptr: { outcome: 'unknown' } },
    });
    await t.publish(domain);
    const checked = await t.onDomain(domain.id, 'check', {}, t.token);
    expect(checked).toMatchObject({
      state: 'active',
      verified_at: expect.any(String),
      auth_failing_since: null,
    });
    for (const name of ['spf', 'dkim', 'dmarc', 'mx'])
      expect(checked.auth[name]!.outcome, name).toBe('passing');
  });

  test('A20: a check never lifts a pause, however well it ends', async () => {
    const domain = await t.active();
    await t.wardenPauses(domain.id);
    expect(await t.onDomain(domain.id, 'check')).toMatchObject({ state: 'paused', paused_by: 'warden' });
    t.app.clock.advance(25 * HOUR_MS);
    await t.app.instance.jobs.run('domain_checks');
    expect(await t.readDomain(domain.id)).toMatchObject({ state: 'paused', paused_by: 'warden' });
  });

  test('two definite failures an hour apart count, and what is unknown never does', async () => {
    const domain = await t.active();
    t.dns.says(domain.name, 'broken');
    t.app.clock.advance(2 * HOUR_MS);
    expect(await t.onDomain(domain.id, 'check')).toMatchObject({
      auth: { spf: { outcome: 'unknown' } },
      auth_failing_since: null,
    });
    t.dns.says(domain.name, { txt: ['nothing of ours'] });
    const first = await t.onDomain(domain.id, 'check');
    expect(first).toMatchObject({ auth_failing_since: expect.any(String), unauthenticated_since: null });
    t.app.clock.advance(HOUR_MS / 2);
    expect((await t.onDomain(domain.id, 'check')).unauthenticated_since).toBeNull();
    // Long after the first, but no one knows: it stays one failure.
    t.dns.says(domain.name, 'broken');
    t.app.clock.advance(3 * HOUR_MS);
    expect((await t.onDomain(domain.id, 'check')).unauthenticated_since).toBeNull();
    t.dns.says(domain.name, { txt: ['nothing of ours'] });
    const second = await t.onDomain(domain.id, 'check');
    expect(second).toMatchObject({
      state: 'active',
      auth_failing_since: first.auth_failing_since,
      unauthenticated_since: expect.any(String),
    });
    expect(second.revision).toBeGreaterThan(first.revision);
    await t.publish(domain);
    expect(await t.onDomain(domain.id, 'check')).toMatchObject({
      auth_failing_since: null,
      unauthenticated_since: null,
    });
  });

  test('the pass checks each domain daily, and sooner where something is open', async () => {
    const domain = await t.active();
    await t.app.instance.jobs.run('domain_checks');
    const before = await t.readDomain(domain.id);
    t.app.clock.advance(23 * HOUR_MS);
    await t.app.instance.jobs.run('domain_checks');
    expect((await t.readDomain(domain.id)).checked_at).toBe(before.checked_at);
    t.dns.says(domain.name, { txt: [] });
    t.app.clock.advance(2 * HOUR_MS);
    await t.app.instance.jobs.run('domain_checks');
    const failed = await t.readDomain(domain.id);
    expect(failed.auth_failing_since).toBe(failed.checked_at);
    t.app.clock.advance(1.1 * HOUR_MS);
    await t.app.instance.jobs.run('domain_checks');
    expect((await t.readDomain(domain.id)).unauthenticated_since).not.toBeNull();
  });

  test('a retired domain is checked no more', async () => {
    const domain = await t.add();
    await t.onDomain(domain.id, 'retire');
    expect((await t.app.admin.rest('POST', `${DOMAINS}/${domain.id}/check`, {})).status).toBe(409);
    t.app.clock.advance(48 * HOUR_MS);
    await t.app.instance.jobs.run('domain_checks');
    expect((await t.readDomain(domain.id)).checked_at).toBeNull();
  });
});

test('lists are paged by key, and may be narrowed to a state', async () => {
  const first = (await t.app.admin.rest('GET', `${DOMAINS}?limit=2`)).body;
  const next = (await t.app.admin.rest('GET', `${DOMAINS}?limit=2&cursor=${first.next_cursor}`)).body;
  const ids = [...first.items, ...next.items].map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(ids).toEqual([...ids].sort().reverse());
  const retired = (await t.app.admin.rest('GET', `${DOMAINS}?state=retired`)).body.items;
  expect(new Set(retired.map(({ state }: { state: string }) => state))).toEqual(new Set(['retired']));
});
