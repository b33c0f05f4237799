// The trouble of an identity: its letters are held with what is wrong, every place that tells why nothing goes tells it, and a
// passing test, other settings or an activation end it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdIdentity } from '../../src/features/outreach/identities/trouble/trouble.store.ts';
import type { IdentityTrouble } from '../../src/features/outreach/identities/trouble/trouble.rules.ts';
import type { TestApp } from '../support/app.ts';
import { scriptedSmtp, smtpSink } from '../support/smtp.ts';
import { type Desk, layDesk, openDesk } from './desk.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openDesk();
});
afterAll(() => app?.close());

const WORDS = '553 5.7.1 <bounce@example>: Sender address rejected: not owned by user ada';
const REFUSED: IdentityTrouble = {
  kind: 'sender_refused',
  code: 553,
  enhanced: '5.7.1',
  words: WORDS,
  expired_at: null,
};

async function hold({ identity }: Desk, trouble: IdentityTrouble = REFUSED): Promise<string> {
  const at = app.clock.now();
  const [row] = await app.sql<{ revision: number }[]>`
    select revision from identities where id = ${identity.id}`;
  await app.sql.begin((tx) =>
    holdIdentity(tx as never, { id: identity.id, revision: row!.revision }, trouble, at),
  );
  return at.toISOString();
}

const rest = async (method: string, path: string, body?: unknown) => {
  const answer = await app.admin.rest(method as 'GET', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const IDENTITIES = '/api/admin/outreach/identities';
const read = async ({ identity: { id } }: Desk) => (await rest('GET', `${IDENTITIES}/${id}`)).identity;

test('holds its letters, and every place that says why says it', async () => {
  await using there = await smtpSink();
  const desk = await layDesk(app, { people: 3, identity: { port: there.port } });
  const since = await hold(desk);
  await desk.send();
  expect(there.connections()).toBe(0);
  const evidence = {
    trouble: 'sender_refused',
    code: 553,
    enhanced: '5.7.1',
    server_said: WORDS,
    expired_at: null,
  };
  const rows = await app.sql`select state, hold_reason, hold_evidence from sends`;
  expect(rows).toHaveLength(3);
  for (const row of rows)
    expect(row).toMatchObject({ state: 'held', hold_reason: 'transport_refused', hold_evidence: evidence });

  expect(await read(desk)).toMatchObject({
    active: true,
    trouble: { kind: 'sender_refused', since, code: 553, enhanced: '5.7.1', words: WORDS, expired_at: null },
  });
  const { outlook } = await rest('GET', `/api/admin/outreach/sends/${desk.letters[0]!.id}`);
  // No one's words but ours are in a sentence of ours.
  expect(outlook.why_not).toMatchObject({
    reason: 'transport_refused',
    sentence: 'The identity can’t send through its mail server. The mail server rejects the envelope sender.',
    fix: expect.stringContaining('own address as envelope sender'),
    who: 'person',
  });
  expect(outlook.gates.find(({ gate }: { gate: string }) => gate === 'transport')).toMatchObject({
    verdict: 'hold',
    evidence,
  });
  const digest = await rest('GET', '/api/digests/sending_digest');
  expect(digest.identities.lines).toMatchObject([
    {
      why_none: 'The mail server rejects the envelope sender.',
      trouble: { kind: 'sender_refused', since, server_said: WORDS },
    },
  ]);
  const today = await rest('GET', '/api/today');
  expect(JSON.stringify(today)).toContain(
    'rejects the envelope sender. On the mail server, allow this login to send from the bounce address',
  );
});

/** Its gates are asked again, and it leaves. */
async function goes(desk: Desk): Promise<void> {
  await app.instance.jobs.run('letters_recheck');
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'sent', hold_reason: null });
}

