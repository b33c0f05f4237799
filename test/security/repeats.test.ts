// Idempotency-Key: an answer is given again to whoever it was given to, for the same call, and to no one else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCampaign, aDesk, aLetter, O, readSend } from '../support/letters.ts';
import { openTestApp, type Answer, type RestClient, type TestApp } from '../support/app.ts';

const ITEMS = '/api/work/items';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  await app.admin.rest('POST', '/api/work/projects', { key: 'HID', name: 'Hidden' });
});
afterAll(async () => app?.close());

let count = 0;
const newKey = (): string => `key-${(count += 1)}`;
const card = (by: RestClient, key: string, title: string, project = 'OUT'): Promise<Answer> =>
  by.rest('POST', ITEMS, { project, title }, { 'idempotency-key': key });
const titled = async (title: string): Promise<number> =>
  (await app.sql<{ n: number }[]>`select count(*)::int as n from work_items where title = ${title}`)[0]?.n ??
  -1;

describe('the same key', () => {
  test('of the same caller for the same call gives the first answer again, and nothing is done twice', async () => {
    const key = newKey();
    const first = await card(app.admin, key, 'once');
    const again = await card(app.admin, key, 'once');
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(await titled('once')).toBe(1);
  });

  test('ten times at once does it once', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 10 }, () => card(app.admin, key, 'one of ten')));
    expect(
      new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id ?? body.item?.id))
        .size,
    ).toBe(1);
    expect(await titled('one of ten')).toBe(1);
  });

  test('of another person never gives the first one’s answer', async () => {
    const [ben, key] = [await app.person(), newKey()];
    const mine = await card(app.admin, key, 'a secret plan');
    const theirs = await card(ben, key, 'a plan of theirs');
    expect(theirs.status).toBe(201);
    expect(JSON.stringify(theirs.body)).not.toContain('a secret plan');
    expect((await card(app.admin, key, 'a secret plan')).body).toEqual(mine.body);
    expect([await titled('a secret plan'), await titled('a plan of theirs')]).toEqual([1, 1]);
  });

  test('of an agent’s turn, of a service token and of the person behind them are three callers’', async () => {
    const key = newKey();
    const policy = await app.admin.rest('POST', '/api/admin/policies', {
      name: 'cards',
      version: 1,
      statements: [{ effect: 'allow', actions: ['work.*'], resources: ['*'] }],
    });
    expect(policy.status, JSON.stringify(policy.body)).toBe(201);
    const agent = await app.token();
    await agent.tool('api_request', { method: 'GET', path: '/api/me' });
    const callers = [app.admin, agent, await app.token({ mode: 'service', policies: ['cards'] })];
    for (const [i, caller] of callers.entries()) {
      const made = await card(caller, key, `of caller ${i}`);
      expect(
        [made.status, JSON.stringify(made.body).includes(`of caller ${i}`)],
        JSON.stringify(made.body),
      ).toEqual([201, true]);
    }
  });

  test('by a token without wire gives nothing of an act on the wire that its person did', async () => {
    const [key, token] = [newKey(), await app.token()];
    const { send_id } = await aLetter(app, await aCampaign(app, await aDesk(app)));
    const { fingerprint } = (await readSend(app.admin, send_id)).send;
    const approve = (by: RestClient) =>
      by.rest('POST', `${O}/sends/${send_id}/approve`, { fingerprint }, { 'idempotency-key': key });
    const done = await approve(app.admin);
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    expect((await approve(app.admin)).body).toEqual(done.body);
    expect(await approve(token)).toMatchObject({ status: 403, body: { error: { code: 'wire_required' } } });
  });

  test('with another body, another act or another path is refused, and does nothing', async () => {
    const key = newKey();
    await card(app.admin, key, 'as it was');
    const other = await card(app.admin, key, 'something else');
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict']);
    expect(await titled('something else')).toBe(0);
    const act = await app.admin.rest(
      'POST',
      '/api/work/projects',
      { key: 'NEW', name: 'New' },
      { 'idempotency-key': key },
    );
    expect(act.status).toBe(409);
    expect(await app.sql`select 1 from work_projects where key = 'NEW'`).toEqual([]);
  });

  test('gives nothing again to someone whose rights are gone, nor to whoever is signed in nowhere', async () => {
    const [ben, key] = [await app.person(), newKey()];
    expect((await card(ben, key, 'before the end', 'HID')).status).toBe(201);
    await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
    await app.admin.rest('POST', '/api/admin/policies', {
      name: 'no-cards',
      version: 1,
      statements: [{ effect: 'deny', actions: ['work.item.create'], resources: ['*'] }],
    });
    const denied = await app.admin.rest('PATCH', `/api/admin/users/${ben.id}`, { policies: ['no-cards'] });
    expect(denied.status, JSON.stringify(denied.body)).toBe(200);
    const again = await card(ben, key, 'before the end', 'HID');
    expect([again.status, again.body.error?.code]).toEqual([403, 'policy_denied']);
    expect((await card(app.bearer(null), key, 'before the end', 'HID')).status).toBe(401);
    await app.admin.rest('POST', `/api/admin/users/${ben.id}/disable`, {});
    expect((await card(ben, key, 'before the end', 'HID')).status).toBe(401);
  });
});

describe('an answer that shows a secret', () => {
  test('is stored under no key, and asking again makes another secret', async () => {
    const key = newKey();
    const mint = () =>
      app.admin.rest(
        'POST',
        '/api/admin/tokens',
        { name: newKey(), mode: 'user' },
        { 'idempotency-key': key },
      );
    await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
    const [first, second] = [await mint(), await mint()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.value).not.toBe(second.body.value);
    expect(await app.sql`select 1 from idempotency_keys where key = ${key}`).toEqual([]);
    const stored = JSON.stringify(await app.sql`select * from idempotency_keys`);
    for (const { body } of [first, second]) expect(stored).not.toContain(body.value);
  });

  test('is one of every operation that shows a secret', () => {
    const showing = app.instance.app.operations.filter(
      ({ method, answers }) => method === 'POST' && 'json' in answers && answers.shows_secret,
    );
    expect(showing.length).toBeGreaterThan(5);
    expect(showing.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['token_mint', 'capability_connect']),
    );
  });
});
