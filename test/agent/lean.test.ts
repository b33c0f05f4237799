// What an agent is answered, in few characters: brief lists, the fields that it asked for, and the screens where a person goes on.
// On an app as large as it must be to have a dozen letters in review.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp, type TestApp, type TokenClient } from '../support/app.ts';
import { seedApp } from './seed.ts';

let database: FreshDatabase;
let app: TestApp;
let agent: TokenClient;

beforeAll(async () => {
  database = await freshDatabase();
  app = await openTestApp({ database });
  await seedApp(app.sql, 900);
  agent = await app.token({ name: 'scout' });
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

const letters = (query: Record<string, unknown>) =>
  agent.tool('api_request', { method: 'GET', path: '/api/admin/outreach/sends', query });

test('lists are brief: twelve letters take under 3,000 characters, and what all rows share is said once', async () => {
  const { text, json } = await letters({ state: 'review', limit: 12 });
  expect(json.items).toHaveLength(12);
  expect(text.length, text).toBeLessThan(3_000);
  expect(json.all_have).toMatchObject({ state: 'review' });
  const ids = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
  for (const letter of json.items) {
    expect(letter).toMatchObject({
      id: ids,
      campaign_id: ids,
      person_id: ids,
      to: expect.stringContaining('@'),
    });
    for (const key of ['text', 'html', 'fingerprint']) expect(letter).not.toHaveProperty(key);
  }
  const people = await agent.tool('people_search', { limit: 10 });
  expect(people.text.length, people.text).toBeLessThan(3_000);
  expect(people.json.items[0]).toMatchObject({
    company: expect.any(String),
    addresses: [expect.any(String)],
  });
  const mail = await agent.tool('mail_search', { limit: 10 });
  expect(mail.text.length, mail.text).toBeLessThan(4_000);
  const inbox = await agent.tool('api_request', { method: 'GET', path: '/api/inbox', query: { limit: 10 } });
  expect(inbox.text.length, inbox.text).toBeLessThan(5_000);
});

test('fields= gives those fields of a list, for an agent and over REST, and names them where one is not there', async () => {
  const some = await letters({ state: 'review', limit: 2, fields: 'id,subject,hold.reason' });
  for (const row of some.json.items) expect(Object.keys(row)).toEqual(['id', 'subject', 'hold']);
  const all = await letters({ state: 'review', limit: 1, fields: 'all' });
  expect(all.json.items[0]).toMatchObject({ text: expect.any(String), fingerprint: expect.any(String) });
  const wrong = await letters({ fields: 'id,colour' });
  expect(wrong.text).toMatch(/^HTTP 400: fields: a row has no "colour"; it has id, kind, campaign_id, /);
  const rest = await agent.rest('GET', '/api/admin/crm/people?limit=2&fields=id,company.name');
  for (const row of rest.body.items) expect(Object.keys(row)).toEqual(['id', 'company']);
  const whole = await agent.rest('GET', '/api/admin/crm/people?limit=1');
  expect(whole.body.items[0]).toHaveProperty('created_by');
  const { paths } = JSON.parse(await (await fetch(`${app.url}/openapi.json`)).text());
  const fields = { $ref: '#/components/parameters/Fields' };
  expect(paths['/api/admin/crm/people'].get.parameters).toContainEqual(fields);
  expect(paths['/api/me'].get.parameters ?? []).not.toContainEqual(fields);
  const none = await agent.rest('GET', '/api/me?fields=id');
  expect(none.body.error.message).toMatch(/^there is no argument "fields"/);
});

test('an answer that a person will act on says at which screen', async () => {
  const at = (path: string) => `${app.instance.app.instance.base_url}${path}`;
  const { item } = (await agent.tool('work_create', { project: 'OUT', title: 'To sign', status: 'todo' }))
    .json;
  const parked = (await agent.tool('work_move', { item_id: item.id, status: 'done' })).json;
  expect(parked).toMatchObject({
    open_at: at(`/work/OUT/${item.key}`),
    sign_at: at(`/approvals?open=${parked.approval_id}`),
  });
  const [waiting] = (await agent.tool('approvals_inbox', { limit: 1 })).json.items;
  expect(waiting.sign_at).toBe(at(`/approvals?open=${waiting.id}`));
  const { items } = (await letters({ state: 'review', limit: 1 })).json;
  const path = `/api/admin/outreach/sends/${items[0].id}`;
  expect((await agent.tool('api_request', { method: 'GET', path })).json).toMatchObject({
    open_at: at(`/sends/${items[0].id}`),
    sign_at: at(`/review?open=${items[0].id}`),
  });
  const { unanswered } = (await agent.tool('replies_digest', { reading: 'neutral' })).json;
  const { thread_id } = unanswered.lines[0];
  const drafted = (await agent.tool('answer_draft', { thread_id, text: 'Dear Dana, gladly.' })).json;
  expect(drafted.answer.state).toBe('draft');
  expect(drafted).toMatchObject({ sign_at: at(`/inbox?open=${thread_id}`) });
  const found = (await agent.tool('search', { query: 'Keller', limit: 1 })).json.items;
  expect(found[0]).toMatchObject({ kind: 'person', open_at: at(`/people/${found[0].id}`) });
  expect(found[0]).not.toHaveProperty('place');
});
