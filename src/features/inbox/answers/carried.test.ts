// What goes with an answer: what it answers, quoted below its words, and the files that were uploaded for it.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answering } from '../../../../test/letters/answering.ts';
import { aConversation, type Conversation } from '../../../../test/letters/conversation.ts';
import { type Desk, layDesk, openDesk } from '../../../../test/letters/desk.ts';
import { LETTER, newCampaign, O } from '../../../../test/support/campaigns.ts';
import type { PersonClient, RestClient, TestApp } from '../../../../test/support/app.ts';
import { smtpSink, type SmtpSink } from '../../../../test/support/smtp.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/clock.ts';
import { openThread } from '../threads/record/open.store.ts';
import { FILES_WAITING_MAX } from './rules.ts';
import { CHANGED } from './rules.ts';

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

const { sent, refused, answers, letters, afterItsTime, mail } = answering(() => ({
  app,
  sink,
  desk,
  thread,
}));
const edited = (by: RestClient, { id, revision }: { id: string; revision: number }, given: object) =>
  by.rest('PATCH', `${thread.path}/${id}`, { revision, ...given });

describe('what it answers', () => {
  test('is below in their language, in the text and in the page, and is left out where someone says so', async () => {
    await app.sql`update people set language = 'de' where id = ${desk.people[0]!.id}`;
    await thread.writes({ text: 'Was kostet <das>?', html: '<p>Was kostet <b>das</b>?</p>' });
    const draft = await thread.drafted(member, { text: 'Drei Euro.', html: '<p>Drei Euro.</p>' });
    const { address } = desk.people[0]!;
    expect(draft.letter.quoted).toMatch(/^Am .* schrieb Person <.*>:\n> Was kostet <das>\?$/);
    expect(draft.letter.quoted).toContain(`<${address}>`);
    expect(draft.letter.text).toBe(`Drei Euro.\n\n${draft.letter.quoted}`);
    expect(draft.letter.html).toMatch(/<blockquote type="cite"[^>]*>\s*<p>Was kostet <b>das<\/b>\?<\/p>/);

    const bare = (await edited(member, draft, { quote: false })).body.answer;
    expect(bare).toMatchObject({ quote: false, letter: { text: 'Drei Euro.', quoted: null } });
    expect(bare.letter.html).toBe('<p>Drei Euro.</p>');
    expect(refused(await sent(member, draft))).toEqual([409, CHANGED]);
    // An edit of other things leaves what was chosen.
    expect((await edited(member, bare, { text: 'Vier.' })).body.answer.quote).toBe(false);
  });

  test('is what they wrote last, when the draft is brought up to it', async () => {
    const draft = await thread.drafted(member);
    expect(draft.letter.quoted).toContain('> Tell me more.');
    await thread.writes({ text: 'Never mind.' });
    expect((await answers())[0]!.letter.quoted).toContain('> Tell me more.');
    const now = (await edited(member, draft, {})).body.answer;
    expect(now.letter.quoted).toMatch(/> Never mind\.$/);
  });
});

