// Sending domains through the doors: added with a key of their own, checked against a name server of the test's, paused,
// resumed and retired.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameServer, type NameServer } from '../../../test/support/dns.ts';
import {
  openTestHouse,
  type RestClient,
  type TestHouse,
  type TokenClient,
} from '../../../test/support/house.ts';
import { type Pause, pauseDomain } from './state.store.ts';

const PATH = '/api/admin/outreach/domains';
const HOUR_MS = 3_600_000;

let dns: NameServer;
let house: TestHouse;
let token: TokenClient;
let wired: TokenClient;

beforeAll(async () => {
  dns = await nameServer();
  house = await openTestHouse({ dnsServer: dns.address, lookup: dns.lookup });
  token = await house.token();
  wired = await house.token({ scopes: { wire: true } });
});
afterAll(async () => {
  await house.close();
  await dns[Symbol.asyncDispose]();
});

let count = 0;
const freshName = (): string => `case${++count}.example`;

async function act(path: string, body: unknown = {}, as: RestClient = house.admin): Promise<any> {
  const answer = await as.rest('POST', `${PATH}${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.domain;
}

const add = (name = freshName(), more: object = {}): Promise<any> => act('', { name, ...more });
const read = async (id: string): Promise<any> => (await house.admin.rest('GET', `${PATH}/${id}`)).body.domain;

/** Publishes what the product asks for. */
async function publish({ id, name }: { id: string; name: string }): Promise<void> {
  const { records } = (await house.admin.rest('GET', `${PATH}/${id}/records`)).body;
  const txt = (at: string): string[] =>
    records.filter((each: any) => each.type === 'TXT' && each.name === at).map((each: any) => each.value);
  dns.says(name, { txt: txt(name), mx: [[10, `mx.${name}`]] });
  for (const { name: at } of records) if (at !== name) dns.says(at, { txt: txt(at) });
}

async function active(name = freshName()): Promise<any> {
  const domain = await add(name);
  await publish(domain);
  const checked = await act(`/${domain.id}/check`);
  expect(checked.state).toBe('active');
  return checked;
}

const evidence = (at = house.clock.now()) => ({
  window_start: at.toISOString(),
  window_end: at.toISOString(),
  sent: 120,
  count: 8,
  rate: 0.066,
  threshold: 0.05,
  samples: [],
});

/** As the warden does it. */
function wardenPauses(id: string, pause: Partial<Pause> = {}, now = house.clock.now()): Promise<boolean> {
  const { ground } = house.instance.house;
  return ground.transact((tx) =>
    pauseDomain(
      tx,
      (event, data) => ground.emit(tx, event, data, now),
      id,
      { by: 'warden', reason: 'hard_bounces', evidence: evidence(), ...pause } as Pause,
      now,
    ),
  );
}

const eventsOf = async (id: string): Promise<any[]> =>
  (await house.sql<{ body: string }[]>`select body from event_deliveries where event = 'domain.paused'`)
    .map(({ body }) => JSON.parse(body))
    .filter(({ data }) => data.domain_id === id);

describe('a domain is added with a key of its own', () => {
  test('unverified, under one spelling, with a selector of this instance', async () => {
    const domain = await add('Spelling.EXAMPLE.');
    expect(domain).toMatchObject({
      name: 'spelling.example',
      state: 'unverified',
      dkim: { selector: expect.stringMatching(/^test-[0-9a-f]{8}$/), algorithm: 'rsa' },
      auth: { spf: null, dkim: null, dmarc: null, mx: null, ptr: null },
      daily_cap: 120,
      allowance_today: 120,
    });
    const other = await add('other-key.example', { dkim_algorithm: 'ed25519' });
    expect(other.dkim).toEqual({ selector: domain.dkim.selector, algorithm: 'ed25519' });
  });

  test('its private key is sealed at rest and shown to nobody', async () => {
    const domain = await add();
    const [row] = await house.sql`select dkim_private, dkim_public from domains where id = ${domain.id}`;
    expect(row?.['dkim_private']).toMatch(/^v1\./);
    const records = await house.admin.rest('GET', `${PATH}/${domain.id}/records`);
    expect(JSON.stringify(records.body)).toContain(`p=${row?.['dkim_public']}`);
    for (const shown of [domain, records.body]) {
      expect(JSON.stringify(shown)).not.toContain(row?.['dkim_private']);
      expect(JSON.stringify(shown)).not.toContain('PRIVATE KEY');
    }
  });

  test('the records to publish say what people told of how letters leave', async () => {
    const domain = await add(freshName(), {
      sending_hosts: ['mail.sender.example', '192.0.2.7'],
      spf_includes: ['_spf.vendor.example'],
      dmarc_rua: 'reports@sender.example',
      mx_host: 'mx.sender.example',
    });
    const { records } = (await house.admin.rest('GET', `${PATH}/${domain.id}/records`)).body;
    expect(records.map(({ type, name, value }: any) => [type, name, value.slice(0, 60)])).toEqual([
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
    const answer = await house.admin.rest('POST', PATH, body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)).toContain(field);
  });
});

describe('a check', () => {
  test('makes an unverified domain active once SPF, DKIM and DMARC pass', async () => {
    const domain = await add();
    dns.says(domain.name, { txt: [] });
    expect(await act(`/${domain.id}/check`)).toMatchObject({
      state: 'unverified',
      auth: { spf: { outcome: 'failing', why: 'missing' }, ptr: { outcome: 'unknown' } },
    });
    await publish(domain);
    const checked = await act(`/${domain.id}/check`, {}, token);
    expect(checked).toMatchObject({
      state: 'active',
      verified_at: expect.any(String),
      auth_failing_since: null,
    });
    for (const name of ['spf', 'dkim', 'dmarc', 'mx'])
      expect(checked.auth[name].outcome, name).toBe('passing');
  });

  test('A20: a check never lifts a pause, however well it ends', async () => {
    const domain = await active();
    await wardenPauses(domain.id);
    expect(await act(`/${domain.id}/check`)).toMatchObject({ state: 'paused', paused_by: 'warden' });
    house.clock.advance(25 * HOUR_MS);
    await house.instance.jobs.run('domain_checks');
    expect(await read(domain.id)).toMatchObject({ state: 'paused', paused_by: 'warden' });
  });

  test('two definite failures an hour apart count, and what is unknown never does', async () => {
    const domain = await active();
    dns.says(domain.name, 'broken');
    house.clock.advance(2 * HOUR_MS);
    expect(await act(`/${domain.id}/check`)).toMatchObject({
      auth: { spf: { outcome: 'unknown' } },
      auth_failing_since: null,
    });
    dns.says(domain.name, { txt: ['nothing of ours'] });
    const first = await act(`/${domain.id}/check`);
    expect(first).toMatchObject({ auth_failing_since: expect.any(String), unauthenticated_since: null });
    house.clock.advance(HOUR_MS / 2);
    expect((await act(`/${domain.id}/check`)).unauthenticated_since).toBeNull();
    // Long after the first, but nobody knows: it stays one failure.
    dns.says(domain.name, 'broken');
    house.clock.advance(3 * HOUR_MS);
    expect((await act(`/${domain.id}/check`)).unauthenticated_since).toBeNull();
    dns.says(domain.name, { txt: ['nothing of ours'] });
    const second = await act(`/${domain.id}/check`);
    expect(second).toMatchObject({
      state: 'active',
      auth_failing_since: first.auth_failing_since,
      unauthenticated_since: expect.any(String),
    });
    expect(second.revision).toBeGreaterThan(first.revision);
    await publish(domain);
    expect(await act(`/${domain.id}/check`)).toMatchObject({
      auth_failing_since: null,
      unauthenticated_since: null,
    });
  });

  test('the pass checks each domain daily, and sooner where something is open', async () => {
    const domain = await active();
    await house.instance.jobs.run('domain_checks');
    const before = await read(domain.id);
    house.clock.advance(23 * HOUR_MS);
    await house.instance.jobs.run('domain_checks');
    expect((await read(domain.id)).checked_at).toBe(before.checked_at);
    dns.says(domain.name, { txt: [] });
    house.clock.advance(2 * HOUR_MS);
    await house.instance.jobs.run('domain_checks');
    const failed = await read(domain.id);
    expect(failed.auth_failing_since).toBe(failed.checked_at);
    house.clock.advance(1.1 * HOUR_MS);
    await house.instance.jobs.run('domain_checks');
    expect((await read(domain.id)).unauthenticated_since).not.toBeNull();
  });

  test('a retired domain is checked no more', async () => {
    const domain = await add();
    await act(`/${domain.id}/retire`);
    expect((await house.admin.rest('POST', `${PATH}/${domain.id}/check`, {})).status).toBe(409);
    house.clock.advance(48 * HOUR_MS);
    await house.instance.jobs.run('domain_checks');
    expect((await read(domain.id)).checked_at).toBeNull();
  });
});

describe('a pause', () => {
  test("by a person is free and tells nobody; the warden's tells the world, with its evidence kept", async () => {
    const domain = await active();
    expect(await act(`/${domain.id}/pause`, { reason: 'moving hosts' }, token)).toMatchObject({
      state: 'paused',
      paused_by: 'person',
      paused_reason: 'moving hosts',
      evidence: null,
    });
    expect(await eventsOf(domain.id)).toEqual([]);
    expect(await wardenPauses(domain.id)).toBe(true);
    expect((await eventsOf(domain.id)).map(({ data }) => data)).toEqual([
      { domain_id: domain.id, domain: domain.name, reason: 'hard_bounces' },
    ]);
    // Neither a second time, nor undone by a person's.
    expect(await wardenPauses(domain.id, { reason: 'complaints' })).toBe(false);
    expect(await act(`/${domain.id}/pause`)).toMatchObject({
      paused_by: 'warden',
      paused_reason: 'hard_bounces',
    });
    expect(await eventsOf(domain.id)).toHaveLength(1);
    const { body } = await house.admin.rest('GET', `${PATH}/${domain.id}/evidence`);
    expect(body.evidence).toMatchObject({ count: 8, sent: 120, threshold: 0.05 });
    expect(body.items.map(({ paused_by, reason }: any) => [paused_by, reason])).toEqual([
      ['warden', 'hard_bounces'],
      ['person', 'moving hosts'],
    ]);
  });

  test('is lifted by wire act 7 alone, which keeps the history and halves the ramps', async () => {
    const domain = await active();
    const { body } = await house.admin.rest('POST', '/api/admin/outreach/identities', {
      name: 'Ann',
      address: `ann@${domain.name}`,
      transport: { kind: 'sandbox' },
      ramp: { start: 4, step: 4, ceiling: 40 },
    });
    await house.sql`update identities set ramp_day = 9 where id = ${body.identity.id}`;
    await wardenPauses(domain.id);
    const refused = await token.rest('POST', `${PATH}/${domain.id}/resume`, {});
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'wire_required' } } });
    const resumed = await act(`/${domain.id}/resume`, {}, wired);
    expect(resumed).toMatchObject({ state: 'active', paused_by: null, evidence: null });
    expect(resumed.rates.window.start).toBe(resumed.resumed_at);
    const history = (await house.admin.rest('GET', `${PATH}/${domain.id}/evidence`)).body;
    expect(history.items[0]).toMatchObject({
      reason: 'hard_bounces',
      evidence: { count: 8 },
      resumed_by: { name: house.admin.name, kind: 'person' },
      resumed_at: resumed.resumed_at,
    });
    const { ramp } = (await house.admin.rest('GET', `/api/admin/outreach/identities/${body.identity.id}`))
      .body.identity;
    // It was allowed 40 a day, and is allowed 20.
    expect(ramp).toEqual({ start: 4, step: 4, day: 4, ceiling: 40 });
    expect((await house.admin.rest('POST', `${PATH}/${domain.id}/resume`, {})).status).toBe(409);
  });

  test('of a domain that never passed its checks leaves it unverified when it is lifted', async () => {
    const domain = await add();
    await act(`/${domain.id}/pause`);
    expect(await act(`/${domain.id}/resume`)).toMatchObject({ state: 'unverified' });
  });

  test('judged before a resume and written after it pauses nothing', async () => {
    const domain = await active();
    const judged = evidence();
    await act(`/${domain.id}/pause`);
    await act(`/${domain.id}/resume`);
    expect(await wardenPauses(domain.id, { evidence: judged } as Partial<Pause>)).toBe(false);
    expect(await read(domain.id)).toMatchObject({ state: 'active' });
  });

  test('and a resume at the same moment come one after the other, and say so everywhere alike', async () => {
    for (let round = 0; round < 8; round++) {
      const domain = await active();
      await act(`/${domain.id}/pause`);
      const [paused] = await Promise.all([
        wardenPauses(domain.id),
        house.admin.rest('POST', `${PATH}/${domain.id}/resume`, {}),
      ]);
      const { state, paused_by } = await read(domain.id);
      const { items } = (await house.admin.rest('GET', `${PATH}/${domain.id}/evidence`)).body;
      const open = items.filter(({ resumed_at }: any) => resumed_at === null);
      expect(state === 'paused').toBe(open.length > 0);
      expect(paused_by).toBe(open.length > 0 ? 'warden' : null);
      expect(await eventsOf(domain.id)).toHaveLength(paused ? 1 : 0);
    }
  });
});

describe('side door 18 and A22: a pause is not lifted by another name', () => {
  test('adding the domain again, in whatever spelling, finds it as it is', async () => {
    const domain = await active();
    await wardenPauses(domain.id);
    for (const spelling of [domain.name, domain.name.toUpperCase(), `${domain.name}.`, ` ${domain.name} `]) {
      const again = await wired.rest('POST', PATH, { name: spelling });
      expect(again.status, spelling).toBe(409);
      expect(again.body.error.message).toContain('paused');
    }
    expect(await read(domain.id)).toMatchObject({ state: 'paused' });
  });

  test('retiring is final: it is not deleted, resumed, or added again', async () => {
    const domain = await active();
    await wardenPauses(domain.id);
    expect(await act(`/${domain.id}/retire`, {}, token)).toMatchObject({
      state: 'retired',
      paused_by: 'warden',
    });
    for (const [method, path, body] of [
      ['POST', `${PATH}/${domain.id}/resume`, {}],
      ['POST', `${PATH}/${domain.id}/pause`, {}],
      ['POST', PATH, { name: domain.name }],
      ['PATCH', `${PATH}/${domain.id}`, { revision: domain.revision + 2, daily_cap: 5 }],
    ] as const)
      expect((await wired.rest(method, path, body)).status, path).toBe(409);
    expect((await wired.rest('DELETE', `${PATH}/${domain.id}`)).status).toBe(405);
    expect(await read(domain.id)).toMatchObject({ state: 'retired' });
  });

  test.each(['paused', 'retired'])('a name below, above or beside a %s one is born paused', async (how) => {
    const domain = await active(`mail.${freshName()}`);
    await wardenPauses(domain.id);
    if (how === 'retired') await act(`/${domain.id}/retire`);
    const parent = domain.name.replace('mail.', '');
    for (const name of [`deep.${domain.name}`, parent, `Other.${parent}`]) {
      const born = await act('', { name }, token);
      expect(born).toMatchObject({ state: 'paused', paused_by: 'warden', paused_reason: 'hard_bounces' });
      await publish(born);
      expect(await act(`/${born.id}/check`)).toMatchObject({ state: 'paused' });
      expect((await token.rest('POST', `${PATH}/${born.id}/resume`, {})).status).toBe(403);
      expect(await act(`/${born.id}/resume`, {}, wired)).toMatchObject({ state: 'active' });
    }
  });

  test('A15 and A18: no field of a change moves the state', async () => {
    const domain = await active();
    await wardenPauses(domain.id);
    for (const smuggled of [
      { state: 'active' },
      { paused_by: null },
      { resumed_at: new Date().toISOString() },
      { evidence: null },
    ]) {
      const answer = await wired.rest('PATCH', `${PATH}/${domain.id}`, {
        revision: 3,
        daily_cap: 300,
        ...smuggled,
      });
      expect(answer.status).toBe(400);
    }
    expect(await read(domain.id)).toMatchObject({ state: 'paused', daily_cap: 120 });
  });
});

test('side door 19: a cap goes up without wire, is audited, and resumes nothing', async () => {
  const domain = await active();
  await wardenPauses(domain.id);
  const { revision } = await read(domain.id);
  const raised = await token.rest('PATCH', `${PATH}/${domain.id}`, { revision, daily_cap: 100_000 });
  expect(raised.body.domain).toMatchObject({ state: 'paused', daily_cap: 100_000, revision: revision + 1 });
  const audit = await house.admin.rest('GET', '/api/admin/audit?act=domain_update&outcome=done&limit=1');
  expect(audit.body.items[0]).toMatchObject({
    resource: `outreach:domain/${domain.id}`,
    token: { id: token.id },
  });
  const stale = await token.rest('PATCH', `${PATH}/${domain.id}`, { revision, daily_cap: 1 });
  expect(stale).toMatchObject({
    status: 409,
    body: {
      error: {
        message: `${domain.name} changed since you read it: the current revision is ${revision + 1}. Re-read it and retry against that.`,
      },
    },
  });
});

test('A14: the provisioning key resumes no domain', async () => {
  const answer = await house.bearer(house.key).rest('POST', `${PATH}/${(await add()).id}/resume`, {});
  expect([401, 403]).toContain(answer.status);
});

test('lists are paged by key, and may be narrowed to a state', async () => {
  const first = (await house.admin.rest('GET', `${PATH}?limit=2`)).body;
  const next = (await house.admin.rest('GET', `${PATH}?limit=2&cursor=${first.next_cursor}`)).body;
  const ids = [...first.items, ...next.items].map(({ id }: any) => id);
  expect(new Set(ids).size).toBe(4);
  expect(ids).toEqual([...ids].sort().reverse());
  const retired = (await house.admin.rest('GET', `${PATH}?state=retired`)).body.items;
  expect(new Set(retired.map(({ state }: any) => state))).toEqual(new Set(['retired']));
});
