// What hangs on what was said goes with it when a conversation is split: answers and their letters, files, drafts, deals.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answering } from '../../../../../test/letters/answering.ts';
import { aConversation, type Conversation } from '../../../../../test/letters/conversation.ts';
import { type Desk, layDesk, openDesk } from '../../../../../test/letters/desk.ts';
import { somebody } from '../../../../../test/support/letters.ts';
import type { RestClient, TestApp } from '../../../../../test/support/app.ts';
import { smtpSink, type SmtpSink } from '../../../../../test/support/smtp.ts';
import { talksIn } from '../../../../../test/support/threads.ts';
import { HOUR_MS } from '../../../../kernel/clock.ts';

let app: TestApp;
let sink: SmtpSink;
let desk: Desk;
let thread: Conversation;
beforeAll(async () => {
  app = await openDesk();
});
afterAll(() => app?.close());

const { act, get, read, aThread } = talksIn(() => app);
const { sent } = answering(() => ({ app, sink, desk, thread }));

/** Long enough for whoever sends. */
async function gone(): Promise<void> {
  app.clock.advance(HOUR_MS);
  await desk.send();
}
const upload = async (filename: string): Promise<string> => {
  const file_base64 = Buffer.from(filename).toString('base64');
  const given = { filename, media_type: 'application/pdf', file_base64 };
  return (await act(`/api/threads/${thread.id}/attachments`, given, 201)).attachment.id;
};
const split = async (touches: string[]): Promise<any> => {
  const { revision } = await read(thread.id);
  return (await act(`/api/threads/${thread.id}/split`, { revision, touches }, 201)).split;
};
const answersOf = async (id: string): Promise<string[]> =>
  (await get(`/api/threads/${id}/answers`)).items.map((each: { id: string }) => each.id);
const homeOf = async (file: string): Promise<string | null> =>
  (await app.sql<{ thread_id: string }[]>`select thread_id from attachments where id = ${file}`)[0]
    ?.thread_id ?? null;

test('a split takes answers, their letters and files, drafts and deals along, and erasing finds all of them', async () => {
  sink = await smtpSink();
  await using _ = sink;
  desk = await layDesk(app, { identity: { port: sink.port } });
  await desk.send();
  thread = await aConversation(app, desk);
  const [mo, plain] = [await app.person({ name: 'Mo' }), await app.person({ name: 'Plain' })];
  const [stays, goes, both, drafted] = [
    await upload('stays.pdf'),
    await upload('goes.pdf'),
    await upload('both.pdf'),
    await upload('drafted.pdf'),
  ];
  const draft = (by: RestClient, text: string, attachments: string[]) =>
    thread.drafted(by, { text, attachments });
  const first = await draft(app.admin, 'To Dana', [stays, both]);
  await sent(app.admin, first);
  await gone();
  const kim = await somebody(app, 'Kim');
  const from = { address: 'kim@acme.example', name: 'Kim' };
  const hers = await thread.writes({ person_id: kim.id, from, text: 'I am Kim' });
  const second = await draft(app.admin, 'To Kim', [goes, both]);
  const went = (await sent(app.admin, second)).body.answer.send_id;
  await gone();
  const third = await draft(mo, 'To Kim, on its way', []);
  const waits = (await sent(mo, third)).body.answer.send_id;
  const fourth = await draft(plain, 'To Kim, a draft', [drafted]);
  const deal = { name: 'A deal', thread_id: thread.id, opened_by: 'reading', stage: 'new', state: 'open' };
  for (const person_id of [kim.id, desk.people[0]!.id])
    await app.sql`insert into deals ${app.sql({
      ...deal,
      id: crypto.randomUUID(),
      person_id,
      position: 1,
      search: '',
      created_by_kind: 'system',
      created_by_id: 'x',
      created_by_name: 'X',
      created_at: app.clock.now(),
      updated_at: app.clock.now(),
    } as never)}`;

  const { touches } = await get(`/api/threads/${thread.id}`);
  const toKim = touches.find((each: { send_id: string }) => each.send_id === went).id;
  const { id } = await split([hers.touch_id, toKim]);
  expect((await read(id)).person_id).toBe(kim.id);
  expect(await answersOf(thread.id)).toEqual([first.id]);
  expect((await answersOf(id)).toSorted()).toEqual([second.id, third.id, fourth.id].toSorted());
  expect(await Promise.all([stays, both, goes, drafted].map(homeOf))).toEqual([thread.id, thread.id, id, id]);
  const letters = await app.sql<{ id: string; thread_id: string }[]>`
    select id, thread_id from sends where id in (${went}, ${waits})`;
  expect(letters.map(({ thread_id }) => thread_id)).toEqual([id, id]);
  const deals = await app.sql<{ person_id: string; thread_id: string }[]>`
    select person_id, thread_id from deals order by thread_id = ${id}`;
  expect(deals).toEqual([
    { person_id: desk.people[0]!.id, thread_id: thread.id },
    { person_id: kim.id, thread_id: id },
  ]);
  // Files are read where they are now, and one that both carried in both.
  for (const [home, file, status] of [
    [id, goes, 200],
    [thread.id, goes, 404],
    [id, both, 200],
    [thread.id, both, 200],
    [id, drafted, 200],
  ] as const) {
    const answer = await app.admin.rest('GET', `/api/threads/${home}/attachments/${file}`);
    expect(answer.status, `${home} ${file}`).toBe(status);
  }
  // What was on its way arrives in its conversation.
  await gone();
  expect(await read(id)).toMatchObject({ touch_count: 3, waiting: 'them' });

  const { person } = await get(`/api/admin/crm/people/${kim.id}`);
  await act(`/api/admin/crm/people/${kim.id}/erase`, { revision: person.revision }, 200);
  expect(await app.sql`select id from attachments`).toEqual([{ id: stays }]);
});

test('a merge keeps whoever has the conversation, and the files of both in one', async () => {
  sink = await smtpSink();
  await using _ = sink;
  desk = await layDesk(app, { identity: { port: sink.port } });
  await desk.send();
  thread = await aConversation(app, desk);
  const file = await upload('terms.pdf');
  const draft = await thread.drafted(app.admin, { attachments: [file] });
  const given = { revision: (await read(thread.id)).revision, assignee: 'me' };
  expect((await app.admin.rest('PATCH', `/api/threads/${thread.id}`, given)).status).toBe(200);
  const into = await aThread();
  const [a, b] = [await read(into), await read(thread.id)];
  const merging = { from: thread.id, revision: a.revision, from_revision: b.revision };
  await act(`/api/threads/${into}/merge`, merging, 200);
  expect(await read(into)).toMatchObject({ assignee: { id: app.admin.id } });
  expect(await answersOf(into)).toEqual([draft.id]);
  expect(await homeOf(file)).toBe(into);
  const left = await app.sql<{ of: string }[]>`
    select 'touches' as of from touches where thread_id = ${thread.id} union all
    select 'answers' from answers where thread_id = ${thread.id} union all
    select 'attachments' from attachments where thread_id = ${thread.id} union all
    select 'sends' from sends where thread_id = ${thread.id} union all
    select 'reads' from thread_reads where thread_id = ${thread.id} union all
    select 'deals' from deals where thread_id = ${thread.id}`;
  expect(left).toEqual([]);
});
