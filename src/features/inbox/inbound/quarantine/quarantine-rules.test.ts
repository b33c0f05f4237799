// Newsletters in quarantine: rules that dismiss them from now on, and many dismissed at once. What answers a letter still lands, and
// a wish to unsubscribe still counts.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { arrives, comesIn, landAll } from '../../../../../test/support/inbound.ts';
import { aCampaign, aDesk, O, type TestCampaign } from '../../../../../test/support/letters.ts';
import { sentLetter } from '../../../../../test/support/sent.ts';
import { addressHash } from '../../../../mail/address.ts';

const Q = `${O}/quarantine`;
const RULES = `${O}/quarantine-rules`;
let app: TestApp;
let campaign: TestCampaign;
beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(() => app.close());

const stateOf = async (id: string) =>
  (await app.sql`select state, note from inbound_mails where id = ${id}`)[0];
const create = (kind: string, value: string) => app.admin.rest('POST', RULES, { kind, value });
const listed = async (query = ''): Promise<any[]> => (await app.admin.rest('GET', `${Q}${query}`)).body.items;
const rules = async (): Promise<any[]> => (await app.admin.rest('GET', RULES)).body.items;
const aDomain = () => `d${randomUUID().slice(0, 8)}.example`;

describe('a rule', () => {
  test.each([
    ['address', (domain: string) => `News@${domain}`],
    ['domain', (domain: string) => domain],
    ['list', (domain: string) => `Weekly <weekly.${domain}>`],
  ])('of this kind, %s, dismisses what waits and what comes, and counts both', async (kind, value) => {
    const domain = aDomain();
    const mail = { from: `News <news@${domain}>`, fields: [`List-Id: Weekly <weekly.${domain}>`] };
    const before = (await comesIn(app, mail)).state;
    const waiting = await arrives(app, mail);
    await landAll(app);
    expect(before).toBe('quarantined');
    const made = await create(kind, value(domain));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body.dismissed).toBe(2);
    expect(await stateOf(waiting)).toEqual({ state: 'ignored', note: 'Dismissed by a rule.' });
    expect(await comesIn(app, mail)).toMatchObject({ state: 'ignored', note: 'Dismissed by a rule.' });
    expect((await rules())[0]).toMatchObject({ id: made.body.rule.id, kind, matched: 3 });
    expect((await comesIn(app, { from: `news@other-${domain}` })).state).toBe('quarantined');

    const again = await create(kind, value(domain));
    expect(again.status).toBe(409);
    const gone = await app.admin.rest('DELETE', `${RULES}/${made.body.rule.id}`);
    expect(gone.status).toBe(200);
    expect((await comesIn(app, mail)).state).toBe('quarantined');
    expect((await app.admin.rest('DELETE', `${RULES}/${made.body.rule.id}`)).status).toBe(404);
  });

  test('of a domain is of what lies under it, and of no other that ends alike', async () => {
    const domain = aDomain();
    const under = await arrives(app, { from: `a@mail.${domain}` });
    const other = await arrives(app, { from: `a@x${domain}` });
    await landAll(app);
    await create('domain', domain);
    expect([(await stateOf(under))?.['state'], (await stateOf(other))?.['state']]).toEqual([
      'ignored',
      'quarantined',
    ]);
  });

  test('keeps no reply to a letter away, and no wish to unsubscribe', async () => {
    const domain = aDomain();
    await create('domain', domain);
    const letter = await sentLetter(app, campaign);
    const from = `bo@${domain}`;
    expect((await comesIn(app, { from, in_reply_to: letter.message_id })).state).toBe('landed');
    await comesIn(app, { from, subject: 'unsubscribe', text: '' });
    const kept = await app.sql`select reason from suppressions where value_hash = ${addressHash(from)}`;
    expect(kept).toEqual([{ reason: 'unsubscribe' }]);
  });

  test.each([
    ['address', 'nobody', /not an email address/],
    ['domain', 'no domain', /not a domain/],
    ['domain', 'gmail.com', /public mail provider/],
    ['list', 'two words', /not a List-Id/],
  ])('that names nothing is refused: %s %s', async (kind, value, says) => {
    const { status, body } = await create(kind, value);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(says);
  });

  test('keeps no answer away whose receiver is no longer kept here', async () => {
    const domain = aDomain();
    await create('domain', domain);
    const letter = await sentLetter(app, campaign);
    const path = `/api/admin/crm/people/${letter.person.id}`;
    const { body } = await app.admin.rest('GET', path);
    await app.admin.rest('POST', `${path}/erase`, { revision: body.person.revision });
    const late = await comesIn(app, { from: `bo@${domain}`, in_reply_to: letter.message_id });
    expect(late.state).toBe('quarantined');
  });

  test('goes with whoever it names when they are erased', async () => {
    const letter = await sentLetter(app, campaign);
    await create('address', letter.person.address);
    const { body } = await app.admin.rest('GET', `/api/admin/crm/people/${letter.person.id}`);
    const { revision } = body.person;
    await app.admin.rest('POST', `/api/admin/crm/people/${letter.person.id}/erase`, { revision });
    expect(await app.sql`select from quarantine_rules where value_hash = ${letter.person.hash}`).toEqual([]);
  });
});

