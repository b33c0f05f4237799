// Preflight and preview through the entry points: every check with its sentence, what lifts it and who can, and a letter as one
// person will get it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  anIdentity,
  aPostalAddress,
  enrolled,
  LETTER,
  newCampaign,
  O,
  readyCampaign,
  saveSteps,
  setPool,
  type IdentityWishes,
} from '../../../../../test/support/campaigns.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { type Check, CHECKS } from '../checks.contract.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const preflight = async (id: string): Promise<{ ok: boolean; checks: Check[] }> =>
  (await app.admin.rest('GET', `${O}/campaigns/${id}/preflight`)).body;
const failing = async (id: string): Promise<string[]> =>
  (await preflight(id)).checks.filter((it) => it.ok === false).map((it) => it.code);
const preview = (id: string, query: string) => app.admin.rest('GET', `${O}/campaigns/${id}/preview?${query}`);

describe('preflight', () => {
  test('runs every check, changes nothing, and each that fails says what lifts it and who', async () => {
    const { id } = await newCampaign(app.admin);
    const { ok, checks } = await preflight(id);
    expect(ok).toBe(false);
    expect(checks.map((it) => it.code).sort()).toEqual([...CHECKS].sort());
    for (const each of checks) {
      expect(each.sentence.length).toBeGreaterThan(5);
      expect(each.fix === '').toBe(each.ok !== false);
      expect(['person', 'operator', 'time']).toContain(each.who);
    }
  });

  test('of an empty pool, no steps and no one in it is not asked, and not green', async () => {
    const { id } = await newCampaign(app.admin);
    const { checks } = await preflight(id);
    const unasked = checks.filter(({ ok }) => ok === null);
    expect(unasked.map(({ code }) => code)).toEqual([
      'steps_valid',
      'identity_inactive',
      'domain_paused',
      'auth_failing',
      'auth_unknown',
      'missing_variables',
      'missing_basis',
      'no_address',
      'unverified_people',
      'suppressed_people',
      'ends_before_finish',
    ]);
    for (const { sentence, fix } of unasked)
      expect([sentence.slice(0, 13), fix]).toEqual(['Not checked: ', '']);
    await setPool(app.admin, id, [await anIdentity(app, { active: false })]);
    const now = (await preflight(id)).checks;
    expect(now.find(({ code }) => code === 'identity_inactive')?.ok).toBe(false);
    expect(now.find(({ code }) => code === 'auth_failing')).toMatchObject({ ok: null });
  });

  test('of a campaign that is whole asks only for people', async () => {
    const { id } = await readyCampaign(app);
    expect(await failing(id)).toEqual(['no_people']);
    expect((await preflight(id)).ok).toBe(true);
  });

  test.each<[string, IdentityWishes, string, boolean]>([
    ['an inactive identity', { active: false }, 'identity_inactive', false],
    ['a paused domain', { domain: { state: 'paused' } }, 'domain_paused', false],
    ['an unverified domain', { domain: { state: 'unverified' } }, 'domain_paused', false],
    [
      'failing DKIM',
      {
        domain: {
          auth: { spf: { outcome: 'passing' }, dkim: { outcome: 'failing' }, dmarc: { outcome: 'passing' } },
        },
      },
      'auth_failing',
      false,
    ],
    ['authentication that is not known', { domain: { auth: {} } }, 'auth_unknown', true],
    [
      'a workday that never meets the hours',
      { columns: { workday: { days: [6], from: '09:00', to: '17:00' } } },
      'window_never_opens',
      false,
    ],
  ])('%s is named', async (_, wishes, code, ok) => {
    const { id } = await readyCampaign(app);
    const columns = wishes.columns?.['workday']
      ? { workday: app.sql.json(wishes.columns['workday'] as never) }
      : {};
    await setPool(app.admin, id, [await anIdentity(app, { ...wishes, columns })]);
    expect(await failing(id)).toEqual([code, 'no_people']);
    expect((await preflight(id)).ok).toBe(ok);
  });

  test('one identity that can send is enough where others cannot', async () => {
    const { id } = await readyCampaign(app);
    await setPool(app.admin, id, [await anIdentity(app), await anIdentity(app, { active: false })]);
    expect(await failing(id)).toEqual(['no_people']);
  });

  test('counts the people whose letters would be held, and each reason with how many', async () => {
    const { id } = await readyCampaign(app);
    await enrolled(app, id);
    await enrolled(app, id, { given: null });
    await enrolled(app, id, { person: { basis: 'none' } });
    await enrolled(app, id, { address: null });
    const address = 'gone@firm.example';
    await enrolled(app, id, { address });
    await app.admin.rest('POST', `${O}/suppressions`, { address });
    const { checks } = await preflight(id);
    const count = (code: string) => checks.find((it) => it.code === code)?.count;
    expect(
      ['missing_variables', 'missing_basis', 'no_address', 'unverified_people', 'suppressed_people'].map(
        count,
      ),
    ).toEqual([1, 1, 1, 4, 1]);
    expect(checks.find((it) => it.code === 'missing_variables')?.sentence).toContain('person.given');
  });

  test('says when there is no time for the letters before the last day', async () => {
    const soon = new Date(app.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
    const { id } = await readyCampaign(app, {
      ends_on: soon,
      daily_cap: 1,
      windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }],
    });
    for (let n = 0; n < 3; n++) await enrolled(app, id);
    expect(await failing(id)).toContain('ends_before_finish');
  });

  test('says that the operator has switched sending off', async () => {
    const off = await openTestApp({ sending: { enabled: false, development: false } });
    try {
      const { id } = await readyCampaign(off);
      const { checks } = (await off.admin.rest('GET', `${O}/campaigns/${id}/preflight`)).body;
      expect(checks.find((it: Check) => it.code === 'sending_switched_off')).toMatchObject({
        ok: false,
        who: 'operator',
      });
    } finally {
      await off.close();
    }
  });

  test.each([
    ['http://127.0.0.1:4400', false, false],
    ['https://desk.example', false, true],
    ['http://127.0.0.1:4400', true, true],
  ])('says whether recipients can open links to %s; only the sink sends: %s', async (baseUrl, inSink, ok) => {
    const own = await openTestApp({ baseUrl });
    try {
      const { id } = await readyCampaign(own);
      await own.sql`update identities set transport_kind = ${inSink ? 'sandbox' : 'smtp'}`;
      const { checks } = (await own.admin.rest('GET', `${O}/campaigns/${id}/preflight`)).body;
      const found = checks.find((it: Check) => it.code === 'base_url_local');
      expect(found).toMatchObject({ ok, ...(!ok && { who: 'operator' }) });
      if (!ok) expect([found.sentence, found.fix].join(' ')).toMatch(/127\.0\.0\.1:4400.*SERVICE_BASE_URL/);
    } finally {
      await own.close();
    }
  });

  test('looks at ten thousand people in one go', async () => {
    const { id } = await readyCampaign(app);
    await app.sql`
      with made as (
        insert into people (id, name, given, name_key, search, source, basis, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
        select gen_random_uuid(), 'P ' || n, case when n % 10 = 0 then null else 'P' || n end, 'p', '', 'a', 'consent', 'person', 's', 'S', now(), now()
        from generate_series(1, 10000) n returning id)
      insert into prospects (id, campaign_id, person_id, stage, stage_at, enrolled_by_kind, enrolled_by_id, enrolled_by_name, created_at, updated_at)
      select gen_random_uuid(), ${id}, made.id, 'enrolled', now(), 'person', 's', 'S', now(), now() from made`;
    const { checks } = await preflight(id);
    expect(checks.find((it) => it.code === 'missing_variables')?.count).toBe(1_000);
  });
});

