// Links in letters begin with the address of this instance: nothing leaves while no one outside could open them, and another
// address has every letter rendered again, and signed for again where someone had.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import type { TestApp } from '../support/app.ts';
import { approved } from '../support/letters.ts';
import { smtpSink, type SmtpSink } from '../support/smtp.ts';
import { BASE_URL, type Desk, layDesk, openDesk } from './desk.ts';

let database: FreshDatabase;
let sink: SmtpSink;
const open: TestApp[] = [];
beforeEach(async () => {
  database = await freshDatabase();
  sink = await smtpSink();
});
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
  await sink[Symbol.asyncDispose]();
  await database.drop();
});

/** The same instance, started with this address. */
async function startedAt(baseUrl: string): Promise<TestApp> {
  const app = await openDesk({ database, baseUrl, setUp: open.length === 0 });
  open.push(app);
  return app;
}

const textOf = async ({ row }: Desk): Promise<string> => (await row())['text'];

describe.each([
  ['this machine', 'https://127.0.0.1:4400'],
  ['this machine by its name', 'https://localhost'],
  ['a private network', 'https://192.168.1.10'],
  ['a name of a private network', 'https://desk.internal'],
  ['an address without https', 'http://desk.example'],
])('while links lead to %s', (_, local) => {
  test('no letter leaves, and the reason is said', async () => {
    const app = await startedAt(local);
    const desk = await layDesk(app, { identity: { port: sink.port } });
    await desk.send();
    expect(sink.letters).toEqual([]);
    expect(await desk.row()).toMatchObject({ state: 'held', hold_reason: 'base_url_local' });
    const { body } = await app.admin.rest('GET', `/api/admin/outreach/sends/${desk.letters[0]!.id}`);
    expect(body.outlook.why_not).toMatchObject({ reason: 'base_url_local', who: 'operator' });
    expect(body.outlook.why_not.fix).toContain('SERVICE_BASE_URL');
  });
});

test('what stays in the built-in sink goes on', async () => {
  const desk = await layDesk(await startedAt('http://127.0.0.1:4400'), { identity: {} });
  await desk.send();
  expect((await desk.row())['state']).toBe('sent');
});