describe('is over', () => {
  const heldThenSent = async (desk: Desk) => {
    expect((await read(desk)).trouble).toBeNull();
    await goes(desk);
  };

  test('once a test passes, and its letters go', async () => {
    await using there = await smtpSink();
    const desk = await layDesk(app, { identity: { port: there.port } });
    await hold(desk);
    await desk.send();
    expect(await desk.row()).toMatchObject({ state: 'held' });
    await rest('POST', `${IDENTITIES}/${desk.identity.id}/test`, {});
    await heldThenSent(desk);
  });

  test('once someone activates it again', async () => {
    await using there = await smtpSink();
    const desk = await layDesk(app, { identity: { port: there.port } });
    await hold(desk);
    await desk.send();
    const { seen } = await read(desk);
    await rest('POST', `${IDENTITIES}/${desk.identity.id}/activate`, { seen });
    await heldThenSent(desk);
  });

  test('once other settings are saved, and it is activated', async () => {
    await using there = await smtpSink();
    const desk = await layDesk(app, { identity: { port: there.port } });
    await hold(desk);
    const { revision } = await read(desk);
    const transport = { kind: 'smtp', host: '127.0.0.1', port: there.port, security: 'plain', user: null };
    await rest('PATCH', `${IDENTITIES}/${desk.identity.id}`, {
      revision,
      transport: { ...transport, port: there.port + 1 },
    });
    expect(await read(desk)).toMatchObject({ trouble: null, active: false, state_reason: 'changed' });
    await rest('PATCH', `${IDENTITIES}/${desk.identity.id}`, { revision: revision + 1, transport });
    const { seen } = await read(desk);
    await rest('POST', `${IDENTITIES}/${desk.identity.id}/activate`, { seen });
    await heldThenSent(desk);
  });

  test('but not by a test, nor another envelope sender, of someone who could not set it active', async () => {
    await using there = await smtpSink();
    const desk = await layDesk(app, { identity: { port: there.port } });
    await hold(desk);
    await desk.send();
    const token = await app.token();
    const tested = await token.rest('POST', `${IDENTITIES}/${desk.identity.id}/test`, {});
    expect(tested.body.identity).toMatchObject({
      test_outcome: 'passing',
      trouble: { kind: 'sender_refused' },
    });
    const { revision } = await read(desk);
    const changed = await token.rest('PATCH', `${IDENTITIES}/${desk.identity.id}`, {
      revision,
      envelope_sender: 'own',
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect((await read(desk)).trouble).toMatchObject({ kind: 'sender_refused' });
    await app.instance.jobs.run('letters_recheck');
    await desk.send();
    expect(await desk.row()).toMatchObject({ state: 'held', hold_reason: 'transport_refused' });
    await rest('POST', `${IDENTITIES}/${desk.identity.id}/test`, {});
    await heldThenSent(desk);
  });

  test('but not by a test that fails, nor by a change of its name', async () => {
    await using there = await scriptedSmtp({ greeting: '421 4.3.2 busy' });
    const desk = await layDesk(app, { identity: { port: there.port } });
    await hold(desk);
    await rest('POST', `${IDENTITIES}/${desk.identity.id}/test`, {});
    const { revision, trouble } = await read(desk);
    expect(trouble).not.toBeNull();
    await rest('PATCH', `${IDENTITIES}/${desk.identity.id}`, { revision, name: 'Ada R.' });
    expect((await read(desk)).trouble).toEqual(trouble);
  });
});

test('is not met again by what was met before the settings changed', async () => {
  const desk = await layDesk(app, { identity: {} });
  const [row] = await app.sql<{ revision: number }[]>`select revision from identities`;
  await app.sql`update identities set revision = revision + 1`;
  await app.sql.begin((tx) =>
    holdIdentity(tx as never, { id: desk.identity.id, revision: row!.revision }, REFUSED, app.clock.now()),
  );
  expect((await read(desk)).trouble).toBeNull();
});

test('keeps a server’s words short, on one line and in characters that text takes', async () => {
  const desk = await layDesk(app, { identity: {} });
  await hold(desk, { ...REFUSED, words: `550 no\r\n\u0000\u202eevil ${'x'.repeat(5_000)}` });
  const { words } = (await read(desk)).trouble;
  expect(words).toMatch(/^550 no evil x+$/);
  expect(words).toHaveLength(500);
});

test('with refused credentials also makes it inactive, and is over once it is activated', async () => {
  await using there = await scriptedSmtp({ MAIL: ['530 5.7.0 sign in first', '250 ok'] });
  const desk = await layDesk(app, { identity: { port: there.port } });
  await desk.send();
  expect(await desk.row()).toMatchObject({
    state: 'held',
    hold_reason: 'identity_credentials',
    hold_evidence: { trouble: 'credentials', code: 530, enhanced: '5.7.0' },
  });
  const identity = await read(desk);
  expect(identity).toMatchObject({
    active: false,
    state_reason: 'credentials_refused',
    trouble: { kind: 'credentials', code: 530 },
  });
  await rest('POST', `${IDENTITIES}/${desk.identity.id}/activate`, { seen: identity.seen });
  expect(await read(desk)).toMatchObject({ active: true, trouble: null });
  await goes(desk);
});
