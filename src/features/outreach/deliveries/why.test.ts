// Why a letter was not taken is wherever someone asks for it, in the server's own words, for those alone who may read the
// letter; and goes with the person.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { aCampaign, aDesk, type TestCampaign } from '../../../../test/support/letters.ts';
import { report, type SentLetter, sentLetter } from '../../../../test/support/sent.ts';

let app: TestApp;
let campaign: TestCampaign;
let letter: SentLetter;

const SAID = '550 5.1.1 <@>: <b>no such user</b> here';
const WHY = { kind: 'hard', status: '5.1.1', cause: 'no_such_address', said: SAID } as const;

beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
  letter = await sentLetter(app, campaign);
  await report(app, letter, { ...WHY, source: 'session' });
});
afterAll(() => app.close());

const O = '/api/admin/outreach';
const domainId = async (): Promise<string> =>
  (await app.sql`select domain_id from identities where id = ${campaign.identity_id}`)[0]!['domain_id'];

describe('why a letter was not taken', () => {
  test('is on the letter, and in the list of letters', async () => {
    const { body } = await app.admin.rest('GET', `${O}/sends/${letter.id}`);
    expect(body.send.delivery_report).toMatchObject({ ...WHY, source: 'session' });
    expect(body.reports.map(({ kind }: { kind: string }) => kind)).toEqual(['hard', 'accepted']);
    expect(body.reports[0]).toMatchObject(WHY);
    const list = await app.admin.rest('GET', `${O}/sends?campaign=${campaign.id}`);
    expect(list.body.items[0].delivery_report).toMatchObject(WHY);
  });

  test("is in the person's timeline", async () => {
    const { body } = await app.admin.rest('GET', `/api/admin/crm/people/${letter.person.id}/timeline`);
    const entry = body.items.find(({ kind }: { kind: string }) => kind === 'delivery_hard');
    expect(entry).toMatchObject({
      text: SAID,
      details: { send_id: letter.id, status: '5.1.1', cause: 'no_such_address' },
    });
  });

  test("is in the domain's evidence and in the digest of sending", async () => {
    const domain = await domainId();
    const { body } = await app.admin.rest('GET', `${O}/domains/${domain}/evidence`);
    expect(body.reasons).toEqual([{ ...WHY, letters: 1, last_at: expect.any(String), send_id: letter.id }]);
    const digest = await (await app.token()).tool('sending_digest', { domain });
    expect(digest.json.domains.lines[0].not_taken.lines).toEqual([
      { ...WHY, letters: 1, send_id: letter.id },
    ]);
  });

  test('is in the digests of its campaign and of its person', async () => {
    const agent = await app.token();
    const line = { ...WHY, letters: 1, send_id: letter.id };
    const ofCampaign = await agent.tool('campaign_digest', { campaign: campaign.id });
    expect(ofCampaign.json.not_taken).toEqual({ count: 1, lines: [line], more: 0 });
    const ofPerson = await agent.tool('person_digest', { person_id: letter.person.id });
    expect(ofPerson.json.not_taken).toEqual({ count: 1, lines: [line], more: 0 });
  });

  test('is counted only for whoever may read the letter: a count would tell of it too', async () => {
    const read = {
      effect: 'allow',
      actions: ['outreach.domain.read', 'outreach.campaign.read', 'digest.read'],
      resources: ['*'],
    };
    const policy = { name: 'domains-alone', version: 1, statements: [read] };
    expect((await app.admin.rest('POST', '/api/admin/policies', policy)).status).toBe(201);
    const somebody = await app.person({ policies: ['domains-alone'] });
    const { body } = await somebody.rest('GET', `${O}/domains/${await domainId()}/evidence`);
    expect(body.reasons).toEqual([]);
    const digest = await somebody.rest('GET', `/api/digests/campaign_digest?campaign=${campaign.id}`);
    expect(digest.body.not_taken).toEqual({ may_not_read: expect.stringContaining('outreach.send.read') });
    const timeline = await somebody.rest('GET', `/api/admin/crm/people/${letter.person.id}/timeline`);
    expect(JSON.stringify([body, timeline.body])).not.toContain('no such user');
  });

  test('of a letter that was put off, it is what it waits for', async () => {
    const waiting = await sentLetter(app, campaign, { state: 'scheduled' });
    await app.sql`update sends set waiting_for = 'retry', not_before = now() where id = ${waiting.id}`;
    await report(app, waiting, { kind: 'soft', cause: 'busy', said: '451 later', source: 'session' });
    const { body } = await app.admin.rest('GET', `${O}/sends/${waiting.id}`);
    expect(body.send.delivery_report).toMatchObject({ kind: 'soft', said: '451 later' });
  });

  test('of a letter that is sent again, what was said before is its history', async () => {
    const again = await sentLetter(app, campaign, { state: 'scheduled' });
    await report(app, again, { kind: 'hard', cause: 'no_such_address', said: SAID, source: 'session' });
    app.clock.advance(60_000);
    await app.sql`
      update sends set delivery = null, waiting_for = 'greylisted', not_before = now(), resent_at = ${app.clock.now()}
      where id = ${again.id}`;
    const { body } = await app.admin.rest('GET', `${O}/sends/${again.id}`);
    expect(body.send.delivery_report).toBeNull();
    expect(body.reports).toHaveLength(1);
  });

  test('of a letter that arrived after all, nothing kept it', async () => {
    const arrived = await sentLetter(app, campaign);
    await report(app, arrived, { kind: 'soft', said: '451 later' });
    await report(app, arrived, { kind: 'delivered' });
    const { body } = await app.admin.rest('GET', `${O}/sends/${arrived.id}`);
    expect(body.send).toMatchObject({ delivery: 'delivered', delivery_report: null });
  });
});

test('with the person the words go, and what is reported later leaves none', async () => {
  const other = await sentLetter(app, campaign);
  const { id, hash } = other.person;
  await report(app, other, WHY);
  await report(app, null, { ...WHY, recipient_hash: hash });
  const { body } = await app.admin.rest('GET', `/api/admin/crm/people/${id}`);
  const erased = await app.admin.rest('POST', `/api/admin/crm/people/${id}/erase`, {
    revision: body.person.revision,
  });
  expect(erased.status, JSON.stringify(erased.body)).toBe(200);
  await report(app, other, { kind: 'policy', said: SAID });
  const rows = await app.sql`
    select kind, said from send_outcomes where send_id = ${other.id} or recipient_hash = ${hash}`;
  expect(rows.length).toBeGreaterThan(2);
  expect(rows.filter(({ said }) => said !== null)).toEqual([]);
});
