// Erasing someone who is in the conversations of others by their address alone, as a copy or under an address that they had,
// and whose conversations move while it happens.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answering } from '../../../../../test/letters/answering.ts';
import { aConversation, type Conversation } from '../../../../../test/letters/conversation.ts';
import { type Desk, layDesk, openDesk } from '../../../../../test/letters/desk.ts';
import { CRM } from '../../../../../test/support/crm.ts';
import { aMailAsItCame, everythingSaid } from '../../../../../test/support/erased.ts';
import type { TestApp } from '../../../../../test/support/app.ts';
import { ADMIN } from '../../../../../test/support/plans.ts';
import { smtpSink, type SmtpSink } from '../../../../../test/support/smtp.ts';
import { oneWaits } from '../../../../../test/support/locks.ts';
import { talksIn } from '../../../../../test/support/threads.ts';
import { HOUR_MS } from '../../../../kernel/clock.ts';
import { addressHash } from '../../../../mail/address.ts';
import { mergeThreads } from '../merge/merge.store.ts';
import { lockThreads } from '../store.ts';

let app: TestApp;
let sink: SmtpSink;
let desk: Desk;
let thread: Conversation;
beforeAll(async () => {
  app = await openDesk();
  sink = await smtpSink();
});
afterAll(async () => {
  await app?.close();
  await sink?.[Symbol.asyncDispose]();
});

const { act, get, say, aThread, transact } = talksIn(() => app);
const { sent } = answering(() => ({ app, sink, desk, thread }));

const KIM = { address: 'kim@acme.example', name: 'Kim Roe' };
const OTHER = 'copy@acme.example';
const QUOTED = `On Monday, ${KIM.name} <${KIM.address}> wrote:\n> Zebrafish at twelve.`;

beforeEach(async () => {
  await app.sql`truncate idempotency_keys, inbound_mails cascade`;
  desk = await layDesk(app, { identity: { port: sink.port } });
  await desk.send();
  thread = await aConversation(app, desk, { text: 'From Dana.' });
});

async function gone(): Promise<void> {
  app.clock.advance(HOUR_MS);
  await desk.send();
}
const aPerson = async (...addresses: string[]) =>
  (await act(`${CRM}/people`, { name: KIM.name, addresses: addresses.map((value) => ({ value })) }, 201))
    .person;
async function erased(id: string): Promise<void> {
  const { person } = await get(`${CRM}/people/${id}`);
  await act(`${CRM}/people/${id}/erase`, { revision: person.revision }, 200);
}
const left = async (what: RegExp): Promise<string[]> =>
  (await everythingSaid(app)).filter((row) => what.test(row));
const letter = async (id: string) => (await app.sql`select * from sends where id = ${id}`)[0]!;

test('whoever is erased is in no copy, of what came and of what we drafted, sent and are about to send', async () => {
  const kim = await aPerson(KIM.address);
  const [mo, pat, sam] = [
    await app.person({ name: 'Mo' }),
    await app.person({ name: 'Pat' }),
    await app.person({ name: 'Sam' }),
  ];
  const cc = [OTHER, 'Kim@ACME.example'];
  const raw = await aMailAsItCame(app, `Cc: ${KIM.address}\r\n\r\nFine by me.`);
  const { touch_id } = await thread.writes({ raw_ref: raw, text: 'Fine by me.', cc });
  const many = Array.from({ length: 12 }, (_, at) => `many${at}@acme.example`);
  await thread.writes({ text: 'To everybody.', to: [desk.identity.address, ...many, KIM.address] });

  const went = (await sent(app.admin, await thread.drafted(app.admin, { cc }))).body.answer.send_id;
  const unsure = (await sent(sam, await thread.drafted(sam, { cc }))).body.answer.send_id;
  await gone();
  await app.sql`
    update sends set state = 'uncertain', sent_at = null, delivery = null where id = ${unsure}`;
  await app.sql`
    insert into send_bytes (send_id, fingerprint, envelope_from, bytes, made_at)
    select id, fingerprint, 'a@b.example', ${Buffer.from(`Cc: ${KIM.address}`)}, now() from sends where id = ${unsure}
    on conflict (send_id) do update set bytes = excluded.bytes`;
  const ours = (await letter(went))['message_id'];
  const settled = { message_id: ours.slice(1, -1), state: 'matched', settled_at: app.clock.now() };
  await aMailAsItCame(app, `Message-ID: ${ours}\r\nCc: ${KIM.address}\r\n\r\nOur own copy.`, settled);
  const waits = (await sent(pat, await thread.drafted(pat, { cc, text: 'Soon.' }))).body.answer.send_id;
  const draft = await thread.drafted(mo, { cc, text: 'Maybe.' });
  expect((await left(/kim@acme/i)).length).toBeGreaterThan(7);

  await erased(kim.id);

  expect(await left(/kim@acme/i)).toEqual([]);
  expect(await left(new RegExp(addressHash(KIM.address)))).toEqual([]);
  const { touch } = await get(`/api/threads/${thread.id}/touches/${touch_id}`);
  expect(touch).toMatchObject({ text: 'Fine by me.', cc: [OTHER] });
  expect(await letter(went)).toMatchObject({
    state: 'sent',
    cc: [OTHER],
    text: expect.stringContaining('Dear you'),
  });
  expect(await letter(waits)).toMatchObject({ state: 'cancelled', cc: [OTHER] });
  expect(await letter(unsure)).toMatchObject({ state: 'uncertain', cc: [OTHER], approved_at: null });
  const { items } = await get(`/api/threads/${thread.id}/answers`);
  const standing = (found: (answer: any) => boolean) => items.find(found);
  expect(standing(({ id }) => id === draft.id)).toMatchObject({ state: 'draft', cc: [OTHER] });

  // Signed again it goes out, without them; what no one knew of waits for someone to sign it.
  const anew = standing(({ text }) => text.includes('Soon.'));
  expect(anew).toMatchObject({ state: 'draft', cc: [OTHER] });
  const again = (await sent(pat, anew)).body.answer.send_id;
  await act(`/api/admin/outreach/sends/${unsure}/resolve`, { outcome: 'not_sent' }, 200);
  const before = sink.letters.length;
  await gone();
  expect(await letter(again)).toMatchObject({ state: 'sent' });
  expect(await letter(unsure)).toMatchObject({ state: 'held', hold_reason: 'approval_stale' });
  const letters = sink.letters.slice(before).map((each) => JSON.stringify(each) + each.bytes.toString());
  expect(letters).toHaveLength(1);
  expect(letters.join()).not.toMatch(/kim@acme/i);
});

