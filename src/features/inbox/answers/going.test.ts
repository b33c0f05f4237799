// Answers on their way: undone, stopped by their gates, and let past those that are not theirs.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answering } from '../../../../test/letters/answering.ts';
import { aConversation, type Conversation } from '../../../../test/letters/conversation.ts';
import { type Desk, layDesk, openDesk } from '../../../../test/letters/desk.ts';
import type { PersonClient, TestApp, TokenClient } from '../../../../test/support/app.ts';
import { smtpSink, type SmtpSink } from '../../../../test/support/smtp.ts';

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
const suppressed = (address: string, reason = 'manual') =>
  app.admin.rest('POST', '/api/admin/outreach/suppressions', { address, reason });

test('an agent edits and discards its own drafts:: the words under a person’s name are that person’s', async () => {
  const draft = await thread.drafted(member);
  const words = { revision: draft.revision, text: 'Send the money elsewhere' };
  const edited = await plain.tool('answer_draft', { thread_id: thread.id, answer_id: draft.id, ...words });
  expect(edited).toMatchObject({ isError: true, text: expect.stringContaining('its own drafts:') });
  const discarded = await plain.tool('api_request', { method: 'DELETE', path: `${thread.path}/${draft.id}` });
  expect(discarded.text).toBe(`HTTP 409: ${edited.text}`);
  expect(await answers()).toMatchObject([{ id: draft.id, text: draft.text, revision: draft.revision }]);
  const own = (await plain.tool('answer_draft', { thread_id: thread.id, text: 'Mine' })).json.answer;
  const mended = await member.rest('PATCH', `${thread.path}/${own.id}`, { revision: 1, text: 'Ours' });
  expect(mended.body.answer).toMatchObject({ text: 'Ours', draft_by: { kind: 'agent' } });
});

describe('undoing', () => {
  test('makes it a draft again within its ten seconds, for whoever may answer here, without wire', async () => {
    const draft = await thread.drafted(member);
    await sent(wire, draft);
    const back = await plain.rest('DELETE', sendPath(draft));
    expect(back.body.answer).toMatchObject({ id: draft.id, state: 'draft', text: draft.text, send_id: null });
    await afterItsTime();
    expect(sink.letters).toHaveLength(1);
    expect(await letters()).toMatchObject([{ state: 'cancelled', cancel_reason: 'taken_back' }]);
    expect((await plain.rest('DELETE', sendPath(draft))).status).toBe(200);
    expect((await sent(member, draft)).status).toBe(200);
    await afterItsTime();
    expect(sink.letters).toHaveLength(2);
  });

  test('is over once it went', async () => {
    const draft = await thread.drafted(member);
    await sent(member, draft);
    await afterItsTime();
    expect(refused(await member.rest('DELETE', sendPath(draft)))).toEqual([
      409,
      'this answer was already sent: write another one',
    ]);
  });

  test('is how an answer that a mail server refused, or a person called off, is fixed', async () => {
    const draft = await thread.drafted(member);
    const { send_id } = (await sent(member, draft)).body.answer;
    await app.admin.rest('POST', `/api/admin/outreach/sends/${send_id}/cancel`, {});
    expect(await answers()).toMatchObject([{ id: draft.id, state: 'draft', can_take_back: false }]);
    const again = (await sent(member, draft)).body.answer;
    await app.sql`
      update sends set state = 'failed', failed_reason = 'hard', sending_at = now() where id = ${again.send_id}`;
    const [failed] = await answers();
    expect(failed).toMatchObject({ state: 'held', can_take_back: true });
    expect(failed!.why_not).toContain('refused it');
    expect((await member.rest('DELETE', sendPath(draft))).body.answer).toMatchObject({ state: 'draft' });
  });
});

test('what is kept of an answer is without what it quotes, and with what its author quoted by hand', async () => {
  await app.sql`update identities set signature_text = ''`;
  const text = 'Yes.\n\nOn Monday, you wrote:\n> The price?';
  for (const quote of [true, false]) {
    await sent(member, await thread.drafted(member, { text, quote }));
    await afterItsTime();
  }
  const kept = await app.sql<{ text: string; text_stripped: string }[]>`
    select x.text, x.text_stripped from touches x join sends s on s.id = x.send_id and s.kind = 'answer' order by x.at, x.id`;
  expect(kept.map(({ text_stripped }) => text_stripped)).toEqual([text, text]);
  expect(kept.map((each) => each.text.includes('> Tell me more.'))).toEqual([true, false]);
});

