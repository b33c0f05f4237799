// A letter is exact RFC 5322, the same for the same input, and holds nothing that a field smuggled in.
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { LARGEST_LETTER_BYTES, type Letter } from '../../../src/mail/compose/letter.ts';
import { bytesOf, compose, header, headersOf } from './sample.ts';

const parsed = async (changes: Partial<Letter> = {}) => PostalMime.parse(await bytesOf(changes));

/** Breaks of lines, their lengths, and bytes that may not be in a letter. */
function formOf(bytes: Buffer): { bareBreaks: number; longest: number; above127: number } {
  const text = bytes.toString('latin1');
  return {
    bareBreaks: text.replaceAll('\r\n', '').match(/[\r\n]/g)?.length ?? 0,
    longest: Math.max(...text.split('\r\n').map((line) => line.length)),
    above127: text.match(/[\u0080-\u00ff]/g)?.length ?? 0,
  };
}

describe('the form of a letter', () => {
  test('every break of a line is a whole one, whichever was written', async () => {
    for (const said of ['one\rtwo', 'one\r\r\ntwo', 'one\n\rtwo', 'one\ntwo\r'])
      for (const html of [null, `<p>${said}</p>`]) {
        const form = formOf(await bytesOf({ text: said, html }));
        expect(form, JSON.stringify(said)).toMatchObject({ bareBreaks: 0 });
      }
  });

  test('multipart/alternative has the text first, and both say what was written', async () => {
    const bytes = await bytesOf();
    const body = bytes.toString();
    expect(header(bytes, 'content-type')[0]).toMatch(/^multipart\/alternative/);
    expect(body.indexOf('text/plain')).toBeGreaterThan(0);
    expect(body.indexOf('text/plain')).toBeLessThan(body.indexOf('text/html'));
    const letter = await parsed();
    expect(letter.text?.trim()).toBe('Hello Bo,\n\nshall we talk about the mill?\n\nAda');
    expect(letter.html).toContain('<p>shall we talk about the mill?</p>');
  });

  test('the headers are those that a personal letter has, and none that marks it as automatic or bulk', async () => {
    const names = headersOf(await bytesOf()).map(([name]) => name.toLowerCase());
    expect(names.toSorted()).toEqual([
      'content-type',
      'date',
      'from',
      'list-unsubscribe',
      'list-unsubscribe-post',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ]);
  });

  test('id, date and thread go out as they were fixed', async () => {
    const references = ['<first@a.example>', '<second@b.example>'];
    const bytes = await bytesOf({ in_reply_to: '<second@b.example>', references });
    expect(header(bytes, 'message-id')).toEqual(['<0198c0de-0000-7000-8000-000000000001@sender.example>']);
    expect(header(bytes, 'date')).toEqual(['Wed, 04 Mar 2026 09:30:00 +0000']);
    expect(header(bytes, 'in-reply-to')).toEqual(['<second@b.example>']);
    expect(header(bytes, 'references')).toEqual(['<first@a.example> <second@b.example>']);
  });

  test('lines end in CRLF, are short, and letters of every script become ASCII', async () => {
    const subject = 'Grüße aus Köln, 東京の工場について、とても長い件名がここにあります 🚂 '.repeat(4).trim();
    const text = `${'ein sehr langer Satz ohne Umbruch, '.repeat(60)}\nžluťoučký\n.\n.. dots\nFrom here\n`;
    const bytes = await bytesOf({
      subject,
      text,
      from: { name: 'Čeněk "Žofie", B.', address: 'c@sender.example' },
    });
    expect(formOf(bytes)).toEqual({ bareBreaks: 0, longest: expect.any(Number), above127: 0 });
    expect(formOf(bytes).longest).toBeLessThanOrEqual(78);
    const letter = await PostalMime.parse(bytes);
    expect(letter.subject).toBe(subject);
    expect(letter.from).toMatchObject({ name: 'Čeněk "Žofie", B.', address: 'c@sender.example' });
    expect(letter.text?.trim()).toBe(text.trim());
  });

  test('the same input has the same bytes', async () => {
    const attachments = [
      { filename: 'plan.pdf', content_type: 'application/pdf', content: Buffer.from('%PDF') },
    ];
    const [one, two] = [await bytesOf({ attachments }), await bytesOf({ attachments })];
    expect(one.equals(two)).toBe(true);
    expect((await bytesOf({ attachments, subject: 'Another' })).equals(one)).toBe(false);
  });

  test('attachments arrive as they were, under their names', async () => {
    const content = Buffer.from(Array.from({ length: 5_000 }, (_, at) => at % 256));
    const attachments = [
      { filename: 'Übersicht "neu".bin', content_type: 'application/octet-stream', content },
    ];
    const bytes = await bytesOf({ attachments });
    expect(header(bytes, 'content-type')[0]).toMatch(/^multipart\/mixed/);
    const [attachment] = (await PostalMime.parse(bytes)).attachments;
    expect(attachment?.filename).toBe('Übersicht "neu".bin');
    expect(Buffer.from(attachment?.content as ArrayBuffer).equals(content)).toBe(true);
  });

  test('a letter of HTML alone gets a real text part', async () => {
    const letter = await parsed({
      text: ' \n',
      html: '<p>See <a href="https://a.example/x">the plan</a></p>',
    });
    expect(letter.text?.trim()).toBe('See the plan (https://a.example/x)');
  });

  test('a letter of text alone has no HTML part', async () => {
    expect(header(await bytesOf({ html: null }), 'content-type')[0]).toMatch(/^text\/plain/);
    expect((await parsed({ html: null })).html).toBeUndefined();
  });

  test('a letter that says nothing is not composed', async () => {
    expect(await compose({ text: '  ', html: '<p> </p>' })).toEqual({ ok: false, reason: 'empty_letter' });
  });
});

