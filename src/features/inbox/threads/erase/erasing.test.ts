// Erasing someone who wrote in a conversation of someone else: their words go wherever they exist, others' own words stay.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answering } from '../../../../../test/letters/answering.ts';
import { aConversation, type Conversation } from '../../../../../test/letters/conversation.ts';
import { type Desk, layDesk, openDesk } from '../../../../../test/letters/desk.ts';
import type { RestClient, TestApp } from '../../../../../test/support/app.ts';
import { CRM } from '../../../../../test/support/crm.ts';
import { aMailAsItCame, everythingSaid } from '../../../../../test/support/erased.ts';
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

const { act, get, found } = talksIn(() => app);
const { sent } = answering(() => ({ app, sink, desk, thread }));

const KIM = { address: 'kim@acme.example', name: 'Kim Roe' };
const QUOTED = `On Monday, ${KIM.name} <${KIM.address}> wrote:\n> Zebrafish at twelve.`;

async function gone(): Promise<void> {
  app.clock.advance(HOUR_MS);
  await desk.send();
}

test('whoever is erased leaves no word in what others quote, and others keep their own', async () => {
  sink = await smtpSink();
  await using _ = sink;
  desk = await layDesk(app, { identity: { port: sink.port } });
  await desk.send();
  thread = await aConversation(app, desk, { text: 'Before anything, from Dana.' });
  const kim = (await act(`${CRM}/people`, { name: KIM.name, addresses: [{ value: KIM.address }] }, 201))
    .person;
  const drafted = (by: RestClient, said: Record<string, unknown>) => thread.drafted(by, said);
  const [mo, pat, sam] = [
    await app.person({ name: 'Mo' }),
    await app.person({ name: 'Pat' }),
    await app.person({ name: 'Sam' }),
  ];

  // What Kim says in Dana's conversation, and what we say to them.
  const file = (
    await act(
      `/api/threads/${thread.id}/attachments`,
      {
        filename: 'a.txt',
        media_type: 'text/plain',
        file_base64: Buffer.from('Zebrafish').toString('base64'),
      },
      201,
    )
  ).attachment.id;
  await thread.writes({ person_id: kim.id, from: KIM, text: 'Zebrafish at twelve.' });
  await thread.writes({
    person_id: null,
    from: KIM,
    text: 'Zebrafish again, before anybody knew the address.',
  });
  await sent(app.admin, await drafted(app.admin, { text: 'Zebrafish it is, Kim.', attachments: [file] }));
  await gone();
  await drafted(sam, { text: 'Zebrafish, a draft to Kim.' });

  // What Dana answers, in three ways, each with what Kim said.
  const mail = await aMailAsItCame(app, `Fine by me.\n\n${QUOTED}`);
  const dana = await thread.writes({
    raw_ref: mail,
    text: `Fine by me.\n\n${QUOTED}`,
    text_stripped: 'Fine by me.',
    html: '<p>Fine by me.</p><blockquote>Zebrafish at twelve.</blockquote>',
    cc: [KIM.address, 'copy@acme.example'],
  });
  const line = `${QUOTED}\nAt one.\n> Zebrafish too?\nYes.`;
  const between = await thread.writes({ text: line, text_stripped: line });
  const whole = await thread.writes({ text: QUOTED, text_stripped: QUOTED, stripped_whole: true });

  // What we answer Dana: one that went, one on its way, one that is a draft.
  await thread.writes({ text: `Well?\n\n${QUOTED}`, text_stripped: 'Well?' });
  const first = await drafted(app.admin, { text: 'Dear Dana, yes.', cc: [KIM.address] });
  const went = (await sent(app.admin, first)).body.answer.send_id;
  await gone();
  const second = await drafted(mo, { text: 'Dear Dana, soon.' });
  const waits = (await sent(mo, second)).body.answer.send_id;
  const third = await drafted(pat, { text: 'Dear Dana, maybe.' });
  expect((await everythingSaid(app)).filter((row) => /zebrafish/i.test(row)).length).toBeGreaterThan(10);

  const { person } = await get(`${CRM}/people/${kim.id}`);
  await act(`${CRM}/people/${kim.id}/erase`, { revision: person.revision }, 200);

  const left = await everythingSaid(app);
  expect(left.filter((row) => /zebrafish|kim@acme/i.test(row))).toEqual([]);
  expect(left.filter((row) => row.includes(kim.id))).toEqual([]);
  const touch = async (id: string) => (await get(`/api/threads/${thread.id}/touches/${id}`)).touch;
  expect(await touch(dana.touch_id)).toMatchObject({
    text: 'Fine by me.',
    html: null,
    cc: ['copy@acme.example'],
    quoted: false,
  });
  expect(await touch(between.touch_id)).toMatchObject({ text: 'At one.\nYes.' });
  expect(left.filter((row) => row.startsWith('letter ') && row.includes(',Erased,Erased,'))).toHaveLength(1);
  expect(await touch(whole.touch_id)).toMatchObject({ text: 'Erased', stripped_whole: false });
  const letter = async (id: string) => (await get(`/api/admin/outreach/sends/${id}`)).send;
  const own = { quote_hidden: false, html: null };
  expect(await letter(went)).toMatchObject({
    ...own,
    state: 'sent',
    text: expect.stringMatching(/^Dear Dana, yes\./),
  });
  expect(await letter(waits)).toMatchObject({ ...own, state: 'cancelled' });
  const answers = (await get(`/api/threads/${thread.id}/answers`)).items;
  const standing = (id: string) => answers.find((each: { id: string }) => each.id === id);
  expect(standing(second.id)).toMatchObject({ state: 'draft', text: 'Dear Dana, soon.' });
  expect(standing(third.id)).toMatchObject({ state: 'draft', text: 'Dear Dana, maybe.' });
  expect(standing(third.id).letter.text).toContain('> Well?');
  const [, before] = (await get(`/api/threads/${thread.id}`)).touches;
  expect(before).toMatchObject({ text: 'Before anything, from Dana.' });
  expect(await found('query=kim@acme.example')).toEqual([]);
});

