// What could end a line of a letter's header, in what a letter takes words from: nothing of it reaches a mail server.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { layDesk, openDesk, type DeskWishes } from '../letters/desk.ts';
import type { TestApp } from '../support/app.ts';
import { smtpSink, type SmtpSink } from '../support/smtp.ts';
import { aCampaign, aDesk, O, somebody } from '../support/letters.ts';

let app: TestApp;
let sink: SmtpSink;
beforeAll(async () => {
  app = await openDesk();
});
afterAll(() => app?.close());
beforeEach(async () => {
  sink = await smtpSink();
});
afterEach(() => sink[Symbol.asyncDispose]());

const BREAKS = ['\r\n', '\n', '\r', '\u0085', '\u2028', '\u2029', '\v', '\f', '\u007f', '\u001b'];
const evil = (sign: string): string => `Ada${sign}Bcc: eve@evil.example`;
/** Fields of a letter that become its header. */
const FIELDS: Record<string, (text: string) => DeskWishes> = {
  'the subject': (subject) => ({ letter: { subject }, identity: { port: sink.port } }),
  'the name of the sender': (name) => ({ identity: { name, port: sink.port } }),
};

describe.each(Object.entries(FIELDS))('%s', (_, put) => {
  test('reaches a mail server where it is one line, in whatever script', async () => {
    const desk = await layDesk(app, put('Ada Bcc: eve@evil.example \u00e9\u4e2d'));
    await desk.send();
    expect(sink.letters).toHaveLength(1);
    const [header = ''] = sink.letters[0]?.bytes.toString('latin1').split('\r\n\r\n') ?? [];
    expect(header).not.toMatch(/^bcc:/im);
    expect(/[^\r\n\t\x20-\x7e]/.test(header)).toBe(false);
    expect(sink.letters[0]?.to).toEqual([desk.letters[0]?.person.address]);
  });

  test.each(BREAKS)('reaches none with %j in it, and the letter says why', async (sign) => {
    const desk = await layDesk(app, put(evil(sign)));
    await desk.send();
    await desk.send();
    expect(sink.letters).toEqual([]);
    expect((await desk.row())['state']).not.toBe('sent');
  });
});

/** One line, and nothing in it that a mail program takes for another. */
// oxlint-disable-next-line no-control-regex
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;

describe('through the entry points', () => {
  const P = '/api/admin/crm/people';
  test.each(BREAKS)('a reply address with %j in it is refused', async (sign) => {
    const { identity_id } = await aDesk(app);
    const path = `${O}/identities/${identity_id}`;
    const { revision } = (await app.admin.rest('GET', path)).body.identity;
    for (const reply_to of [
      `ada@desk.example${sign}Bcc: eve@evil.example`,
      `ada${sign}@desk.example`,
      `"a${sign}b"@desk.example`,
    ]) {
      const answer = await app.admin.rest('PATCH', path, { revision, reply_to });
      expect([answer.status, answer.body.error?.details?.fields?.reply_to]).toEqual([
        400,
        expect.any(String),
      ]);
    }
  });

  test.each(BREAKS)('a file whose name has %j in it has one line for a name, or is refused', async (sign) => {
    const person = await somebody(app);
    const { thread } = (
      await app.admin.rest('POST', '/api/threads', {
        person: person.id,
        channel: 'call',
        direction: 'in',
        text: 'Hello',
      })
    ).body;
    const answer = await app.admin.rest('POST', `/api/threads/${thread.id}/attachments`, {
      filename: `a${sign}Bcc: eve@evil.example.txt`,
      media_type: 'text/plain',
      file_base64: Buffer.from('x').toString('base64'),
    });
    expect([201, 400]).toContain(answer.status);
    if (answer.status === 201) expect(answer.body.attachment.filename).toMatch(ONE_LINE);
  });

  test.each(BREAKS)(
    'what someone is called and their fields, with %j in them, end no line of a subject',
    async (sign) => {
      const F = '/api/admin/crm/fields';
      const { revision: at } = (await app.admin.rest('GET', `${F}?noun=person`)).body.items[0];
      const fields = await app.admin.rest('PUT', F, {
        noun: 'person',
        revision: at,
        fields: [{ key: 'note', title: 'Note', kind: 'text' }],
      });
      expect(fields.status, JSON.stringify(fields.body)).toBe(200);
      const campaign = await aCampaign(app, await aDesk(app));
      const person = await somebody(app);
      const { revision } = (await app.admin.rest('GET', `${P}/${person.id}`)).body.person;
      const changed = { name: evil(sign), custom: { note: evil(sign) } };
      const answer = await app.admin.rest('PATCH', `${P}/${person.id}`, { revision, ...changed });
      // Past the entry point too, as an import of an earlier release may have left it.
      if (answer.status !== 200)
        await app.sql`
        update people set name = ${changed.name}, custom = ${app.sql.json(changed.custom)} where id = ${person.id}`;
      await app.sql`
      update sequence_steps set subject = 'To {{ person.name }}: {{ person.custom.note }}' where id = ${campaign.step_id}`;
      const { preview } = (
        await app.admin.rest('GET', `${O}/campaigns/${campaign.id}/preview?person=${person.id}`)
      ).body;
      if (preview.faults.length === 0) expect(preview.subject).toMatch(ONE_LINE);
      else expect(preview.faults.join()).toMatch(/line|subject|character/i);
    },
  );

  test('the unsubscribe headers are one line each, whatever the campaign is called', async () => {
    const desk = await layDesk(app, { identity: { port: sink.port } });
    await app.sql`update campaigns set name = ${evil('\r\n')}`;
    await desk.send();
    const [header = ''] = sink.letters[0]?.bytes.toString('latin1').split('\r\n\r\n') ?? [];
    // A long header goes on in lines that begin with a space.
    expect(header.replace(/\r\n[ \t]/g, ' ')).toMatch(/^List-Unsubscribe: +<[!-~]+>(, +<[!-~]+>)?$/im);
    expect(header).not.toMatch(/^bcc:/im);
  });
});
