// Steps that touch outreach: putting someone into a campaign, moving them, and drafting what a person sends.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aConversation } from '../../../../../test/letters/conversation.ts';
import { type Desk, layDesk, openDesk } from '../../../../../test/letters/desk.ts';
import type { TestApp } from '../../../../../test/support/app.ts';
import { somebody } from '../../../../../test/support/letters.ts';
import { smtpSink, type SmtpSink } from '../../../../../test/support/smtp.ts';
import { activeBy, ran, step } from '../../../../../test/support/workflows.ts';

let app: TestApp;
let sink: SmtpSink;
let desk: Desk;

beforeAll(async () => {
  app = await openDesk();
  sink = await smtpSink();
  desk = await layDesk(app, { identity: { port: sink.port } });
  await desk.send();
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
});

test('enrol puts someone into a campaign, with the wire of whoever activated it, and move_spine moves them', async () => {
  const dana = await somebody(app);
  const [campaign] = await app.sql<{ id: string }[]>`select id from campaigns limit 1`;
  const workflow = await activeBy(app.admin, [
    step('enrol', 'enrol', { campaign: '{{ trigger.campaign_id }}', people: ['{{ trigger.person_id }}'] }),
  ]);
  const run = await ran(app, app.admin, workflow, { campaign_id: campaign!.id, person_id: dana.id });
  expect(run.state, run.error ?? '').toBe('succeeded');
  const prospects = await app.sql<{ id: string }[]>`select id from prospects where person_id = ${dana.id}`;
  expect(prospects).toHaveLength(1);
  const moves = await activeBy(app.admin, [
    step(
      'move',
      'move_spine',
      { prospect: '{{ trigger.prospect_id }}', stage: 'positive', reason: 'said so' },
      { next: 'asks' },
    ),
    step(
      'asks',
      'condition',
      { value: '{{ steps.move.moved }}', is: 'equals', than: true, otherwise: 'no' },
      { next: null },
    ),
    step('no', 'wait', { minutes: 1 }),
  ]);
  expect(await ran(app, app.admin, moves, { prospect_id: prospects[0]!.id })).toMatchObject({
    state: 'succeeded',
  });
  const [moved] = await app.sql<
    { stage: string }[]
  >`select stage from prospects where person_id = ${dana.id}`;
  expect(moved?.stage).toBe('positive');
});

test('draft_answer and draft_letter draft, and send nothing', async () => {
  const conversation = await aConversation(app, desk);
  const dana = await somebody(app);
  const before = sink.letters.length;
  const workflow = await activeBy(app.admin, [
    step(
      'answer',
      'draft_answer',
      { thread: '{{ trigger.thread_id }}', text: 'Dear {{ trigger.name }}, gladly.' },
      { next: 'letter' },
    ),
    step('letter', 'draft_letter', {
      person_id: '{{ trigger.person_id }}',
      identity_id: '{{ trigger.identity_id }}',
      subject: 'Your bridge',
      text: 'Dear {{ trigger.name }}',
    }),
  ]);
  const run = await ran(app, app.admin, workflow, {
    thread_id: conversation.id,
    name: 'Dana',
    person_id: dana.id,
    identity_id: desk.identity.id,
  });
  expect(run.state, run.error ?? '').toBe('succeeded');
  const { body } = await app.admin.rest('GET', conversation.path);
  expect(body.items).toMatchObject([{ state: 'draft', text: 'Dear Dana, gladly.' }]);
  await desk.send();
  expect(sink.letters).toHaveLength(before);
});
