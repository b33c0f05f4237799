// Conversations: letters that went are in them, threads are read within the cap, live, and found.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestApp, TokenClient } from '../../../../../test/support/app.ts';
import { smtpSink } from '../../../../../test/support/smtp.ts';
import { layDesk, openDesk } from '../../../../../test/letters/desk.ts';
import { seedLetters } from '../../../../../test/letters/seed.ts';
import { somebody } from '../../../../../test/support/letters.ts';
import { talksIn } from '../../../../../test/support/threads.ts';
import { DAY_MS } from '../../../../kernel/clock.ts';
import { QUOTE_UNREAD, SEND_UNREAD } from '../../answers/rules.ts';
import { threadFor } from '../record/open.store.ts';
import { recordOut } from '../record/out.store.ts';

let app: TestApp;
let scout: TokenClient;
beforeAll(async () => {
  app = await openDesk();
  scout = await app.token();
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.sql`truncate threads, people cascade`;
});

const { now, transact, aThread, say, get, read, said, found, act } = talksIn(() => app);

describe('letters that went', () => {
  test('are in one conversation of their prospect, which is in no inbox until they write', async () => {
    await using sink = await smtpSink();
    const desk = await layDesk(app, {
      identity: { port: sink.port },
      campaign: { steps: [0, 3] },
      people: 2,
    });
    await desk.send();
    app.clock.advance(4 * DAY_MS);
    const site = [desk.site, desk.campaign, desk.people, () => desk.identity, app.admin.id] as const;
    await seedLetters(...site, now(), { step: 1 });
    await desk.send();
    const letters = await app.sql<{ id: string; thread_id: string; prospect_id: string }[]>`
      select id, thread_id, prospect_id from sends where state = 'sent'`;
    expect(letters).toHaveLength(4);
    const { items } = await get(`/api/threads?campaign=${desk.campaign.id}`);
    expect(items).toHaveLength(2);
    for (const thread of items)
      expect(thread).toMatchObject({
        waiting: 'them',
        touch_count: 2,
        unread_by_me: false,
        last_in_at: null,
      });
    expect((await get('/api/inbox')).items).toEqual([]);
    const [first] = letters;
    const whole = await get(`/api/threads/${first!.thread_id}`);
    expect(whole).toMatchObject({
      thread: { prospect_id: first!.prospect_id, channel: 'email' },
      prospect: { id: first!.prospect_id, stage: 'contacted' },
      campaign: { id: desk.campaign.id },
      person: { id: whole.thread.person_id, suppressed: false },
    });
    expect(whole.touches[0]).toMatchObject({
      direction: 'out',
      words: 'ours',
      from: { address: 'ada@desk.example' },
    });
    // The unsubscribe link is the reader's own: no one here is handed it with the text.
    expect(whole.touches[0].text).not.toMatch(/\/u\/\w/);
    // Recording is safe to repeat.
    expect(await transact((tx) => recordOut(tx, [first!.id], now()))).toEqual([]);
  });

  test('an answer that lands before its letter is recorded shares its thread', async () => {
    await using sink = await smtpSink();
    const desk = await layDesk(app, { identity: { port: sink.port } });
    const [letter] = desk.letters;
    const landed = await transact((tx) => threadFor(tx, { channel: 'email', send_id: letter!.id }, now()));
    await say(landed, 'in');
    await desk.send();
    expect((await desk.row()).thread_id).toBe(landed);
    expect(await read(landed)).toMatchObject({ touch_count: 2 });
  });
});

test('of two that find no thread of someone at once, both get the same one', async () => {
  const person = await somebody(app);
  const both = await Promise.all(
    [1, 2, 3, 4].map(() => transact((tx) => threadFor(tx, { channel: 'form', person_id: person.id }, now()))),
  );
  expect(new Set(both).size).toBe(1);
});

test('a mail is in a thread once, however often it lands', async () => {
  const thread = await aThread();
  const raw_ref = crypto.randomUUID();
  await app.sql`insert into inbound_mails ${app.sql({
    id: raw_ref,
    key: raw_ref,
    source: 'imap',
    bytes: Buffer.from('x'),
    size_bytes: 1,
    received_at: now(),
  } as never)}`;
  const first = await say(thread, 'in', { raw_ref });
  const again = await say(thread, 'in', { raw_ref, text: 'Other' });
  expect(again).toEqual({ ...first, made: false });
  expect(await said(thread)).toEqual([first.touch_id]);
});

