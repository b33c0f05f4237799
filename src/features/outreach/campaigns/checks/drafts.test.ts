// A letter that isn't saved yet, as one person would get it: shown, and mailed to whoever writes it; and the order of the checks.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enrolled, newCampaign, O, readyCampaign } from '../../../../../test/support/campaigns.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const DRAFT = { subject: 'For {{ person.given }}', text: 'Dear {{ person.given }}, not saved.' };

test('a draft is shown as one person would get it, and nothing of it is saved', async () => {
  const { id } = await readyCampaign(app);
  const { person_id } = await enrolled(app, id, { given: 'Dana' });
  const before = (await app.admin.rest('GET', `${O}/campaigns/${id}/sequence`)).body;
  const asked = await app.admin.rest('POST', `${O}/campaigns/${id}/preview`, { person: person_id, ...DRAFT });
  expect(asked.status).toBe(200);
  expect(asked.body.preview).toMatchObject({ subject: 'For Dana', unresolved: [] });
  expect(asked.body.preview.text).toContain('Dear Dana, not saved.');
  expect((await app.admin.rest('GET', `${O}/campaigns/${id}/sequence`)).body).toEqual(before);
});

test('whoever may not write the steps, or not read the person, is shown no draft', async () => {
  const { id } = await readyCampaign(app);
  const { person_id } = await enrolled(app, id);
  const policy = async (name: string, actions: string[]) => {
    const statements = [{ effect: 'allow', actions, resources: ['*'] }];
    await app.admin.rest('POST', '/api/admin/policies', { name, version: 1, statements });
    const token = await app.token({ mode: 'service', policies: [name] });
    const body = { person: person_id, ...DRAFT };
    return (await token.rest('POST', `${O}/campaigns/${id}/preview`, body)).status;
  };
  expect(await policy('reads-campaigns', ['outreach.campaign.read', 'crm.person.read'])).toBe(403);
  expect(await policy('writes-steps', ['outreach.*'])).toBe(404);
  expect(await policy('writes-and-reads', ['outreach.*', 'crm.person.read'])).toBe(200);
});

test('a test letter goes to the signed-in user alone, by the instance’s own mail', async () => {
  const { id } = await readyCampaign(app);
  const { person_id } = await enrolled(app, id, { given: 'Dana' });
  const send = (by: { rest: typeof app.admin.rest }) =>
    by.rest('POST', `${O}/campaigns/${id}/preview/send`, { person: person_id, ...DRAFT });
  const refused = await send(app.admin);
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toContain('test letters need this instance’s outgoing mail');
  await app.sql`insert into instance_mail_way ${app.sql({
    host: 'smtp.example.com',
    port: 465,
    security: 'tls',
    from_name: 'The desk',
    from_address: 'desk@example.com',
    saved_at: new Date(),
  })}`;
  expect((await send(app.admin)).body).toEqual({ to: app.admin.email });
  expect(await app.sql`select kind, to_address, subject from instance_mails`).toMatchObject([
    { kind: 'test', to_address: app.admin.email, subject: '[Test] For Dana' },
  ]);
  expect((await send(await app.token())).status).toBe(403);
  const [sends] = await app.sql`select count(*)::int as n from sends`;
  expect(sends).toMatchObject({ n: 0 });
});

test('the checks that fail come first, and those that pass are counted', async () => {
  const { id } = await newCampaign(app.admin);
  const { checks, passes } = (await app.admin.rest('GET', `${O}/campaigns/${id}/preflight`)).body;
  const rank = ({ ok, required }: { ok: boolean | null; required: boolean }): number =>
    ok === false ? (required ? 0 : 1) : ok === null ? 2 : 3;
  expect(checks.map(rank)).toEqual(checks.map(rank).toSorted());
  expect(passes).toBe(checks.filter(({ ok }: { ok: boolean | null }) => ok).length);
  expect(passes).toBeGreaterThan(0);
});
