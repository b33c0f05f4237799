// Words of a message reach whoever may read messages, and no one else by another route: not as the line of a list, below an
// answer, on the page of a person, or by what a search says of them.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aConversation, type Conversation } from '../../../../../test/letters/conversation.ts';
import { type Desk, layDesk, openDesk } from '../../../../../test/letters/desk.ts';
import type { PersonClient, TestApp, TokenClient } from '../../../../../test/support/app.ts';
import { smtpSink } from '../../../../../test/support/smtp.ts';
import { talksIn } from '../../../../../test/support/threads.ts';
import { TAKE_BACK_MS } from '../../answers/rules.ts';

const SECRET = /zebrafish|okapi/i;
const THEIRS = {
  text: 'Zebrafish at twelve.',
  html: '<p>Zebrafish at twelve.</p>',
  subject: 'Okapi',
  from: { address: 'dana@acme.example', name: 'Dana' },
};
const OURS = { text: 'Dear you, yes.', html: '<p>Dear you, yes.</p>', subject: 'Re: Your bridge' };

let app: TestApp;
beforeAll(async () => {
  app = await openDesk();
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.sql`truncate threads, people cascade`;
});

const { act, aThread, say, get, read } = talksIn(() => app);

let policies = 0;
/** Someone who reads everything, save what this keeps from them. */
async function reader(action: string, resource: string): Promise<{ kim: PersonClient; token: TokenClient }> {
  const name = `kept-${(policies += 1)}`;
  const statements = [{ effect: 'deny', actions: [action], resources: [resource] }];
  await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
  await act('/api/admin/policies', { name, version: 1, statements }, 201);
  const kim = await app.person({ name: 'Kim', policies: ['read-all', name] });
  return { kim, token: await app.token({ user_id: kim.id }) };
}

/** All that is told of a conversation, by every route. */
async function heard(
  { kim, token }: { kim: PersonClient; token: TokenClient },
  { id }: Conversation,
  person: string,
  send: string | null,
  readsNone: boolean,
): Promise<Record<string, string>> {
  const O = '/api/admin/outreach';
  const sources = {
    inbox: '/api/inbox',
    unanswered: '/api/inbox?state=unanswered',
    threads: '/api/threads',
    thread: `/api/threads/${id}?full=true`,
    answers: `/api/threads/${id}/answers`,
    mail: '/api/mail/search',
    found: '/api/mail/search?query=zebrafish',
    search: '/api/search?query=zebrafish',
    timeline: `/api/admin/crm/people/${person}/timeline`,
    sends: `${O}/sends`,
    file: `${O}/sends/export`,
    today: '/api/today',
    activity: '/api/admin/activity',
    events: '/api/admin/events/recent',
    digest: `/api/digests/thread_digest?thread_id=${id}`,
    ...(send !== null && { send: `${O}/sends/${send}` }),
  };
  const said: Record<string, string> = {};
  for (const [name, path] of Object.entries(sources)) {
    const answer = await kim.rest('GET', path);
    // Whoever may read no message at all has no search.
    const shut = path.startsWith('/api/mail/') && readsNone ? 403 : 200;
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(shut);
    said[name] = JSON.stringify(answer.body);
  }
  const tools: [string, object][] = [
    ['mail_search', { query: 'zebrafish' }],
    ['mail_search', {}],
    ['thread_get', { thread_id: id, full: true }],
    ['thread_digest', { thread_id: id }],
    ['person_digest', { person_id: person }],
    ['replies_digest', {}],
    ['instance_digest', {}],
    ['api_request', { method: 'GET', path: '/api/inbox' }],
    ...(send === null
      ? []
      : [['admin_request', { method: 'GET', path: `${O}/sends/${send}` }] as [string, object]]),
  ];
  for (const [at, [tool, args]] of tools.entries())
    said[`${tool} ${at}`] = (await token.tool(tool, { ...args })).text;
  for (const uri of ['service://inbox/unanswered', 'service://sends/held'])
    said[uri] = JSON.stringify(await token.rpc('resources/read', { uri }));
  return said;
}

const leaks = (said: Record<string, string>): string[] =>
  Object.entries(said)
    .filter(([, text]) => SECRET.test(text))
    .map(([source]) => source);

/** A policy that names nothing, the campaign, or the message alone. */
const KEPT: [string, (desk: Desk, message: string) => string][] = [
  ['every message', () => '*'],
  ['messages of a campaign', ({ campaign }) => `outreach:campaign/${campaign.id}`],
  ['one message', (_, message) => `mail:message/${message}`],
];