describe('reading a thread', () => {
  test('gives texts without quoted history unless asked for whole, and never more than the cap', async () => {
    const thread = await aThread();
    const big = 'word '.repeat(20_000);
    for (let n = 0; n < 30; n++)
      await say(thread, 'in', {
        text: `new ${n}\n> ${big}`,
        text_stripped: `new ${n} ${big.slice(0, 5_000)}`,
      });
    const { text } = await scout.tool('thread_get', { thread_id: thread });
    expect(text.length).toBeLessThan(48_000);
    const first = JSON.parse(text);
    expect(first.touches.length).toBeGreaterThan(3);
    expect(first.touches.at(-1)).toMatchObject({ words: 'theirs' });
    // What is false, null or empty isn’t said.
    for (const key of ['text_cut', 'note', 'confidence', 'cc'])
      expect(first.touches.at(-1)).not.toHaveProperty(key);
    expect(first.touches.at(-1).text).toMatch(/^new 29 /);
    expect(text).not.toContain('> word');
    const whole = await scout.tool('thread_get', { thread_id: thread, full: true });
    expect(whole.json.touches.at(-1)).toMatchObject({ text_cut: true });
    expect(whole.json.touches.at(-1).text).toContain('> word');
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await get(`/api/threads/${thread}?cursor=${cursor}`.replace(/\?cursor=$/, ''));
      seen.unshift(...page.touches.map((each: any) => each.id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(30);
  });

  test('one touch has its whole text and its HTML; a file is saved and never opened as a page', async () => {
    const thread = await aThread();
    const bytes = Buffer.from('<script>alert(1)</script>\0\xff', 'latin1');
    const { touch_id } = await say(thread, 'in', {
      text: 'Hi\0 there \ud800\n> before',
      text_stripped: 'Hi there',
      html: '<p>Hi there</p>',
      attachments: [
        { filename: '../../ev"il\r\nx: y.html', content_type: 'text/html', size: bytes.length, bytes },
        { filename: 'film.mov', content_type: 'video/quicktime', size: 90_000_000, bytes: null },
      ],
    });
    const { touch } = await get(`/api/threads/${thread}/touches/${touch_id}`);
    expect(touch).toMatchObject({ html: '<p>Hi there</p>', text_stripped: 'Hi there', has_html: true });
    expect(touch.text).toBe('Hi there \ufffd\n> before');
    expect(touch.attachments).toMatchObject([{ content_type: 'text/html', kept: true }, { kept: false }]);
    const [file, film] = touch.attachments;
    const answer = await fetch(`${app.url}/api/threads/${thread}/attachments/${file.id}`, {
      headers: { cookie: app.admin.cookie, origin: app.url },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="ev_il_x_y.html"');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes)).toBe(0);
    await get(`/api/threads/${thread}/attachments/${film.id}`, 404);
    const other = await aThread();
    await get(`/api/threads/${other}/attachments/${file.id}`, 404);
    await get(`/api/threads/${other}/touches/${touch_id}`, 404);
  });

  test('what a policy keeps someone from reading is in no page of its thread, and in no answer to it', async () => {
    await using sink = await smtpSink();
    const desk = await layDesk(app, { identity: { port: sink.port } });
    const thread = await aThread({ identity_id: desk.identity.id });
    const from = { address: 'dana@acme.example', name: 'Dana' };
    const open = await say(thread, 'in', { text: 'The price?', from });
    const secret = { text: 'The secret', html: '<p>The secret</p>', subject: 'About the secret' };
    const shut = await say(thread, 'in', { ...secret, from });
    await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
    const resources = [`mail:message/${shut.touch_id}`];
    const statements = [{ effect: 'deny', actions: ['mail.message.read'], resources }];
    await app.admin.rest('POST', '/api/admin/policies', { name: 'not-that', version: 1, statements });
    const kim = await app.person({ name: 'Kim', policies: ['not-that'] });
    const { body } = await kim.rest('GET', `/api/threads/${thread}?full=true`);
    expect(body.touches.map(({ id }: { id: string }) => id)).toEqual([open.touch_id]);
    expect(JSON.stringify(body.touches)).not.toContain('The secret');

    const path = `/api/threads/${thread}/answers`;
    const words = { text: 'Yes.', html: '<p>Yes.</p>' };
    const bare = { text: 'Yes.', html: '<p>Yes.</p>', quoted: null };
    const heard: string[] = [];
    const asked = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', at: string, given?: object) => {
      const { status, body } = await kim.rest(method, at, given);
      heard.push(JSON.stringify(body.thread ? body.draft : body));
      return { status, answer: body.answer, says: body.error?.message, items: body.items };
    };
    expect(await asked('POST', path, { ...words, quote: true })).toMatchObject({
      status: 403,
      says: QUOTE_UNREAD,
    });
    const own = await asked('POST', path, words);
    expect(own).toMatchObject({ status: 201, answer: { quote: false, letter: bare, why_not: null } });
    const { id, revision } = own.answer;
    expect((await asked('PATCH', `${path}/${id}`, { revision, quote: true })).says).toBe(QUOTE_UNREAD);
    const sending = { fingerprint: own.answer.fingerprint };
    expect((await asked('POST', `${path}/${id}/send`, sending)).status).toBe(200);
    expect((await asked('DELETE', `${path}/${id}/send`)).status).toBe(200);

    // Of someone who may read it: it quotes, and that is not shown to her in any state.
    const { answer } = await act(path, { ...words, subject: 'Prices' }, 201);
    expect(answer.letter.quoted).toContain('The secret');
    const { fingerprint } = answer;
    const hidden = { id: answer.id, quote: true, letter: bare, fingerprint };
    const listed = async () => (await asked('GET', path)).items.find((each: any) => each.id === answer.id);
    expect(await listed()).toMatchObject({ ...hidden, why_not: SEND_UNREAD });
    expect(await asked('POST', `${path}/${answer.id}/send`, { fingerprint })).toMatchObject({
      status: 403,
      says: SEND_UNREAD,
    });
    await asked('GET', `/api/threads/${thread}`);
    await act(`${path}/${answer.id}/send`, { fingerprint }, 200);
    expect(await listed()).toMatchObject({ ...hidden, state: 'sending', why_not: null });
    expect((await asked('POST', `${path}/${answer.id}/send`, { fingerprint })).status).toBe(200);
    const back = await asked('DELETE', `${path}/${answer.id}/send`);
    expect(back.answer).toMatchObject({ ...hidden, state: 'draft' });
    const edited = { revision: back.answer.revision, text: 'No.' };
    const anew = await asked('PATCH', `${path}/${answer.id}`, edited);
    expect(anew.answer).toMatchObject({ quote: false, letter: { text: 'No.', quoted: null }, why_not: null });
    expect(heard.join('\n')).not.toMatch(/the secret/i);
  });

  test('the live view is refused to request tools with what to read instead', async () => {
    const thread = await aThread();
    const answer = await scout.tool('api_request', { method: 'GET', path: `/api/threads/${thread}/attach` });
    expect(answer).toMatchObject({
      isError: true,
      text: '/api/threads/{id}/attach is a live stream: use GET /api/threads/:id to read the thread as it stands',
    });
  });

  test('the live view of a thread tells of it and of no other', async () => {
    const thread = await aThread();
    const other = await aThread();
    const ends = new AbortController();
    const stream = await fetch(`${app.url}/api/threads/${thread}/attach`, {
      headers: { cookie: app.admin.cookie, origin: app.url },
      signal: ends.signal,
    });
    const heard = (async () => {
      let text = '';
      for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
        text += piece;
        if (text.includes('data:')) return text;
      }
      return text;
    })();
    await act(`/api/threads/${other}/touches`, { note: true, text: 'Not this one' }, 201);
    await act(`/api/threads/${thread}/touches`, { note: true, text: 'This one' }, 201);
    expect(await heard).toContain(`data: ${JSON.stringify({ topic: 'threads', id: thread })}`);
    expect(await heard).not.toContain(other);
    ends.abort();
  });
});

describe('the search', () => {
  test('goes over subject, text, names and addresses, by beginnings of words, newest first', async () => {
    const thread = await aThread();
    const a = await say(thread, 'in', {
      text_stripped: 'Was kostet die Brücke?',
      from: { address: 'Dana@Acme.example', name: 'Dana Røe' },
    });
    const b = await say(thread, 'out', { subject: 'Brücken und Tunnel', to: ['dana@acme.example'] });
    expect(await found('query=BRÜCKE')).toEqual([b.touch_id, a.touch_id]);
    expect(await found('query=dana@acme.example')).toEqual([b.touch_id, a.touch_id]);
    expect(await found('query=røe')).toEqual([a.touch_id]);
    expect(await found('query=kostet%20tunnel')).toEqual([]);
    expect(await found('query=%26%7C!')).toEqual([]);
    const { json } = await scout.tool('mail_search', { query: 'kostet', limit: 1 });
    expect(json.items).toMatchObject([
      { words: 'theirs', snippet: 'Was kostet die Brücke?', thread_id: thread },
    ]);
    expect(json.items[0]).not.toHaveProperty('text');
  });

  test('narrows by campaign and sender, also what is in another thread by now', async () => {
    await using sink = await smtpSink();
    const desk = await layDesk(app, { identity: { port: sink.port } });
    await desk.send();
    const sent = await found(`campaign=${desk.campaign.id}`);
    expect(sent).toHaveLength(1);
    expect(await found(`identity=${desk.identity.id}`)).toEqual(sent);
    expect(await found(`campaign=${desk.identity.id}`)).toEqual([]);
    const into = await aThread();
    const from = (await desk.row()).thread_id;
    const [a, b] = [await read(into), await read(from)];
    await act(`/api/threads/${into}/merge`, { from, revision: a.revision, from_revision: b.revision }, 200);
    expect(await found(`campaign=${desk.campaign.id}`)).toEqual(sent);
  });
});
