// Answers: drafted freely, sent by wire as they were read, undone within ten seconds, and never twice.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answering } from '../../../../test/letters/answering.ts';
import { aConversation, type Conversation } from '../../../../test/letters/conversation.ts';
import { type Desk, layDesk, openDesk } from '../../../../test/letters/desk.ts';
import type { PersonClient, TestApp, TokenClient } from '../../../../test/support/app.ts';
import { smtpSink, type SmtpSink } from '../../../../test/support/smtp.ts';
import { WIRE_REQUIRED } from '../../../kernel/sentences.ts';
import { CHANGED, TAKE_BACK_MS, WROTE_AGAIN } from './rules.ts';

let app: TestApp;
let sink: SmtpSink;
let desk: Desk;
let thread: Conversation;
let member: PersonClient;
let plain: TokenClient;
let wire: TokenClient;
beforeAll(async () => {
  app = await openDesk();
  member = await app.person({ name: 'Mo Member' });
  plain = await app.token();
  wire = await app.token({ scopes: { wire: true } });
});
afterAll(() => app?.close());
beforeEach(async () => {
  sink = await smtpSink();
  desk = await layDesk(app, {
    identity: { port: sink.port, columns: { signature_text: 'Ada\nDesk Ltd' } },
  });
  await desk.send();
  thread = await aConversation(app, desk);
});
afterEach(() => sink[Symbol.asyncDispose]());

const { sendPath, sent, refused, answers, letters, afterItsTime, mail } = answering(() => ({
  app,
  sink,
  desk,
  thread,
}));
describe('a draft', () => {
  test('answers what they wrote, to where they wrote from, with the signature of the conversation’s identity', async () => {
    const draft = await thread.drafted(member);
    expect(draft).toMatchObject({
      state: 'draft',
      draft_by: { kind: 'person', name: 'Mo Member' },
      subject: 'Re: Your bridge',
      text: 'Dear you, here is more.',
      letter: {
        text: expect.stringMatching(/^Dear you, here is more\.\n\nAda\nDesk Ltd\n\nOn /),
        html: null,
      },
      quote: true,
      attachments: [],
      from: 'Ada Roe <ada@desk.example>',
      recipients: [{ as: 'to', address: desk.people[0]!.address, in_thread: true }],
      why_not: null,
      send_id: null,
      revision: 1,
    });
    expect(await letters()).toHaveLength(0);
  });

  test('is one for each author and conversation: asked twice it is the same, and other words need its revision', async () => {
    const draft = await thread.drafted(member);
    expect((await thread.drafted(member)).id).toBe(draft.id);
    const other = await member.rest('POST', thread.path, { text: 'Other words' });
    expect([other.status, other.body.error.details]).toEqual([409, { answer_id: draft.id, revision: 1 }]);
    const anew = await member.rest('POST', thread.path, { text: 'Other words', revision: 1 });
    expect(anew.body.answer).toMatchObject({ id: draft.id, text: 'Other words', revision: 2 });
    const late = await member.rest('PATCH', `${thread.path}/${draft.id}`, { text: 'Late', revision: 1 });
    expect(late.status).toBe(409);
    expect((await thread.drafted(app.admin)).id).not.toBe(draft.id);
    const drafts = await Promise.all([thread.drafted(wire), thread.drafted(wire)]);
    expect(drafts[0].id).toBe(drafts[1].id);
  });

  test('shows who gets it from outside the conversation (red team G5)', async () => {
    const draft = await thread.drafted(plain, {
      cc: ['Boss@Elsewhere.example', 'boss@elsewhere.example', desk.people[0]!.address],
    });
    expect(draft.recipients).toEqual([
      { as: 'to', address: desk.people[0]!.address, in_thread: true },
      { as: 'cc', address: 'Boss@elsewhere.example', in_thread: false },
    ]);
    const wrong = await plain.rest('POST', thread.path, { text: 'x', cc: ['Ann <a@b.example>'] });
    expect([wrong.status, Object.keys(wrong.body.error.details.fields)]).toEqual([400, ['cc']]);
  });

  test('is refused where no one wrote, on a channel that mail does not reach, and after a machine alone', async () => {
    const written = async (first: Parameters<typeof aConversation>[2], channel = 'email') => {
      await app.sql`truncate answers, touches, threads cascade`;
      await app.sql`update sends set thread_id = null`;
      const other = await aConversation(app, desk, first);
      await app.sql`update threads set channel = ${channel} where id = ${other.id}`;
      return member.rest('POST', other.path, { text: 'x' });
    };
    expect(refused(await written(null))).toEqual([
      409,
      expect.stringContaining('has no inbound mail to answer'),
    ]);
    expect(refused(await written({ automatic: true }))[0]).toBe(409);
    const by = { kind: 'person', id: member.id, name: member.name } as const;
    // What a colleague writes down for them is no mail of theirs: it opens no way past the gates.
    expect(refused(await written({ by }))[0]).toBe(409);
    expect(refused(await written({}, 'call'))).toEqual([409, expect.stringContaining('sent by email only')]);
  });

  test('is edited, discarded, and not sent after that', async () => {
    const draft = await thread.drafted(member, { html: '<p>Dear you</p>', cc: ['boss@elsewhere.example'] });
    const edit = await app.admin.rest('PATCH', `${thread.path}/${draft.id}`, {
      text: 'Better',
      revision: 1,
    });
    expect(edit.body.answer).toMatchObject({
      text: 'Better',
      html: null,
      cc: ['boss@elsewhere.example'],
      draft_by: { name: 'Mo Member' },
      revision: 2,
    });
    const gone = await member.rest('DELETE', `${thread.path}/${draft.id}`);
    expect([gone.status, gone.body]).toEqual([200, { ok: true }]);
    expect(await answers()).toEqual([]);
    expect(refused(await sent(member, edit.body.answer))).toEqual([
      409,
      'this answer was discarded: write another one',
    ]);
  });

  test('may hold anything that is text, and is refused where it cannot be a letter', async () => {
    const { text } = await thread.drafted(member, { text: '{{ person.name }} {% if %} <b>ü</b>' });
    expect(text).toBe('{{ person.name }} {% if %} <b>ü</b>');
    for (const [said, field] of [
      [{ text: ' ' }, 'text'],
      [{ text: 'x', subject: 'a\r\nBcc: b@c.example' }, 'subject'],
      [{ text: 'a\0b' }, 'text'],
      [{ text: 'x', cc: Array.from({ length: 21 }, (_, n) => `a${n}@b.example`) }, 'cc'],
    ] as const) {
      const answer = await member.rest('POST', thread.path, said);
      expect([answer.status, Object.keys(answer.body.error.details.fields)]).toEqual([400, [field]]);
    }
  });
});