describe('unsubscribing', () => {
  test('one click and mail are in one header, with the post of RFC 8058', async () => {
    const bytes = await bytesOf();
    expect(header(bytes, 'list-unsubscribe')).toEqual([
      '<https://desk.sender.example/u/tok-123>, <mailto:unsubscribe@sender.example?subject=tok-123>',
    ]);
    expect(header(bytes, 'list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
  });

  test('without a page there is no one-click post', async () => {
    const bytes = await bytesOf({ list_unsubscribe: { url: null, mailto: 'mailto:u@sender.example' } });
    expect(header(bytes, 'list-unsubscribe')).toEqual(['<mailto:u@sender.example>']);
    expect(header(bytes, 'list-unsubscribe-post')).toEqual([]);
  });

  test('a long token is not broken', async () => {
    const url = `https://desk.sender.example/u/${'t0'.repeat(300)}`;
    const bytes = await bytesOf({ list_unsubscribe: { url, mailto: null } });
    expect(header(bytes, 'list-unsubscribe')).toEqual([`<${url}>`]);
    expect(formOf(bytes).longest).toBeLessThanOrEqual(998);
  });
});

describe('a field that could end its line refuses the letter', () => {
  const evil = [
    'a\r\nBcc: x@evil.example',
    'a\nb',
    'a\rb',
    'a\0b',
    'a\tb',
    'a\u007fb',
    'a\u0085b',
    'a\u2028b',
    'a\ud800b',
  ];
  const attachment = { filename: 'a.txt', content_type: 'text/plain', content: Buffer.from('a') };
  const fields: Record<string, (text: string) => Partial<Letter>> = {
    subject: (text) => ({ subject: text }),
    from: (text) => ({ from: { name: text, address: 'ada@sender.example' } }),
    reply_to: (text) => ({ reply_to: { name: text, address: 'ada@sender.example' } }),
    to: (text) => ({ to: [{ name: text, address: 'bo@example.org' }] }),
    cc: (text) => ({ cc: [{ name: null, address: `${text}@example.org` }] }),
    message_id: (text) => ({ message_id: `<${text}@sender.example>` }),
    in_reply_to: (text) => ({ in_reply_to: `<${text}@sender.example>` }),
    references: (text) => ({ references: ['<fine@a.example>', `<${text}@sender.example>`] }),
    feedback_id: (text) => ({ feedback_id: text }),
    list_unsubscribe: (text) => ({ list_unsubscribe: { url: `https://a.example/${text}`, mailto: null } }),
    attachments: (text) => ({ attachments: [{ ...attachment, filename: text }] }),
  };
  test.each(Object.entries(fields))('%s', async (field, put) => {
    for (const text of evil)
      expect(await compose(put(text)), JSON.stringify(text)).toEqual({
        ok: false,
        reason: 'unsafe_header',
        field,
      });
    expect(await compose(put('fine'))).toMatchObject({ ok: true });
  });

  test('a type that changes the letter around it is no attachment', async () => {
    for (const content_type of ['multipart/mixed', 'message/rfc822', 'text/plain; charset=x', 'text'])
      expect(await compose({ attachments: [{ ...attachment, content_type }] })).toMatchObject({
        reason: 'unsafe_header',
      });
  });

  test('whatever is written, it is refused or arrives, and no header is there that was not asked for', async () => {
    const usual = headersOf(await bytesOf({ html: null })).map(([name]) => name);
    // Over all of Unicode controls are so rare that random text alone would try none.
    const unit = fc.oneof(
      { weight: 20, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('\r\n', '\n', '\r', '\0', '\t', '\u2028', '\r\nBcc: x@evil.example'),
      },
    );
    const text = fc.array(unit, { maxLength: 30 }).map((units) => units.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (subject, name, body) => {
        const to = [{ name, address: 'bo@example.org' }];
        const composed = await compose({ subject: `s${subject}`, to, text: `b${body}`, html: null });
        const isUnsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(subject + name);
        expect(composed.ok, JSON.stringify({ subject, name })).toBe(!isUnsafe);
        if (!composed.ok) return;
        const names = headersOf(composed.bytes).map(([each]) => each);
        expect(names.filter((each) => !usual.includes(each) && each !== 'Content-Transfer-Encoding')).toEqual(
          [],
        );
        expect(formOf(composed.bytes)).toMatchObject({ bareBreaks: 0, above127: 0 });
        expect(formOf(composed.bytes).longest).toBeLessThanOrEqual(998);
      }),
      { numRuns: 100 },
    );
  });
});

describe('addresses', () => {
  test('a domain of another script is written in ASCII', async () => {
    const composed = await compose({ to: [{ name: null, address: 'bo@bücher.example' }] });
    expect(composed).toMatchObject({
      ok: true,
      needs_smtputf8: false,
      recipients: ['bo@xn--bcher-kva.example'],
    });
    expect(header(composed.ok ? composed.bytes : Buffer.alloc(0), 'to')).toEqual([
      'bo@xn--bcher-kva.example',
    ]);
  });

  test('an international mailbox of a recipient is said, since the next hop must take it', async () => {
    const composed = await compose({ to: [{ name: null, address: '用户@例え.example' }] });
    expect(composed).toMatchObject({ ok: true, needs_smtputf8: true });
  });

  test('our own addresses are ASCII, and what is no address is no recipient', async () => {
    const no = (field: string) => ({ ok: false, reason: 'address_unsupported', field });
    expect(await compose({ from: { name: null, address: 'žofie@sender.example' } })).toEqual(no('from'));
    expect(await compose({ to: [{ name: null, address: 'bo@example.org, cy@example.org' }] })).toEqual(
      no('to'),
    );
  });

  test('everyone addressed is a recipient once', async () => {
    const [bo, cy] = [
      { name: 'Bo', address: 'bo@example.org' },
      { name: 'Cy', address: 'cy@example.org' },
    ];
    expect(await compose({ to: [bo], cc: [cy, bo] })).toMatchObject({
      recipients: ['bo@example.org', 'cy@example.org'],
    });
  });
});

test('a letter above 10 MB is too large, counted as it goes over the wire', async () => {
  const sized = (bytes: number) =>
    compose({
      attachments: [{ filename: 'a.bin', content_type: 'application/zip', content: Buffer.alloc(bytes) }],
    });
  expect(await sized(LARGEST_LETTER_BYTES)).toEqual({ ok: false, reason: 'letter_too_large' });
  expect(await sized(8 * 1024 * 1024), 'base64 makes it a third larger').toEqual({
    ok: false,
    reason: 'letter_too_large',
  });
  expect(await sized(7 * 1024 * 1024)).toMatchObject({ ok: true });
});