test.each(KEPT)(
  'a policy that keeps %s from someone keeps its words from every route',
  async (_what, named) => {
    await using sink = await smtpSink();
    const desk = await layDesk(app, { identity: { port: sink.port } });
    await desk.send();
    const thread = await aConversation(app, desk, null);
    const { touch_id } = await thread.writes(THEIRS);
    const person = desk.people[0]!.id;
    const who = await reader('mail.message.read', named(desk, touch_id));
    const none = named(desk, touch_id) === '*';
    const asked = (send: string | null) => heard(who, thread, person, send, none);
    const row = async (path: string) =>
      (await who.kim.rest('GET', path)).body.items.find((each: any) => each.id === thread.id);

    expect(leaks(await asked(null))).toEqual([]);
    expect(await row('/api/inbox')).toMatchObject({ snippet: null, waiting: 'us' });
    expect((await get('/api/inbox')).items[0].snippet).toBe('Zebrafish at twelve.');
    const told = (await who.kim.rest('GET', `/api/admin/crm/people/${person}/timeline`)).body.items;
    expect(told.find((each: any) => each.id === touch_id)).toMatchObject({
      kind: 'touch_in',
      details: { thread_id: thread.id, subject: null, snippet: null },
    });

    // Of the answer they read what is ours. Called back and written again, the letter that was called off is still there.
    const answer = await thread.drafted(app.admin, OURS);
    const sent = async ({ id, fingerprint }: { id: string; fingerprint: string }) =>
      (await act(`${thread.path}/${id}/send`, { fingerprint }, 200)).answer;
    const first = await sent(answer);
    const letter = async (id: string, by: PersonClient = who.kim) =>
      (await by.rest('GET', `/api/admin/outreach/sends/${id}`)).body.send;
    const bare = { text: 'Dear you, yes.', html: null, quote_hidden: true };
    expect(await letter(first.send_id)).toMatchObject({ state: 'scheduled', ...bare });
    expect(leaks(await asked(first.send_id))).toEqual([]);
    const whole = await letter(first.send_id, app.admin);
    expect([whole.text, whole.html]).toEqual([expect.stringMatching(SECRET), expect.stringMatching(SECRET)]);
    expect(whole.quote_hidden).toBe(false);
    const back = await app.admin.rest('DELETE', `${thread.path}/${answer.id}/send`);
    const { revision } = back.body.answer;
    const anew = await app.admin.rest('PATCH', `${thread.path}/${answer.id}`, { revision, ...OURS });
    expect(await letter(first.send_id)).toMatchObject({ state: 'cancelled', ...bare });

    const second = await sent(anew.body.answer);
    app.clock.advance(TAKE_BACK_MS);
    await desk.send();
    expect(await letter(second.send_id)).toMatchObject({ state: 'sent', ...bare });
    expect(leaks(await asked(second.send_id))).toEqual([]);
    const { touches } = await get(`/api/threads/${thread.id}?full=true`);
    const went = touches.at(-1);
    expect(went).toMatchObject({ text: expect.stringMatching(SECRET), quoted: true, quote_hidden: false });
    const seen = await who.kim.rest('GET', `/api/threads/${thread.id}/touches/${went.id}`);
    if (named(desk, touch_id) === `mail:message/${touch_id}`) {
      // They may read the touch of the answer, which is another message.
      expect(await row('/api/inbox')).toMatchObject({ snippet: 'Dear you, yes.' });
      const { body } = await who.kim.rest('GET', `/api/threads/${thread.id}?full=true`);
      const { html, ...hidden } = { ...bare, quoted: false, has_html: false };
      expect(body.touches.at(-1)).toMatchObject(hidden);
      expect(seen.body.touch).toMatchObject({ ...hidden, html });
    } else {
      expect(await row('/api/inbox')).toMatchObject({ snippet: null });
      expect(seen.status).toBe(403);
    }
  },
);

test('a search says nothing of what its reader may not read, and finds what lies behind that', async () => {
  const shut = await aThread();
  const open = await aThread();
  const behind = await say(open, 'in', { text: 'The merger of last year' });
  for (let n = 0; n < 5; n += 1) await say(shut, 'in', { text: `The merger, ${n}` });
  const { kim, token } = await reader('mail.message.read', `inbox:thread/${shut}`);
  const asked = async (query: string) => (await kim.rest('GET', `/api/mail/search?${query}&limit=1`)).body;
  expect(await asked('query=merger')).toMatchObject({ items: [{ id: behind.touch_id }], next_cursor: null });
  // Neither a page that is empty and goes on, nor one that ends, tells what is there.
  const none = { items: [], next_cursor: null };
  expect(await asked(`query=4`)).toEqual(none);
  await app.sql`delete from touches where id = ${behind.touch_id}`;
  expect(await asked('query=merger')).toEqual(none);
  expect((await token.tool('mail_search', { query: 'merger', limit: 1 })).json).toMatchObject(none);
  expect((await app.admin.rest('GET', '/api/mail/search?query=merger&limit=1')).body).toMatchObject({
    items: [{ snippet: 'The merger, 4' }],
    next_cursor: expect.any(String),
  });
});

test('what was merged into a conversation that someone may not read is read there by no one else either', async () => {
  await using sink = await smtpSink();
  const desk = await layDesk(app, { identity: { port: sink.port } });
  const person_id = desk.people[0]!.id;
  const into = await aThread({ campaign_id: desk.campaign.id, person_id });
  const from = await aThread({ person_id });
  await say(into, 'in', { text: 'Hello' });
  const { touch_id } = await say(from, 'in', { text: 'Zebrafish' });
  const { kim } = await reader('inbox.thread.read', `outreach:campaign/${desk.campaign.id}`);
  const found = async () => (await kim.rest('GET', '/api/mail/search?query=zebrafish')).body.items.length;
  const told = async () =>
    JSON.stringify((await kim.rest('GET', `/api/admin/crm/people/${person_id}/timeline`)).body).includes(
      touch_id,
    );
  expect([await found(), await told()]).toEqual([1, true]);
  const [a, b] = [await read(into), await read(from)];
  await act(`/api/threads/${into}/merge`, { from, revision: a.revision, from_revision: b.revision }, 200);
  expect([await found(), await told()]).toEqual([0, false]);
});

test('whoever splits off a message that they may not read is not told its subject', async () => {
  const thread = await aThread({ subject: 'Prices' });
  await say(thread, 'in');
  const shut = await say(thread, 'in', { subject: 'Okapi' });
  const { kim } = await reader('mail.message.read', `mail:message/${shut.touch_id}`);
  const { revision } = await read(thread);
  const body = { revision, touches: [shut.touch_id] };
  const answer = await kim.rest('POST', `/api/threads/${thread}/split`, body);
  expect([answer.status, answer.body.split?.subject]).toEqual([201, 'Prices']);
});