describe('after the address changed', () => {
  test('an approved letter has new links, and leaves once it is approved again', async () => {
    const before = await startedAt('http://127.0.0.1:4400');
    const desk = await layDesk(before, { identity: { port: sink.port } });
    await desk.send();
    expect(await textOf(desk)).toContain('http://127.0.0.1:4400/u/');
    const token = await before.token({ scopes: { wire: true } });

    const app = await startedAt(BASE_URL);
    const { id } = desk.letters[0]!;
    await app.instance.jobs.run('letters');
    expect(sink.letters, 'before it is rendered again').toEqual([]);
    await app.instance.jobs.run('letters_remake');
    expect(await desk.row()).toMatchObject({
      state: 'review',
      review_reason: 'base_url_changed',
      approved_by_id: null,
      hold_reason: null,
    });
    expect(await textOf(desk)).toContain(`${BASE_URL}/u/`);
    expect(await textOf(desk)).not.toContain('127.0.0.1');

    const client = app.bearer(token.value);
    const read = await client.rest('GET', `/api/admin/outreach/sends/${id}`);
    expect(read.body.history).toContainEqual(
      expect.objectContaining({ kind: 'made_anew', details: { by_wire: true, reason: 'base_url_changed' } }),
    );
    expect((await approved(client, id)).status).toBe(200);
    await app.instance.jobs.run('letters');
    expect(sink.letters).toHaveLength(1);
    expect(sink.letters[0]!.bytes.toString()).toContain(`<${BASE_URL}/u/`);
  });

  test('a letter in words of its own keeps them, with its link alone made new', async () => {
    const desk = await layDesk(await startedAt('http://127.0.0.1:4400'), {
      identity: { port: sink.port },
      letter: { columns: { rewritten_by_kind: 'person', rewritten_by_id: 'x', rewritten_by_name: 'Ada' } },
    });
    const before = await textOf(desk);
    const app = await startedAt(BASE_URL);
    await app.instance.jobs.run('letters_remake');
    expect(await textOf(desk)).toBe(before.replace('http://127.0.0.1:4400', BASE_URL));
  });

  test('started with the same address, nothing changes', async () => {
    const desk = await layDesk(await startedAt(BASE_URL), { identity: { port: sink.port } });
    const before = await desk.row();
    const app = await startedAt(BASE_URL);
    await app.instance.jobs.run('letters_remake');
    expect(await desk.row()).toEqual(before);
    await app.instance.jobs.run('letters');
    expect(sink.letters).toHaveLength(1);
  });

  test('a process that still runs with the old one leaves letters alone', async () => {
    const old = await startedAt('http://127.0.0.1:4400');
    const desk = await layDesk(old, { identity: { port: sink.port } });
    await startedAt(BASE_URL);
    await old.instance.jobs.run('letters_remake');
    await old.instance.jobs.run('letters');
    expect(await textOf(desk)).toContain('http://127.0.0.1:4400/u/');
    expect(sink.letters).toEqual([]);
  });

  test.each(['failed', 'uncertain'] as const)(
    'a letter that was %s and is sent again has a new link, and is approved again',
    async (state) => {
      const before = await startedAt('https://old.example');
      const desk = await layDesk(before, { identity: { port: sink.port } });
      const token = await before.token({ scopes: { wire: true } });
      const { id } = desk.letters[0]!;
      await desk.site.sql`
      update sends set state = ${state}, failed_reason = ${state === 'failed' ? 'policy' : null}, sending_at = now(),
        first_attempt_at = now(), attempts = 1
      where id = ${id}`;
      const app = await startedAt(BASE_URL);
      const client = app.bearer(token.value);
      await app.instance.jobs.run('letters_remake');
      expect(await textOf(desk)).toContain('https://old.example/u/');
      const path = `/api/admin/outreach/sends/${id}`;
      const again =
        state === 'failed'
          ? await client.rest('POST', `${path}/resend`, {})
          : await client.rest('POST', `${path}/resolve`, { outcome: 'not_sent' });
      expect(again.status, JSON.stringify(again.body)).toBe(200);
      expect(again.body.send).toMatchObject({ state: 'review', review_reason: 'base_url_changed' });
      expect(await textOf(desk)).toContain(`${BASE_URL}/u/`);
      expect(await textOf(desk)).not.toContain('old.example');
      expect((await approved(client, id)).status).toBe(200);
      await app.instance.jobs.run('letters');
      expect(sink.letters).toHaveLength(1);
      expect(sink.letters[0]!.bytes.toString()).not.toContain('old.example');
    },
  );

  test('a process that still runs with the old one sends nothing, and says what to do', async () => {
    const old = await startedAt('https://old.example');
    const desk = await layDesk(old, {
      identity: { port: sink.port },
      campaign: { columns: { unsubscribe_mode: 'reply_only' } },
    });
    const before = await desk.row();
    await (await startedAt(BASE_URL)).instance.jobs.run('letters_remake');
    // As if it had been approved since.
    const after = await desk.row();
    const kept = Object.entries(before).filter(([name, value]) => after[name] !== value && name !== 'due_at');
    await desk.site.sql`update sends set ${desk.site.sql(Object.fromEntries(kept))}`;
    await old.instance.jobs.run('letters');
    expect(sink.letters).toEqual([]);
    const { body } = await old.admin.rest('GET', `/api/admin/outreach/sends/${desk.letters[0]!.id}`);
    expect(body.outlook.why_not).toMatchObject({ reason: 'other_address', who: 'operator' });
    expect(body.outlook.why_not.fix).toContain('SERVICE_BASE_URL');
  });

  test('a letter that was held for it and has no link goes automatically', async () => {
    const desk = await layDesk(await startedAt('http://127.0.0.1:4400'), {
      identity: { port: sink.port },
      campaign: { columns: { unsubscribe_mode: 'reply_only' } },
      letter: { columns: { rewritten_by_kind: 'person', rewritten_by_id: 'x', rewritten_by_name: 'Ada' } },
    });
    const text = 'Dear you';
    await desk.site.sql`update sends set text = ${text}`;
    await desk.send();
    const held = await desk.row();
    const app = await startedAt(BASE_URL);
    await app.instance.jobs.run('letters_remake');
    await app.instance.jobs.run('letters_recheck');
    const row = await desk.row();
    expect([held['state'], row['hold_reason'] === 'base_url_local']).toEqual(['held', false]);
  });
});