test('an address that was taken from someone earlier is erased with them', async () => {
  const kim = await aPerson(KIM.address, 'Old@acme.example', 'dana-too@acme.example');
  const from = { address: 'old@acme.example', name: KIM.name };
  await thread.writes({ person_id: null, from, text: 'Zebrafish, before anybody knew.' });
  await thread.writes({ text: 'Yes.', cc: ['old@ACME.example'] });
  const waiting = { from_hash: addressHash(from.address), from_address: from.address };
  const settled = { state: 'quarantined', settled_at: app.clock.now(), ...waiting };
  await aMailAsItCame(app, 'Zebrafish, whosever this is.', settled);
  const given = { revision: kim.revision, addresses: [{ value: KIM.address }] };
  expect((await app.admin.rest('PATCH', `${CRM}/people/${kim.id}`, given)).status).toBe(200);
  // Someone else's by now: what comes from it is theirs.
  await aPerson('dana-too@acme.example');
  await thread.writes({
    person_id: null,
    from: { address: 'dana-too@acme.example', name: 'Dana' },
    text: 'Giraffe.',
  });

  await erased(kim.id);

  expect(await left(/zebrafish|old@acme/i)).toEqual([]);
  expect(await left(/^touch .*giraffe/i)).toHaveLength(1);
});

test('what someone said in a conversation that is merged while they are erased is looked for where it is by then', async () => {
  const kim = await aPerson(KIM.address);
  const theirs = await aThread({ person_id: (await aPerson('sam@acme.example')).id });
  await say(theirs, 'in', { person_id: kim.id, from: KIM, text: 'Zebrafish at twelve.' });
  await thread.writes({ text: `Fine by me.\n\n${QUOTED}`, text_stripped: 'Fine by me.' });
  const [merged, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const mover = transact(async (tx) => {
    const [into, from] = await lockThreads(tx, ADMIN, 'inbox.thread.merge', [thread.id, theirs]);
    await mergeThreads(tx, into!, from!, app.clock.now());
    merged.resolve();
    await release.promise;
  });
  await merged.promise;
  const eraser = erased(kim.id);
  await oneWaits(app, 'as theirs from threads t');
  release.resolve();
  await Promise.all([mover, eraser]);
  expect(await left(/zebrafish|kim@acme/i)).toEqual([]);
  expect(await left(/^touch .*Fine by me/)).toHaveLength(1);
});

test('nothing that was noted of a letter to someone who is erased is left, nor what was answered to whoever noted it', async () => {
  const kim = await aPerson(KIM.address);
  // To an address of theirs, in a conversation with someone else, before anyone knew whose it is.
  await thread.writes({ person_id: null, from: KIM, text: 'And I?' });
  const { send_id } = (await sent(app.admin, await thread.drafted(app.admin, { text: 'Zebrafish.' }))).body
    .answer;
  const held = await app.admin.rest(
    'POST',
    `/api/admin/outreach/sends/${send_id}/hold`,
    { note: 'Zebrafish can wait.' },
    { 'idempotency-key': 'held' },
  );
  expect(held.status, JSON.stringify(held.body)).toBe(200);
  await erased(kim.id);
  expect(await left(/^(fact|letter) .*zebrafish/i)).toEqual([]);
  expect(await left(/zebrafish|kim@acme/i)).toEqual([]);
});