describe('preview', () => {
  test('shows the letter as it will arrive: sender, subject, both parts, what is below, and when at the earliest', async () => {
    const { id, identity_pool } = await readyCampaign(app);
    const { person_id } = await enrolled(app, id, { address: 'dana@firm.de' });
    const { body } = await preview(id, `person=${person_id}`);
    expect(body.preview).toMatchObject({
      identity: { id: identity_pool[0]!.identity_id, name: 'Sam Sender' },
      to: 'dana@firm.de',
      subject: 'Hello Dana',
      unresolved: [],
      fields_used: ['person.given'],
      faults: [],
      timezone: 'Europe/Berlin',
      timezone_from: 'country',
    });
    expect(body.preview.text).toMatch(
      /^Dear Dana, hello\.\n\nSam\nAcme\n\nUnsubscribe: http.*\/u\/preview\nAcme Ltd\n1 Road\nTown$/,
    );
    expect(body.preview.html).toContain('<p>Dear Dana, hello.</p>');
    const at = new Date(body.preview.earliest_at);
    const local = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Berlin',
      hour: '2-digit',
      hourCycle: 'h23',
      weekday: 'short',
    }).format(at);
    expect(local).toMatch(/^(Mon|Tue|Wed|Thu|Fri),? (09|1[0-6])$/);
    expect((await preview(id, `person=${person_id}`)).body.preview.identity).toEqual(body.preview.identity);
  });

  test('names what is unresolved, what is unsafe, and what is missing around it', async () => {
    const { id } = await newCampaign(app.admin, {
      unsubscribe_mode: 'one_click',
      postal_address_id: await aPostalAddress(app),
    });
    await saveSteps(app.admin, id, [
      { ...LETTER, subject: 'For {{ person.title }}', text: 'Dear {{ person.given }} of {{ company.name }}' },
    ]);
    const { person_id } = await enrolled(app, id, {
      address: null,
      person: { title: 'Head\r\nBcc: x@example.com' },
    });
    const { body } = await preview(id, `person=${person_id}`);
    expect(body.preview).toMatchObject({ identity: null, to: null, unresolved: ['company.name'] });
    expect(body.preview.faults).toEqual([
      'A value brings a line break or a control character into the subject.',
      'No identity in the pool is active.',
      'This person has no address.',
    ]);
  });

  test('shows the step that is named, and refuses one that is no letter of it', async () => {
    const { id } = await readyCampaign(app);
    const { steps } = await saveSteps(app.admin, id, [
      LETTER,
      { kind: 'wait', wait: { days: 1, hours: 0 } },
      { ...LETTER, subject: 'Second' },
    ]);
    const { person_id } = await enrolled(app, id);
    expect((await preview(id, `person=${person_id}&step=${steps[2]!.id}`)).body.preview.subject).toBe(
      'Second',
    );
    expect((await preview(id, `person=${person_id}&step=${steps[1]!.id}`)).status).toBe(404);
    expect((await preview(id, 'person=0198c0de-0000-7000-8000-00000000dead')).status).toBe(404);
    const { id: empty } = await newCampaign(app.admin);
    expect((await preview(empty, `person=${person_id}`)).status).toBe(400);
  });

  test('shows whoever wrote to them first, also when the pool has changed since', async () => {
    const { id } = await readyCampaign(app);
    const { person_id, prospect_id } = await enrolled(app, id);
    const pinned = await anIdentity(app, { columns: { name: 'First Writer' } });
    await app.sql`update prospects set identity_id = ${pinned} where id = ${prospect_id}`;
    expect((await preview(id, `person=${person_id}`)).body.preview.identity).toMatchObject({
      id: pinned,
      name: 'First Writer',
    });
  });

  test('a person whom the caller may not read is not shown by a letter either', async () => {
    const { id } = await readyCampaign(app);
    const { person_id } = await enrolled(app, id);
    await app.admin.rest('POST', '/api/admin/policies', {
      name: 'campaigns-only',
      version: 1,
      statements: [{ effect: 'allow', actions: ['outreach.*'], resources: ['*'] }],
    });
    const service = await app.token({ mode: 'service', policies: ['campaigns-only'] });
    expect((await service.rest('GET', `${O}/campaigns/${id}/preview?person=${person_id}`)).status).toBe(404);
  });
});
