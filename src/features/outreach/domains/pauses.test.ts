// A domain is paused, resumed and retired through the entry points, and no other way around lifts a pause.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOMAINS, IDENTITIES, openSenders, type Senders } from '../../../../test/support/senders.ts';

let t: Senders;
beforeAll(async () => {
  t = await openSenders();
});
afterAll(() => t.close());

type Told = { data: { domain_id: string; domain: string; reason: string } };

const eventsOf = async (id: string): Promise<Told[]> =>
  (await t.app.sql<{ body: string }[]>`select body from event_deliveries where event = 'domain.paused'`)
    .map(({ body }) => JSON.parse(body) as Told)
    .filter(({ data }) => data.domain_id === id);

describe('a pause', () => {
  test("by a person is free and tells no one; the warden's tells the world, with its evidence kept", async () => {
    const domain = await t.active();
    expect(await t.onDomain(domain.id, 'pause', { reason: 'moving hosts' }, t.token)).toMatchObject({
      state: 'paused',
      paused_by: 'person',
      paused_reason: 'moving hosts',
      evidence: null,
    });
    expect(await eventsOf(domain.id)).toEqual([]);
    expect(await t.wardenPauses(domain.id)).toBe(true);
    expect((await eventsOf(domain.id)).map(({ data }) => data)).toEqual([
      { domain_id: domain.id, domain: domain.name, reason: 'hard_bounces' },
    ]);
    // Neither a second time, nor undone by a person's.
    expect(await t.wardenPauses(domain.id, { reason: 'complaints' })).toBe(false);
    expect(await t.onDomain(domain.id, 'pause')).toMatchObject({
      paused_by: 'warden',
      paused_reason: 'hard_bounces',
    });
    expect(await eventsOf(domain.id)).toHaveLength(1);
    const { body } = await t.app.admin.rest('GET', `${DOMAINS}/${domain.id}/evidence`);
    expect(body.evidence).toMatchObject({ count: 8, sent: 120, threshold: 0.05 });
    expect(
      body.items.map(({ paused_by, reason }: { paused_by: string; reason: string }) => [paused_by, reason]),
    ).toEqual([
      ['warden', 'hard_bounces'],
      ['person', 'moving hosts'],
    ]);
  });

  test('is lifted by wire act 7 alone, which keeps the history and halves the ramps', async () => {
    const domain = await t.active();
    const { body } = await t.app.admin.rest('POST', IDENTITIES, {
      name: 'Ann',
      address: `ann@${domain.name}`,
      transport: { kind: 'sandbox' },
      ramp: { start: 4, step: 4, ceiling: 40 },
    });
    await t.app.sql`update identities set ramp_day = 9 where id = ${body.identity.id}`;
    await t.wardenPauses(domain.id);
    const refused = await t.token.rest('POST', `${DOMAINS}/${domain.id}/resume`, {});
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'wire_required' } } });
    const resumed = await t.onDomain(domain.id, 'resume', {}, t.wired);
    expect(resumed).toMatchObject({ state: 'active', paused_by: null, evidence: null, checked_at: null });
    expect(resumed.rates.window.start).toBe(resumed.resumed_at);
    const history = (await t.app.admin.rest('GET', `${DOMAINS}/${domain.id}/evidence`)).body;
    expect(history.items[0]).toMatchObject({
      reason: 'hard_bounces',
      evidence: { count: 8 },
      resumed_by: { name: t.app.admin.name, kind: 'person' },
      resumed_at: resumed.resumed_at,
    });
    const { ramp } = (await t.app.admin.rest('GET', `${IDENTITIES}/${body.identity.id}`)).body.identity;
    // It was allowed 40 a day, and is allowed 20.
    expect(ramp).toEqual({ start: 4, step: 4, day: 4, ceiling: 40 });
    expect((await t.app.admin.rest('POST', `${DOMAINS}/${domain.id}/resume`, {})).status).toBe(409);
  });

  test('of a domain that never passed its checks leaves it unverified when it is lifted', async () => {
    const domain = await t.add();
    await t.onDomain(domain.id, 'pause');
    expect(await t.onDomain(domain.id, 'resume')).toMatchObject({ state: 'unverified' });
  });

  test('judged before a resume and written after it pauses nothing', async () => {
    const domain = await t.active();
    const judged = t.evidence();
    await t.onDomain(domain.id, 'pause');
    await t.onDomain(domain.id, 'resume');
    expect(await t.wardenPauses(domain.id, { evidence: judged })).toBe(false);
    expect(await t.readDomain(domain.id)).toMatchObject({ state: 'active' });
  });

  test('and a resume at the same moment come one after the other, and say so everywhere alike', async () => {
    for (let round = 0; round < 8; round++) {
      const domain = await t.active();
      await t.onDomain(domain.id, 'pause');
      const [paused] = await Promise.all([
        t.wardenPauses(domain.id),
        t.wired.rest('POST', `${DOMAINS}/${domain.id}/resume`, {}),
      ]);
      const { state, paused_by } = await t.readDomain(domain.id);
      const { items } = (await t.app.admin.rest('GET', `${DOMAINS}/${domain.id}/evidence`)).body;
      const open = items.filter(({ resumed_at }: { resumed_at: string | null }) => resumed_at === null);
      expect(state === 'paused').toBe(open.length > 0);
      expect(paused_by).toBe(open.length > 0 ? 'warden' : null);
      expect(await eventsOf(domain.id)).toHaveLength(paused ? 1 : 0);
    }
  });
});