describe('files', () => {
  const bytes = Buffer.from('%PDF-1.7 the terms');
  const pdf = {
    filename: 'Terms ü.pdf',
    media_type: 'application/pdf',
    file_base64: bytes.toString('base64'),
  };
  const filesPath = () => `/api/threads/${thread.id}/attachments`;
  async function uploaded(by: RestClient, given = pdf) {
    const answer = await by.rest('POST', filesPath(), given);
    expect(answer.status).toBe(201);
    return answer.body.attachment as { id: string };
  }

  async function erased() {
    const { id } = desk.people[0]!;
    const [person] = await app.sql<{ revision: number }[]>`select revision from people where id = ${id}`;
    return app.admin.rest('POST', `/api/admin/crm/people/${id}/erase`, person);
  }

  test('go with the letter as they were uploaded, and are in the conversation, to be saved', async () => {
    const file = await uploaded(member);
    const draft = await thread.drafted(member, { attachments: [file.id, file.id] });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const shown = { id: file.id, filename: pdf.filename, size_bytes: bytes.length, sha256 };
    expect(draft.attachments).toMatchObject([shown]);
    // Whoever reads the draft reads what it carries before it goes.
    const saved = await app.admin.rest('GET', `${filesPath()}/${file.id}`);
    expect([saved.status, saved.body]).toEqual([200, bytes.toString()]);

    await sent(member, draft);
    await afterItsTime();
    const [attached] = (await mail()).attachments;
    expect(attached).toMatchObject({ filename: pdf.filename, mimeType: 'application/pdf' });
    expect(Buffer.from(attached!.content as ArrayBuffer).equals(bytes)).toBe(true);
    const { touches } = (await member.rest('GET', `/api/threads/${thread.id}`)).body;
    expect(touches.at(-1).attachments).toMatchObject([
      { id: file.id, filename: pdf.filename, size: bytes.length, kept: true },
    ]);
  });

  test('are part of what was read: with another one it is another answer', async () => {
    const file = await uploaded(member);
    const draft = await thread.drafted(member);
    const now = (await edited(member, draft, { attachments: [file.id] })).body.answer;
    expect(refused(await sent(member, draft))).toEqual([409, CHANGED]);
    expect(now.attachments).toMatchObject([{ id: file.id }]);
    // Kept where an edit does not name them, and taken off where it does.
    const worded = (await edited(member, now, { text: 'Other words' })).body.answer;
    expect(worded.attachments).toHaveLength(1);
    const bare = (await edited(member, worded, { attachments: [] })).body.answer;
    expect(bare.attachments).toEqual([]);
    expect((await sent(member, bare)).status).toBe(200);
    await afterItsTime();
    expect((await mail()).attachments).toEqual([]);
  });

  test('of another conversation, of a campaign and of nowhere are none of this one’s', async () => {
    const step = await app.admin.rest(
      'POST',
      `/api/admin/outreach/campaigns/${desk.campaign.id}/attachments`,
      pdf,
    );
    const other = await app.instance.app.database.transact((tx) =>
      openThread(tx, { channel: 'email', subject: 'Else' }, app.clock.now()),
    );
    const elsewhere = await member.rest('POST', `/api/threads/${other}/attachments`, pdf);
    for (const id of [
      step.body.attachment.id,
      elsewhere.body.attachment.id,
      '0198c0de-0000-7000-8000-000000000000',
    ]) {
      const answer = await member.rest('POST', thread.path, { text: 'x', attachments: [id] });
      expect([answer.status, Object.keys(answer.body.error.details?.fields ?? {})]).toEqual([
        400,
        ['attachments.0'],
      ]);
    }
  });

  test('are no campaign’s: a step that names one is refused, and who they are of can still be erased', async () => {
    const file = await uploaded(member);
    const { id } = await newCampaign(app.admin);
    const steps = [{ ...LETTER, attachments: [file.id] }];
    const saved = await app.admin.rest('PUT', `${O}/campaigns/${id}/sequence`, { revision: 1, steps });
    expect([saved.status, saved.body.error?.details.fields]).toEqual([
      400,
      {
        'steps.0.attachments.0': 'steps.0.attachments.0: no attachment has that id: upload it first',
      },
    ]);
    expect((await erased()).status).toBe(200);
    expect(await app.sql`select from attachments`).toHaveLength(0);
  });

  test('too large, too many, and what would change the letter around it are refused by name', async () => {
    const tried = async (given: object) => {
      const answer = await member.rest('POST', filesPath(), { ...pdf, ...given });
      return [answer.status, Object.keys(answer.body.error.details.fields)];
    };
    expect(await tried({ file_base64: 'no base64' })).toEqual([400, ['file_base64']]);
    expect(await tried({ filename: '../etc/passwd' })).toEqual([400, ['filename']]);
    expect(await tried({ media_type: 'message/rfc822' })).toEqual([400, ['filename']]);
    const six = await Promise.all(Array.from({ length: 6 }, () => uploaded(member)));
    const answer = await member.rest('POST', thread.path, {
      text: 'x',
      attachments: six.map(({ id }) => id),
    });
    expect([answer.status, Object.keys(answer.body.error.details.fields)]).toEqual([400, ['attachments']]);
  });

  test('that no answer carries are twenty at most, and go after a day; one that a draft or a letter carries stays', async () => {
    const [drafted, went] = [await uploaded(member), await uploaded(member)];
    await sent(member, await thread.drafted(member, { attachments: [went.id] }));
    await afterItsTime();
    await thread.drafted(member, { attachments: [drafted.id] });
    const thrown = await uploaded(app.admin);
    const { id } = await thread.drafted(app.admin, { attachments: [thrown.id] });
    await app.admin.rest('DELETE', `${thread.path}/${id}`);
    await Promise.all(Array.from({ length: FILES_WAITING_MAX - 1 }, () => uploaded(member)));
    const full = await member.rest('POST', filesPath(), pdf);
    expect(refused(full)).toEqual([409, expect.stringContaining('unattached files are deleted after a day')]);

    const kept = async () => {
      await app.instance.jobs.run('answers_expiry');
      const rows = await app.sql<{ id: string }[]>`select id from attachments order by id`;
      return rows.map((row) => row.id);
    };
    app.clock.advance(DAY_MS - HOUR_MS);
    expect(await kept()).toHaveLength(FILES_WAITING_MAX + 2);
    app.clock.advance(HOUR_MS);
    expect(await kept()).toEqual([drafted.id, went.id].toSorted());
    await uploaded(member);
  });

  test('are gone with whoever they were sent to', async () => {
    const file = await uploaded(member);
    await uploaded(member);
    await sent(member, await thread.drafted(member, { attachments: [file.id] }));
    await afterItsTime();
    expect((await erased()).status).toBe(200);
    expect(await app.sql`select from attachments`).toHaveLength(0);
    expect(await letters()).toHaveLength(1);
  });
});