describe('many at once', () => {
  test('are those that are named, or all that a filter shows, and none that came later', async () => {
    const domain = aDomain();
    const of = (n: number) => ({ from: `n${n}@${domain}`, fields: [`List-Id: <all.${domain}>`] });
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await arrives(app, of(n)));
    await landAll(app);
    expect((await listed(`?domain=${domain}`)).length).toBe(4);
    expect((await listed(`?from=n1@${domain}`)).length).toBe(1);
    expect((await listed(`?list=all.${domain}`)).length).toBe(4);

    const named = await app.admin.rest('POST', `${Q}/dismiss`, { mails: ids.slice(0, 1) });
    expect(named.body).toEqual({ dismissed: 1, left: 0 });
    const until = app.clock.now().toISOString();
    app.clock.advance(60_000);
    const later = await arrives(app, of(9));
    await landAll(app);
    const all = await app.admin.rest('POST', `${Q}/dismiss`, { all: true, domain, until });
    expect(all.body).toEqual({ dismissed: 3, left: 0 });
    for (const id of ids) expect((await stateOf(id))?.['state']).toBe('ignored');
    expect((await stateOf(later))?.['state']).toBe('quarantined');
  });

  test('leave what could not be landed to whoever names it', async () => {
    const domain = aDomain();
    const id = await arrives(app, { from: `a@${domain}` });
    await landAll(app);
    await app.sql`update inbound_mails set state = 'broken' where id = ${id}`;
    const all = await app.admin.rest('POST', `${Q}/dismiss`, { all: true, domain });
    expect(all.body).toEqual({ dismissed: 0, left: 0 });
    expect((await create('domain', domain)).body.dismissed).toBe(0);
    expect((await stateOf(id))?.['state']).toBe('broken');
    const named = await app.admin.rest('POST', `${Q}/dismiss`, { mails: [id] });
    expect(named.body).toEqual({ dismissed: 1, left: 0 });
  });

  test('ask of each mail what its own act asks', async () => {
    const domain = aDomain();
    const [barred, other] = [
      await arrives(app, { from: `a@${domain}` }),
      await arrives(app, { from: `b@${domain}` }),
    ];
    await landAll(app);
    await app.admin.rest('POST', '/api/admin/policies', {
      name: `all-but-${domain.split('.')[0]}`,
      version: 1,
      statements: [
        { effect: 'allow', actions: ['outreach.inbound.*'], resources: ['*'] },
        { effect: 'deny', actions: ['outreach.inbound.write'], resources: [`outreach:inbound/${barred}`] },
      ],
    });
    const clerk = await app.person({ policies: [`all-but-${domain.split('.')[0]}`] });
    const named = await clerk.rest('POST', `${Q}/dismiss`, { mails: [other, barred] });
    expect(named.status).toBe(403);
    const all = await clerk.rest('POST', `${Q}/dismiss`, { all: true, domain });
    expect(all.body).toEqual({ dismissed: 1, left: 0 });
    const ruled = await clerk.rest('POST', RULES, { kind: 'domain', value: domain });
    expect(ruled.body.dismissed).toBe(0);
    expect((await stateOf(barred))?.['state']).toBe('quarantined');
  });

  test('1,300 newsletters go in one act', async () => {
    const domain = aDomain();
    await app.sql`
      insert into inbound_mails (id, key, source, bytes, size_bytes, received_at, state, settled_at, from_address, from_hash, from_domain)
      select gen_random_uuid(), ${domain} || n, 'imap', ''::bytea, 0, ${app.clock.now()}, 'quarantined', ${app.clock.now()},
        'n@' || ${domain}, ${addressHash(`n@${domain}`)}, ${domain}
      from generate_series(1, 1300) n`;
    const { body } = await app.admin.rest('POST', `${Q}/dismiss`, { all: true, domain });
    expect(body).toEqual({ dismissed: 1_300, left: 0 });
    expect(await listed(`?domain=${domain}`)).toEqual([]);
  });

  test('need one of the two, and a filter that can be read', async () => {
    const bad = [
      {},
      { mails: [randomUUID()], all: true },
      { mails: [randomUUID()], domain: 'a.example' },
      { all: true, from: 'x', domain: 'no domain' },
    ];
    for (const body of bad) expect((await app.admin.rest('POST', `${Q}/dismiss`, body)).status).toBe(400);
    const both = await app.admin.rest('GET', `${Q}?from=x&domain=%20%20no%20domain`);
    expect(both.status).toBe(400);
    expect(JSON.stringify(both.body)).toMatch(/from.*domain/s);
  });
});