describe('side door 18 and A22: a pause is not lifted by another name', () => {
  test('adding the domain again, in whatever spelling, finds it as it is', async () => {
    const domain = await t.active();
    await t.wardenPauses(domain.id);
    for (const spelling of [domain.name, domain.name.toUpperCase(), `${domain.name}.`, ` ${domain.name} `]) {
      const again = await t.wired.rest('POST', DOMAINS, { name: spelling });
      expect(again.status, spelling).toBe(409);
      expect(again.body.error.message).toContain('paused');
    }
    expect(await t.readDomain(domain.id)).toMatchObject({ state: 'paused' });
  });

  test('retiring is final: it is not deleted, resumed, or added again', async () => {
    const domain = await t.active();
    await t.wardenPauses(domain.id);
    expect(await t.onDomain(domain.id, 'retire', {}, t.token)).toMatchObject({
      state: 'retired',
      paused_by: 'warden',
    });
    for (const [method, path, body] of [
      ['POST', `${DOMAINS}/${domain.id}/resume`, {}],
      ['POST', `${DOMAINS}/${domain.id}/pause`, {}],
      ['POST', DOMAINS, { name: domain.name }],
      ['PATCH', `${DOMAINS}/${domain.id}`, { revision: domain.revision + 2, daily_cap: 5 }],
    ] as const)
      expect((await t.wired.rest(method, path, body)).status, path).toBe(409);
    expect((await t.wired.rest('DELETE', `${DOMAINS}/${domain.id}`)).status).toBe(405);
    expect(await t.readDomain(domain.id)).toMatchObject({ state: 'retired' });
  });

  test.each(['paused', 'retired'])('a name below, above or beside a %s one is born paused', async (how) => {
    const domain = await t.active(`mail.${t.freshName()}`);
    await t.wardenPauses(domain.id);
    if (how === 'retired') await t.onDomain(domain.id, 'retire');
    const parent = domain.name.replace('mail.', '');
    for (const name of [`deep.${domain.name}`, parent, `Other.${parent}`]) {
      const born = (await t.token.rest('POST', DOMAINS, { name })).body.domain;
      expect(born).toMatchObject({ state: 'paused', paused_by: 'warden', paused_reason: 'hard_bounces' });
      await t.publish(born);
      expect(await t.onDomain(born.id, 'check')).toMatchObject({ state: 'paused' });
      expect((await t.token.rest('POST', `${DOMAINS}/${born.id}/resume`, {})).status).toBe(403);
      expect(await t.onDomain(born.id, 'resume', {}, t.wired)).toMatchObject({ state: 'active' });
    }
  });

  test('A15 and A18: no field of a change moves the state', async () => {
    const domain = await t.active();
    await t.wardenPauses(domain.id);
    for (const smuggled of [
      { state: 'active' },
      { paused_by: null },
      { resumed_at: new Date().toISOString() },
      { evidence: null },
    ]) {
      const answer = await t.wired.rest('PATCH', `${DOMAINS}/${domain.id}`, {
        revision: 3,
        daily_cap: 300,
        ...smuggled,
      });
      expect(answer.status).toBe(400);
    }
    expect(await t.readDomain(domain.id)).toMatchObject({ state: 'paused', daily_cap: 120 });
  });
});

test('side door 19: a cap goes up without wire, is audited, and resumes nothing', async () => {
  const domain = await t.active();
  await t.wardenPauses(domain.id);
  const { revision } = await t.readDomain(domain.id);
  const raised = await t.token.rest('PATCH', `${DOMAINS}/${domain.id}`, { revision, daily_cap: 100_000 });
  expect(raised.body.domain).toMatchObject({ state: 'paused', daily_cap: 100_000, revision: revision + 1 });
  const audit = await t.app.admin.rest('GET', '/api/admin/audit?act=domain_update&outcome=done&limit=1');
  expect(audit.body.items[0]).toMatchObject({
    resource: `outreach:domain/${domain.id}`,
    token: { id: t.token.id },
  });
  const stale = await t.token.rest('PATCH', `${DOMAINS}/${domain.id}`, { revision, daily_cap: 1 });
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
  const answer = await t.app.bearer(t.app.key).rest('POST', `${DOMAINS}/${(await t.add()).id}/resume`, {});
  expect([401, 403]).toContain(answer.status);
});