describe('gates', () => {
  test('a paused campaign, a paused domain and an ended prospect do not hold it; a suppression does', async () => {
    await app.sql`update campaigns set state = 'paused', paused_reason = 'person'`;
    await app.sql`update domains set state = 'paused', paused_by = 'person', paused_reason = 'test', paused_at = now()`;
    await app.sql`update prospects set ended = 'replied', ended_at = now(), step_id = null, next_at = null, due_at = null`;
    await sent(member, await thread.drafted(member));
    await afterItsTime();
    expect(await answers()).toMatchObject([{ state: 'sent' }]);
    const { address } = desk.people[0]!;
    await suppressed(address);
    await sent(member, await thread.drafted(member));
    await afterItsTime();
    const [held] = await answers();
    expect(held).toMatchObject({ state: 'held', can_take_back: true, hold: { reason: 'suppressed' } });
    const events = await app.sql<{ body: string }[]>`
      select body from event_deliveries where event = 'send.held'`;
    expect(events.map(({ body }) => JSON.parse(body).data)).toMatchObject([
      { send_id: held!.send_id, campaign_id: desk.campaign.id, reason: 'suppressed' },
    ]);
  });

  test('whoever unsubscribed and wrote since is answered, by what they wrote and not by what one of ours wrote down', async () => {
    const { address } = desk.people[0]!;
    await suppressed(address, 'unsubscribe');
    const by = { kind: 'agent', id: plain.id, name: 'scout' } as const;
    await thread.writes({ by, channel: 'call', text: 'They would like to hear more.' });
    await sent(member, await thread.drafted(member));
    await afterItsTime();
    const [held] = await answers();
    expect(held!.hold).toMatchObject({ reason: 'suppressed' });
    await thread.writes({ text: 'Do write to me about the bridge.' });
    await app.admin.rest('POST', `/api/admin/outreach/sends/${held!.send_id}/recheck`, {});
    await desk.send();
    expect(await answers()).toMatchObject([{ state: 'sent' }]);
    // Whatever else is on the address is not theirs to take away by writing.
    await suppressed(address, 'manual');
    await thread.writes({ text: 'And the price?' });
    await sent(member, await thread.drafted(member));
    await afterItsTime();
    expect((await answers())[0]!.hold).toMatchObject({ reason: 'suppressed' });
  });

  test('whoever gets a copy is asked for too', async () => {
    await suppressed('Boss@Elsewhere.example');
    await sent(member, await thread.drafted(member, { cc: ['boss@elsewhere.example'] }));
    await afterItsTime();
    const [held] = await answers();
    expect(held!.hold).toMatchObject({ reason: 'suppressed' });
    expect(held!.hold!.sentence).toContain('that of a copy');
    const domain = { domain: 'elsewhere.example', reason: 'manual' };
    await app.admin.rest('POST', '/api/admin/outreach/suppressions', domain);
    const back = (await member.rest('DELETE', sendPath(held!))).body.answer;
    await member.rest('PATCH', `${thread.path}/${back.id}`, {
      revision: back.revision,
      cc: ['ann@elsewhere.example'],
    });
    await sent(member, (await answers())[0]!);
    await afterItsTime();
    expect((await answers())[0]!.state).toBe('held');
    expect(sink.letters).toHaveLength(1);
  });

  test('whoever may no longer send it, and a sender who was renamed since, hold it', async () => {
    const token = await app.token({ scopes: { wire: true } });
    const draft = await thread.drafted(member);
    await sent(token, draft);
    await app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
    await afterItsTime();
    expect((await answers())[0]).toMatchObject({ state: 'held', hold: { reason: 'approval_stale' } });
    await member.rest('DELETE', sendPath(draft));
    await sent(member, draft);
    await app.sql`update identities set name = 'Somebody Else'`;
    await afterItsTime();
    expect((await answers())[0]).toMatchObject({ state: 'held', hold: { reason: 'approval_stale' } });
    expect(sink.letters).toHaveLength(1);
    await member.rest('DELETE', sendPath(draft));
    await sent(member, (await answers())[0]!);
    await afterItsTime();
    expect((await mail()).from?.name).toBe('Somebody Else');
  });
});
