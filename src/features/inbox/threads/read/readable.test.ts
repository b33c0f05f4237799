// A search answers as if what its reader may not read were not there: by what it finds, by how many, and by where a page ends.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type RestClient, type TestApp } from '../../../../../test/support/app.ts';
import { ADMIN } from '../../../../../test/support/plans.ts';
import { talksIn } from '../../../../../test/support/threads.ts';
import type { Reader } from '../../../../kernel/database.ts';
import type { Rights } from '../../../../kernel/policy.ts';
import { mayReadMessage, type Message } from '../../../../kernel/messages.ts';
import { readable } from './words.store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const { act, aThread, say } = talksIn(() => app);

/** Whoever reads everything save the messages of one conversation. */
async function keptFrom(thread: string): Promise<RestClient> {
  const statements = [
    { effect: 'deny', actions: ['mail.message.read'], resources: [`inbox:thread/${thread}`] },
  ];
  await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
  await act('/api/admin/policies', { name: 'kept', version: 1, statements }, 201);
  return await app.person({ name: 'Kim', policies: ['read-all', 'kept'] });
}

/** Every page as it was answered, cursors included. */
async function pages(by: RestClient, query: string): Promise<unknown[]> {
  const answers: unknown[] = [];
  let cursor = '';
  do {
    const { status, body } = await by.rest('GET', `/api/mail/search?${query}&limit=2${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    answers.push(body);
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  return answers;
}

test('a search says the same whether thousands of hits are hidden from its reader or none', async () => {
  const [shut, open] = [await aThread(), await aThread()];
  for (let n = 0; n < 5; n += 1) await say(open, 'in', { text: `The merger, ${n}` });
  await say(open, 'in', { text: 'Lunch' });
  const kim = await keptFrom(shut);
  const questions = ['query=merger', 'query=zebrafish', 'query=lunch', ''];
  const ask = async () => [
    ...(await Promise.all(questions.map((query) => pages(kim, query)))),
    (await kim.rest('GET', '/api/search?query=zebrafish')).body,
  ];
  const without = await ask();
  expect(without.map((each) => (Array.isArray(each) ? each.length : 1))).toEqual([3, 1, 1, 3, 1]);
  // Newer than all, between them, and of words that no one else said.
  await app.sql`
    insert into touches (id, thread_id, direction, channel, at, subject, text, text_stripped, created_at, words)
    select gen_random_uuid(), ${shut}, 'in', 'email', ${app.clock.now()}::timestamptz - n * interval '1 second', 'S', 'T', 'T', now(),
      array_to_tsvector(array['merger', 'zebrafish'])
    from generate_series(-2500, 2500) n`;
  expect(await ask()).toEqual(without);
  expect((await app.admin.rest('GET', '/api/mail/search?query=zebrafish&limit=2')).body).toMatchObject({
    items: [expect.anything(), expect.anything()],
    next_cursor: expect.any(String),
  });
});

test('the condition of the query lets through what the rule lets through, whatever policies say', async () => {
  const n = (number: number) => `0198c0de-0000-7000-8000-00000000000${number}`;
  const messages: Message[] = [1, 2, 3, 4, 5, 6].map((at) => ({
    id: n(at),
    thread_id: n(at % 3),
    campaign_id: at % 2 === 0 ? null : n(7 + (at % 3)),
    thread_campaign_id: at % 3 === 0 ? null : n(7 + (at % 3)),
  }));
  const resource = fc.oneof(
    fc.constantFrom('*', 'm*', 'inbox:*', 'mail:message/*', 'inbox:thread/*', 'outreach:campaign/*'),
    fc.constantFrom('mail:message/none', 'crm:person/*', `mail:message/${n(1).toUpperCase()}`, 'outreach:*'),
    fc
      .tuple(
        fc.constantFrom('mail:message/', 'inbox:thread/', 'outreach:campaign/'),
        fc.nat({ max: 9 }),
        fc.constantFrom('', '*'),
        fc.constantFrom(36, 20),
      )
      .map(([noun, at, open, length]) => `${noun}${n(at).slice(0, length)}${open}`),
  );
  const statement = fc.record({
    effect: fc.constantFrom('allow' as const, 'allow' as const, 'deny' as const),
    actions: fc.constantFrom<string[]>(
      ['*'],
      ['mail.*'],
      ['mail.message.read'],
      ['inbox.thread.read'],
      ['inbox.thread.write'],
    ),
    resources: fc.array(resource, { minLength: 1, maxLength: 3 }),
  });
  const undo = new Error('undone');
  const work = app.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`truncate threads cascade`;
    for (const at of [0, 1, 2])
      await tx`
        insert into threads (id, channel, kind, subject, campaign_id, last_touch_at, created_at, updated_at)
        values (${n(at)}, 'email', 'conversation', 'S', ${at === 0 ? null : n(7 + at)}, now(), now(), now())`;
    for (const { id, thread_id, campaign_id } of messages)
      await tx`
        insert into touches (id, thread_id, direction, channel, at, campaign_id, created_at)
        values (${id}, ${thread_id}, 'in', 'email', now(), ${campaign_id}, now())`;
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { maxLength: 6 }), fc.boolean(), async (statements, admin) => {
        const rights: Rights = {
          admin: admin && statements.length === 0,
          policies: [{ name: 'p', statements }],
          projects: null,
        };
        const db = tx as unknown as Reader;
        const rows = await db<{ id: string }[]>`
          select x.id from touches x where ${readable(db, { ...ADMIN, rights })} order by x.id`;
        expect(rows.map(({ id }) => id)).toEqual(
          messages.filter((each) => mayReadMessage(rights, each)).map(({ id }) => id),
        );
      }),
      { numRuns: 150 },
    );
    throw undo;
  });
  await expect(work).rejects.toBe(undo);
});
