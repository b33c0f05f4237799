// Answers that are sent later: at the moment that was chosen, once, after a restart too, and not past what they wrote meanwhile.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { answering } from '../../../../test/letters/answering.ts';
import { aConversation, type Conversation } from '../../../../test/letters/conversation.ts';
import { type Desk, layDesk, openDesk } from '../../../../test/letters/desk.ts';
import type { PersonClient, TestApp } from '../../../../test/support/app.ts';
import { smtpSink, type SmtpSink } from '../../../../test/support/smtp.ts';
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/clock.ts';

let app: TestApp;
let sink: SmtpSink;
let desk: Desk;
let thread: Conversation;
let member: PersonClient;
beforeAll(async () => {
  app = await openDesk();
  member = await app.person({ name: 'Mo Member' });
});
afterAll(() => app?.close());
beforeEach(async () => {
  sink = await smtpSink();
  desk = await layDesk(app, { identity: { port: sink.port } });
  await desk.send();
  thread = await aConversation(app, desk);
});
afterEach(() => sink[Symbol.asyncDispose]());

const { sendPath, refused, answers } = answering(() => ({ app, sink, desk, thread }));
const in_ = (ms: number): string => after(app.clock.now(), ms).toISOString();
const later = (draft: { id: string; fingerprint: string }, not_before: string) =>
  member.rest('POST', sendPath(draft), { fingerprint: draft.fingerprint, not_before });
const threadNow = async () => (await member.rest('GET', `/api/threads/${thread.id}`)).body.thread;

test('one goes at its moment and not before, once, and its conversation is put off until then', async () => {
  const at = in_(5 * HOUR_MS);
  const draft = await thread.drafted(member);
  const sent = await later(draft, at);
  expect(sent.body.answer).toMatchObject({ state: 'sending', goes_at: at, can_take_back: true });
  // Asked again, as by a second click or a process that lost the answer: one letter.
  expect((await later(draft, in_(6 * HOUR_MS))).body.answer).toMatchObject({ goes_at: at });
  expect(await threadNow()).toMatchObject({ state: 'snoozed', snoozed_until: at });
  const listed = await app.admin.rest('GET', '/api/admin/outreach/sends?state=scheduled');
  expect(listed.body.items).toMatchObject([{ kind: 'answer', scheduled_for: at }]);
  app.clock.advance(4 * HOUR_MS);
  await desk.send();
  expect(sink.letters).toHaveLength(1);
  app.clock.advance(HOUR_MS);
  await Promise.all([desk.send(), desk.send()]);
  expect(sink.letters).toHaveLength(2);
  expect(await answers()).toMatchObject([{ state: 'sent', can_take_back: false }]);
});

test('one is withdrawn until then, and its conversation is open again', async () => {
  const draft = await thread.drafted(member);
  await later(draft, in_(DAY_MS));
  app.clock.advance(23 * HOUR_MS);
  const back = await member.rest('DELETE', sendPath(draft));
  expect(back.body.answer).toMatchObject({ id: draft.id, state: 'draft', text: draft.text });
  expect(await threadNow()).toMatchObject({ state: 'open', snoozed_until: null });
  app.clock.advance(2 * HOUR_MS);
  await desk.send();
  expect(sink.letters).toHaveLength(1);
  // Put off by hand meanwhile, it stays so.
  const [again] = await answers();
  await later(again!, in_(DAY_MS));
  const { revision } = await threadNow();
  const until = in_(3 * DAY_MS);
  await member.rest('PATCH', `/api/threads/${thread.id}`, { revision, snoozed_until: until });
  await member.rest('DELETE', sendPath(draft));
  expect(await threadNow()).toMatchObject({ state: 'snoozed', snoozed_until: until });
});

test('what they write meanwhile opens the conversation and holds the answer, which says so', async () => {
  const draft = await thread.drafted(member);
  await later(draft, in_(5 * HOUR_MS));
  await thread.writes({ text: 'Forget it, we have one.' });
  expect((await threadNow()).state).toBe('open');
  app.clock.advance(5 * HOUR_MS);
  await desk.send();
  expect(sink.letters).toHaveLength(1);
  const [held] = await answers();
  expect(held).toMatchObject({
    state: 'held',
    can_take_back: true,
    hold: { reason: 'approval_stale', sentence: 'They wrote again before this reply went out.' },
  });
  // Read again and sent now, it goes.
  const back = (await member.rest('DELETE', sendPath(draft))).body.answer;
  await member.rest('POST', sendPath(back), { fingerprint: back.fingerprint });
  app.clock.advance(MINUTE_MS);
  await desk.send();
  expect(await answers()).toMatchObject([{ state: 'sent' }]);
});

test('a moment that is over or more than 30 days off is refused, and nothing is sent', async () => {
  const draft = await thread.drafted(member);
  expect(refused(await later(draft, in_(-MINUTE_MS)))).toEqual([
    400,
    'not_before: give a future time, or leave it out to send now',
  ]);
  expect(refused(await later(draft, in_(31 * DAY_MS)))).toEqual([
    400,
    'not_before: give a time within 30 days',
  ]);
  expect(await answers()).toMatchObject([{ state: 'draft' }]);
});