test('an answer to whoever is erased that has not gone is called off, and nothing of it is left to be sent', async () => {
  const LEE = { address: 'lee@acme.example', name: 'Lee Low' };
  const lee = (await act(`${CRM}/people`, { name: LEE.name, addresses: [{ value: LEE.address }] }, 201))
    .person;
  await thread.writes({ person_id: lee.id, from: LEE, text: 'And I?' });
  const { send_id } = (await sent(app.admin, await thread.drafted(app.admin, { text: 'You too, Lee.' }))).body
    .answer;
  const { person } = await get(`${CRM}/people/${lee.id}`);
  await act(`${CRM}/people/${lee.id}/erase`, { revision: person.revision }, 200);
  const stands = await app.sql<{ state: string }[]>`
    select state from sends where id = ${send_id} union all select state from answers where send_id = ${send_id}`;
  expect(stands.map(({ state }) => state)).toEqual(['cancelled']);
});

/** As a mail program writes one. */
const mailFrom = (from: string, to: string, body: string, more = ''): string =>
  `From: ${from}\r\nTo: ${to}\r\nSubject: Zebrafish\r\n${more}\r\n${body}\r\n`;

const inMail = async (id: string) =>
  (
    await app.sql<{ state: string; text: string }[]>`
    select state, encode(bytes, 'escape') as text from inbound_mails where id = ${id}`
  )[0];

async function lee(address: string): Promise<() => Promise<{ status: number; body: any }>> {
  const { person } = await act(`${CRM}/people`, { name: 'Lee Roe', addresses: [{ value: address }] }, 201);
  return () => app.admin.rest('POST', `${CRM}/people/${person.id}/erase`, { revision: person.revision });
}

test.each([
  ['base64', (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')],
  ['quoted-printable', (text: string) => text.replace('@', '=40').replace('acme', 'ac=\r\nme')],
])(
  'mail in quarantine that names whoever is erased in its body alone, in %s, is emptied',
  async (how, packed) => {
    const address = `lee.${how}@acme.example`;
    const text = `${'Please write to somebody else. '.repeat(4)}Lee Roe <${address}> wrote: Zebrafish.`;
    const body = mailFrom(
      'x@other.example',
      'us@desk.example',
      packed(text),
      `Content-Transfer-Encoding: ${how}\r\n`,
    );
    const names = await aMailAsItCame(app, body, { state: 'quarantined' });
    const other = mailFrom('x@other.example', 'us@desk.example', packed(text.replace('lee.', 'bo.')));
    const leaves = await aMailAsItCame(app, other, { state: 'quarantined' });
    const erase = await lee(address);
    expect((await erase()).status).toBe(200);
    expect(await inMail(names)).toEqual({ state: 'ignored', text: '' });
    expect((await inMail(leaves))?.text).toContain('Zebrafish'.slice(0, how === 'base64' ? 0 : 9));
    expect((await inMail(leaves))?.state).toBe('quarantined');
  },
);

test('mail that has come and is not read yet: theirs is erased with them, and others’ is waited for', async () => {
  const waits = { state: 'new', settled_at: null, due_at: new Date(app.clock.now().getTime() + HOUR_MS) };
  const theirs = await aMailAsItCame(
    app,
    mailFrom('"Roe, Lee"\r\n <Lee.Late@Acme.example>', 'us@desk.example', 'Zebrafish at one.'),
    waits,
  );
  const others = await aMailAsItCame(
    app,
    mailFrom('x@other.example', 'us@desk.example', 'Lee.Late@acme.example wrote: Zebrafish.'),
    waits,
  );
  const erase = await lee('lee.late@acme.example');
  const refused = await erase();
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toMatch(
    /^mail involving this person just arrived and isn’t processed yet: try again in a minute/,
  );
  expect((await inMail(theirs))?.text).toContain('Zebrafish');
  await app.sql`update inbound_mails set state = 'quarantined', settled_at = now() where id = ${others}`;
  expect((await erase()).status).toBe(200);
  for (const id of [theirs, others]) expect(await inMail(id)).toEqual({ state: 'ignored', text: '' });
});

test(
  'someone is erased also where many megabytes of mail are in no conversation',
  { timeout: 60_000 },
  async () => {
    const made = await act(
      `${CRM}/people`,
      { name: 'Max Roe', addresses: [{ value: 'max@acme.example' }] },
      201,
    );
    await app.sql`
    insert into inbound_mails (id, key, source, bytes, size_bytes, received_at, state, settled_at)
    select gen_random_uuid(), 'large ' || n, 'imap', convert_to(E'From: news@example.com\\r\\n\\r\\n'
      || repeat(E'abcdefgh\\r\\n\\r\\n', 700000), 'UTF8'), 8400000, ${app.clock.now()}, 'quarantined', ${app.clock.now()}
    from generate_series(1, 4) n`;
    await act(`${CRM}/people/${made.person.id}/erase`, { revision: made.person.revision }, 200);
    await app.sql`delete from inbound_mails where key like 'large %'`;
  },
);
