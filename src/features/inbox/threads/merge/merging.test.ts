// Threads merged and split, what is written down by hand, and acts on a person that reach what was said to them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { somebody } from '../../../../../test/support/letters.ts';
import { talksIn } from '../../../../../test/support/threads.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.sql`truncate threads, people cascade`;
});

const { now, aThread, say, get, read, said, found, act } = talksIn(() => app);

describe('merging and splitting', () => {
  const merge = async (into: string, from: string, status = 200) => {
    const [a, b] = [await read(into), await read(from)];
    return await act(
      `/api/threads/${into}/merge`,
      { from, revision: a.revision, from_revision: b.revision },
      status,
    );
  };

  test('touches keep their ids, who waits is said again, and the old id leads to the new one', async () => {
    const into = await aThread();
    const from = await aThread({ channel: 'form' });
    const a = await say(into, 'in');
    const b = await say(from, 'in', { channel: 'form' });
    const c = await say(into, 'out');
    await app.admin.rest('POST', `/api/threads/${into}/read`, {});
    expect(await read(into)).toMatchObject({ waiting: 'them', unread_by_me: false });
    await merge(into, from);
    expect(await said(into)).toEqual([a.touch_id, b.touch_id, c.touch_id]);
    expect(await read(from)).toMatchObject({ id: into, touch_count: 3, waiting: 'them', unread_by_me: true });
    // What is said to the old id is said here.
    const d = await say(from, 'in');
    expect(d.thread_id).toBe(into);
    expect((await get('/api/inbox?state=unanswered')).items).toHaveLength(1);
    expect((await get('/api/threads')).items).toHaveLength(1);
    expect((await act(`/api/threads/${from}/touches`, { note: true, text: 'x' }, 201)).thread.id).toBe(into);
    // Merged once more, every id still leads there in one step.
    const last = await aThread();
    await merge(last, into);
    expect((await read(from)).id).toBe(last);

    const { revision } = await read(last);
    const body = { revision, touches: [b.touch_id, c.touch_id], subject: 'The form' };
    const split = await act(`/api/threads/${last}/split`, body, 201);
    expect(split.split).toMatchObject({
      subject: 'The form',
      channel: 'form',
      touch_count: 2,
      waiting: 'them',
    });
    expect(split.thread).toMatchObject({ id: last, waiting: 'us' });
    expect(await said(split.split.id)).toEqual([b.touch_id, c.touch_id]);
  });

  test('threads of two people are not merged, and one thread is not merged with itself', async () => {
    const [dana, kim] = [await somebody(app), await somebody(app, 'Kim')];
    const into = await aThread({ person_id: dana.id });
    const from = await aThread({ person_id: kim.id });
    const refused = await merge(into, from, 409);
    expect(refused.error.message).toContain('merge their records first');
    expect((await merge(into, into, 409)).error.message).toContain('give a different thread');
    const nobodys = await aThread();
    expect((await merge(nobodys, into)).thread.person_id).toBe(dana.id);
  });

  test('two merges of the same two at once leave everything that was said in one thread', async () => {
    const [a, b] = [await aThread(), await aThread()];
    await say(a, 'in');
    await say(b, 'in');
    const [x, y] = [await read(a), await read(b)];
    const answers = await Promise.all([
      app.admin.rest('POST', `/api/threads/${a}/merge`, {
        from: b,
        revision: x.revision,
        from_revision: y.revision,
      }),
      app.admin.rest('POST', `/api/threads/${b}/merge`, {
        from: a,
        revision: y.revision,
        from_revision: x.revision,
      }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await get('/api/threads')).items).toMatchObject([{ touch_count: 2 }]);
  });

  test('a split leaves something, takes only what is here, and gives one other person theirs', async () => {
    const [dana, kim] = [await somebody(app), await somebody(app, 'Kim')];
    const thread = await aThread({ person_id: dana.id });
    const a = await say(thread, 'in');
    const b = await say(thread, 'in', { person_id: kim.id });
    const elsewhere = await say(await aThread(), 'in');
    const split = async (touches: string[], status: number) =>
      act(`/api/threads/${thread}/split`, { touches, revision: (await read(thread)).revision }, status);
    await split([a.touch_id, b.touch_id], 409);
    await split([a.touch_id, a.touch_id], 400);
    expect((await split([elsewhere.touch_id], 400)).error.details.fields).toHaveProperty('touches');
    expect((await split([b.touch_id], 201)).split.person_id).toBe(kim.id);
  });
});

describe('what is written down by hand', () => {
  test('a call goes into the thread, answers it or makes it wait, and says who wrote it', async () => {
    const person = await somebody(app);
    const made = await act(
      '/api/threads',
      { person: person.id, channel: 'call', direction: 'out', text: 'No answer' },
      201,
    );
    expect(made).toMatchObject({
      thread: { channel: 'call', person_id: person.id, waiting: 'them' },
      touch: { by: { name: app.admin.name }, channel: 'call' },
    });
    const { id } = made.thread;
    const back = await act(
      `/api/threads/${id}/touches`,
      { channel: 'sms', direction: 'in', text: 'Call me on Monday', reading: 'positive' },
      201,
    );
    expect(back).toMatchObject({
      thread: { waiting: 'us', reading: 'positive' },
      touch: { reading: 'positive', reading_by: 'person', attributed_by: 'person' },
    });
    const landed = await app.sql`select body from event_deliveries where event = 'reply.landed'`;
    expect(landed).toHaveLength(1);
    expect(JSON.parse(landed[0]!['body']).data).toEqual({
      touch_id: back.touch.id,
      person_id: person.id,
      campaign_id: null,
      channel: 'sms',
      reading: 'positive',
    });
    const more = await act(
      '/api/threads',
      { person: person.id, channel: 'call', direction: 'out', text: 'Called' },
      201,
    );
    expect(more.thread).toMatchObject({ id, waiting: 'them' });
    const bad = await act(`/api/threads/${id}/touches`, { text: 'x' }, 400);
    expect(Object.keys(bad.error.details.fields).toSorted()).toEqual(['channel', 'direction']);
  });
});

describe('acts on a person', () => {
  test('the timeline tells of what was said; merging two people takes their threads along', async () => {
    const [dana, kim] = [await somebody(app), await somebody(app, 'Kim')];
    const thread = await aThread({ person_id: kim.id });
    const { touch_id } = await say(thread, 'in', { text: 'Yes please' });
    const into = (await get(`/api/admin/crm/people/${dana.id}`)).person;
    const from = (await get(`/api/admin/crm/people/${kim.id}`)).person;
    await act(
      `/api/admin/crm/people/${dana.id}/merge`,
      { from: kim.id, revision: into.revision, from_revision: from.revision },
      200,
    );
    expect((await read(thread)).person_id).toBe(dana.id);
    const { items } = await get(`/api/admin/crm/people/${dana.id}/timeline`);
    expect(items.find((each: any) => each.id === touch_id)).toMatchObject({
      kind: 'touch_in',
      details: { thread_id: thread, snippet: 'Yes please' },
    });
  });

  test('erasing a person leaves no word of theirs or to them', async () => {
    const dana = await somebody(app);
    const thread = await aThread({ person_id: dana.id, subject: 'zebra' });
    const raw_ref = crypto.randomUUID();
    await app.sql`insert into inbound_mails ${app.sql({
      id: raw_ref,
      key: raw_ref,
      source: 'imap',
      bytes: Buffer.from('zebra'),
      size_bytes: 5,
      delivered_to: ['zebra@desk.example'],
      received_at: now(),
    } as never)}`;
    await say(thread, 'in', {
      raw_ref,
      text: 'zebra',
      subject: 'zebra',
      html: 'zebra',
      from: { address: 'zebra@x.example', name: 'zebra' },
      attachments: [{ filename: 'zebra', content_type: 'x', size: 1, bytes: Buffer.from('zebra') }],
    });
    await say(thread, 'out', { text: 'Dear zebra' });
    const key = { 'idempotency-key': 'once' };
    const noted = { note: true, text: 'zebra' };
    await app.admin.rest('POST', `/api/threads/${thread}/touches`, noted, key);
    const { person } = await get(`/api/admin/crm/people/${dana.id}`);
    await act(`/api/admin/crm/people/${dana.id}/erase`, { revision: person.revision }, 200);
    const left = await app.sql<{ row: string }[]>`
      select t::text as row from threads t union all select x::text from touches x union all
      select k::text from idempotency_keys k union all
      select a::text from touch_attachments a union all select m::text || encode(m.bytes, 'escape') from inbound_mails m`;
    expect(left.filter(({ row }) => row.includes('zebra') || row.includes(dana.id))).toEqual([]);
    expect(await read(thread)).toMatchObject({ person_id: null, touch_count: 3, waiting: 'them' });
    expect(await found('query=zebra')).toEqual([]);
  });
});