describe('sending', () => {
  test('needs wire on every route, and leaves the draft as it was', async () => {
    const draft = await thread.drafted(member);
    expect(refused(await sent(plain, draft))).toEqual([403, WIRE_REQUIRED]);
    const { id: answer_id, fingerprint } = draft;
    expect((await plain.tool('answer_send', { answer_id, fingerprint })).text).toBe(WIRE_REQUIRED);
    const request = await plain.tool('api_request', {
      method: 'POST',
      path: sendPath(draft),
      body: { fingerprint },
    });
    expect(request.text).toBe(`HTTP 403: ${WIRE_REQUIRED}`);
    expect(await answers()).toEqual([draft]);
    expect(await letters()).toHaveLength(0);
  });

  test('waits ten seconds, then goes into their thread, signed, without a way to unsubscribe, and is a touch of the conversation', async () => {
    const { message_id } = await thread.writes({ text: 'And the price?' });
    const draft = await thread.drafted(member, { cc: ['boss@elsewhere.example'] });
    const going = await sent(member, draft);
    expect(going.body.answer).toMatchObject({
      state: 'sending',
      can_take_back: true,
      fingerprint: draft.fingerprint,
    });
    const [made] = await letters();
    expect(Date.parse(going.body.answer.goes_at) - made!['created_at'].getTime()).toBe(TAKE_BACK_MS);
    await desk.send();
    expect(sink.letters).toHaveLength(1);
    await afterItsTime();
    expect(sink.letters).toHaveLength(2);
    expect(sink.letters[1]!.to).toEqual([desk.people[0]!.address, 'boss@elsewhere.example']);
    const letter = await mail();
    expect(letter.subject).toBe('Re: Your bridge');
    expect(letter.inReplyTo).toBe(message_id);
    expect(letter.references).toBe(`${desk.letters[0]!.message_id} ${message_id}`);
    expect(letter.text?.trim()).toBe(draft.letter.text);
    expect(letter.text?.trim()).toMatch(/ wrote:\r?\n> And the price\?$/);
    expect(letter.cc).toMatchObject([{ address: 'boss@elsewhere.example' }]);
    expect(letter.header('list-unsubscribe')).toBeNull();
    expect(await answers()).toMatchObject([{ state: 'sent', can_take_back: false }]);
    const [row] = await letters();
    expect(row).toMatchObject({ approved_by_name: 'Mo Member', campaign_id: null, prospect_id: null });
    const touches = await app.sql`
      select direction, text_stripped, cc_addresses from touches where send_id = ${row!['id']}`;
    const text_stripped = 'Dear you, here is more.\n\nAda\nDesk Ltd';
    expect(touches).toMatchObject([
      { direction: 'out', text_stripped, cc_addresses: ['boss@elsewhere.example'] },
    ]);
    const threads = await app.sql<{ waiting: string }[]>`select waiting from threads where id = ${thread.id}`;
    expect(threads).toMatchObject([{ waiting: 'them' }]);
  });

  test('is refused where the draft changed since it was read, or who sends it', async () => {
    const draft = await thread.drafted(member);
    await member.rest('PATCH', `${thread.path}/${draft.id}`, { text: 'Send money', revision: 1 });
    expect(refused(await sent(member, draft))).toEqual([409, CHANGED]);
    const [now] = await answers();
    await app.sql`update identities set name = 'Somebody Else'`;
    const renamed = await sent(member, now!);
    expect(refused(renamed)).toEqual([409, CHANGED]);
    expect(renamed.body.error.details.fingerprint).toBe((await answers())[0]!.fingerprint);
    expect(await letters()).toHaveLength(0);
    expect((await sent(member, (await answers())[0]!)).status).toBe(200);
  });

  test('is refused where they wrote again since it was read, until it is read again', async () => {
    const draft = await thread.drafted(member);
    await thread.writes({ text: 'Never mind.' });
    expect(refused(await sent(member, draft))).toEqual([409, WROTE_AGAIN]);
    const [read] = await answers();
    expect(read).toMatchObject({ id: draft.id, revision: 1, newer_message: true });
    expect((await sent(member, read!)).status).toBe(200);
  });

  test('a second click, two at once and a lost answer come to one letter', async () => {
    const draft = await thread.drafted(member);
    const clicks = await Promise.all([sent(member, draft), sent(member, draft), sent(app.admin, draft)]);
    expect(clicks.map(({ status }) => status)).toEqual([200, 200, 200]);
    await afterItsTime();
    expect(await letters()).toHaveLength(1);
    expect((await sent(member, draft)).body.answer).toMatchObject({ state: 'sent' });
    await afterItsTime();
    expect(sink.letters).toHaveLength(2);
  });

  test('what was sent is edited neither as an answer nor as a letter (side door 7)', async () => {
    const draft = await thread.drafted(member);
    const going = (await sent(member, draft)).body.answer;
    const edit = await member.rest('PATCH', `${thread.path}/${draft.id}`, {
      text: 'Send money',
      revision: going.revision,
    });
    expect(refused(edit)).toEqual([409, expect.stringContaining('this answer is queued')]);
    const another = await member.rest('POST', thread.path, { text: 'Send money', revision: going.revision });
    expect(another.status).toBe(409);
    const letter = await app.admin.rest('PATCH', `/api/admin/outreach/sends/${going.send_id}`, {
      revision: 1,
      text: 'Send money',
    });
    expect(refused(letter)).toEqual([409, expect.stringContaining('edit an answer in its thread')]);
    await afterItsTime();
    expect((await mail()).text).toContain('here is more');
  });

  test('no token drafts and sends in one breath: a draft is not a way around wire (side door 12)', async () => {
    const drafted = await plain.tool('answer_draft', { thread_id: thread.id, text: 'Here is your data' });
    const { answer } = drafted.json;
    expect(answer).toMatchObject({ state: 'draft', draft_by: { kind: 'agent' } });
    expect(
      (await plain.tool('answer_send', { answer_id: answer.id, fingerprint: answer.fingerprint })).text,
    ).toBe(WIRE_REQUIRED);
    const edited = await plain.tool('answer_draft', {
      thread_id: thread.id,
      answer_id: answer.id,
      revision: 1,
      text: 'Dear you',
    });
    const agent = await wire.tool('answer_send', {
      answer_id: answer.id,
      fingerprint: edited.json.answer.fingerprint,
    });
    expect(agent.json.answer).toMatchObject({ state: 'sending', can_take_back: true });
    expect(sink.letters).toHaveLength(1);
    await afterItsTime();
    expect(sink.letters).toHaveLength(2);
  });

  test('without an identity, with one that is gone and with one that is not active, it says who can do what', async () => {
    const draft = await thread.drafted(member);
    await app.sql`update identities set active = false`;
    const idle = await sent(member, draft);
    expect(refused(idle)).toEqual([409, expect.stringContaining('ada@desk.example is not active')]);
    expect((await answers())[0]!.why_not).toBe(idle.body.error.message);
    await app.sql`update identities set gone_at = now()`;
    expect(refused(await sent(member, draft))).toEqual([409, expect.stringContaining('was deleted')]);
    await app.sql`update threads set identity_id = null`;
    expect(refused(await sent(member, draft))).toEqual([409, expect.stringContaining('was deleted')]);
    expect(await letters()).toHaveLength(0);
  });
});

test('a conversation of someone else’s chat, and one that is not there, have no answers', async () => {
  const none = await member.rest('POST', '/api/threads/0198c0de-0000-7000-8000-000000000000/answers', {
    text: 'x',
  });
  expect(none.status).toBe(404);
  const draft = await thread.drafted(member);
  const other = await member.rest(
    'POST',
    `/api/threads/0198c0de-0000-7000-8000-000000000000/answers/${draft.id}/send`,
    { fingerprint: draft.fingerprint },
  );
  expect(other.status).toBe(404);
});
