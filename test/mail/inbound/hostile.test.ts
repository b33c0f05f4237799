// Any bytes: never thrown over, never more than the limits, never anything that bites when it is shown.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FILES_BYTES,
  FILES,
  MESSAGE_IDS,
  RECIPIENTS,
  SUBJECT_CHARS,
  TEXT_CHARS,
} from '../../../src/mail/inbound/limits.ts';
import type { ReadMail } from '../../../src/mail/inbound/mail.ts';
import { readMail } from '../../../src/mail/inbound/read.ts';
import { readingByRule } from '../../../src/mail/inbound/reading.ts';
import { stripQuoted } from '../../../src/mail/inbound/strip.ts';
import { CORPUS } from './corpus/all.ts';
import { bytes, head } from './corpus/case.ts';

// oxlint-disable-next-line no-control-regex -- what must not be there
const UNFIT = /[\u0000\p{Cs}]/u;
const TAG = /<[^<>]*>/g;
const ATTRIBUTE = /\s([\w-]+)(?:="([^"]*)")?/g;
const BITING_TAG =
  /^<(?:script|style|iframe|object|embed|svg|math|form|input|button|base|meta|link|video|audio)\b/i;
const BITING_NAME = /^(?:on\w+|src|srcset|background|srcdoc|formaction|id|class)$/i;
const BITING_STYLE = /url|position|expression|@import|behavior/i;
const LEADS_OUT = /^(?:https?:|mailto:|tel:)/i;

/** The tags that load or run something. What is within an attribute's quotes is no attribute, whatever it looks like. */
const biting = (html: string): string[] =>
  (html.match(TAG) ?? []).filter(
    (tag) =>
      BITING_TAG.test(tag) ||
      [...tag.matchAll(ATTRIBUTE)].some(
        ([, name = '', value = '']) =>
          BITING_NAME.test(name) ||
          (/^(?:href|data-src)$/i.test(name) && !LEADS_OUT.test(value)) ||
          (/^style$/i.test(name) && BITING_STYLE.test(value)),
      ),
  );

function holds(mail: ReadMail): void {
  expect(mail.text).toContain(mail.text_stripped);
  expect(mail.text.length).toBeLessThanOrEqual(TEXT_CHARS);
  expect(mail.subject.length).toBeLessThanOrEqual(SUBJECT_CHARS);
  expect(mail.to.length + mail.cc.length).toBeLessThanOrEqual(2 * RECIPIENTS);
  expect(mail.references.length).toBeLessThanOrEqual(MESSAGE_IDS);
  expect(mail.attachments.length).toBeLessThanOrEqual(FILES);
  expect(mail.attachments.every(({ bytes: kept }) => kept === null || kept.length <= FILES_BYTES)).toBe(true);
  const words = JSON.stringify({
    ...mail,
    attachments: mail.attachments.map((each) => ({ ...each, bytes: null })),
  });
  expect(UNFIT.test(words) || words.includes('\\u0000') || /\\ud[89a-f]/i.test(words)).toBe(false);
  expect(biting(mail.html ?? '')).toEqual([]);
  expect(['unsubscribe', 'out_of_office', 'unread']).toContain(readingByRule(mail).reading);
}

const read = (text: string): Promise<ReadMail> => readMail(bytes(text));
const page = (html: string): Promise<ReadMail> =>
  read(`${head({})}Content-Type: text/html; charset=utf-8\n\n${html}\n`);

/** A letter of the corpus with stretches cut out, doubled, or overwritten with noise. */
const damaged = fc
  .tuple(
    fc.constantFrom(...CORPUS.filter(({ raw }) => raw.length < 10_000)),
    fc.array(fc.tuple(fc.nat(3000), fc.nat(60), fc.uint8Array({ maxLength: 60 })), { maxLength: 6 }),
  )
  .map(([{ raw }, wounds]) => {
    let wounded = [...raw];
    for (const [at, length, noise] of wounds)
      wounded = [...wounded.slice(0, at), ...noise, ...wounded.slice(at + length)];
    return Uint8Array.from(wounded);
  });

const TAGS = [
  'div',
  'p',
  'img',
  'a',
  'svg',
  'script',
  'style',
  'iframe',
  'table',
  'td',
  'blockquote',
  'math',
  'b',
  'form',
  'object',
  'template',
  'noscript',
  'textarea',
  'title',
];
const ATTRIBUTES = [
  'onclick=alert(1)',
  'src=https://spy.example/x',
  'src=javascript:alert(1)',
  'href=javascript:alert(1)',
  'href="java\tscript:alert(1)"',
  'href=data:text/html,x',
  'style="position:fixed;background:url(//spy.example)"',
  'style="color:red;color:expression(alert(1))"',
  'srcset="https://spy.example/x 2x"',
  'id=root',
  'class=gmail_quote',
  'data-src=javascript:alert(1)',
  'data-cid="x\'><script>"',
  'src=cid:a@b',
  'background=https://spy.example',
];
const markup = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom(...TAGS), fc.subarray(ATTRIBUTES, { maxLength: 3 }))
        .map(([tag, of]) => `<${tag} ${of.join(' ')}>`),
      fc.constantFrom(...TAGS).map((tag) => `</${tag}>`),
      fc.constantFrom(
        'words',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '"',
        '>',
        '<',
        '&lt;script&gt;',
        '&#x3c;img src=x onerror=alert(1)&#x3e;',
      ),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''));

describe('any bytes', () => {
  test('noise is read without a throw', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 1500 }), async (raw) => holds(await readMail(raw))),
      { numRuns: 300 },
    ));

  test('damaged letters are read without a throw, and what is stripped is a part of the text', () =>
    fc.assert(
      fc.asyncProperty(damaged, async (raw) => holds(await readMail(raw))),
      { numRuns: 500 },
    ));

  test('whatever HTML says, what is kept loads nothing and runs nothing', () =>
    fc.assert(
      fc.asyncProperty(markup, async (html) => holds(await page(html))),
      { numRuns: 500 },
    ));

  test('stripped text is a part of the text and is empty only where the text is', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '> a',
            '>',
            '',
            'words',
            '-- ',
            '--',
            'On 3 Dec 2025, Ann wrote:',
            'From: a',
            'Sent: b',
            'To: c',
            'Subject: d',
            '-----Original Message-----',
            '____________',
            'Sent from my iPhone',
            '>> b',
          ),
          { maxLength: 25 },
        ),
        (lines) => {
          const text = lines.join('\n');
          const stripped = stripQuoted(text);
          expect(text).toContain(stripped.text);
          expect(stripped.text === '').toBe(text.trim() === '');
        },
      ),
      { numRuns: 1000 },
    ));
});

describe('what bites', () => {
  test('a file of the letter is shown by its name and a picture from elsewhere is not loaded', async () => {
    const { html } = await page(
      '<img src="cid:logo%40x" onerror=alert(1)><img src="https://spy.example/1.gif?who=ada"><img src="data:image/svg+xml,x">',
    );
    expect(html).toContain('data-cid="logo@x"');
    expect(html).toContain('data-src="https://spy.example/1.gif?who=ada"');
    expect(html).not.toMatch(/\ssrc=|data:image/);
  });

  test('a link that runs is words, and one that leads away tells nothing of us', async () => {
    const { html } = await page(
      '<a href="javascript:alert(1)">one</a> <a href="https://example.org/">two</a>',
    );
    expect(html).toBe(
      '<span>one</span> <a href="https://example.org/" rel="noopener noreferrer nofollow" target="_blank">two</a>',
    );
  });

  test('styles colour, and neither load nor place themselves', async () => {
    const { html } = await page(
      '<p style="color:red;position:fixed;top:0;background:url(https://spy.example);margin:-9px">x</p><style>p{}</style>',
    );
    expect(html).toBe('<p style="color:red">x</p>');
  });

  test('the name of a file has no folder and does not turn round', async () => {
    const { attachments } = await read(
      `${head({})}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/x\nContent-Disposition: attachment; filename="../../etc/\u202efdp.exe"\n\nx\n--b--\n`,
    );
    expect(attachments[0]?.filename).toBe('_.._etc_fdp.exe');
  });
});

describe('large and deep', () => {
  test('a hundred thousand recipients: the first are read', async () => {
    const list = Array.from({ length: 100_000 }, (_, at) => `p${at}@example.org`).join(',\n ');
    const mail = await read(`To: ${list}\n${head({})}Content-Type: text/plain\n\nYes.\n`);
    expect(mail.to).toHaveLength(RECIPIENTS);
    expect(mail).toMatchObject({ text: 'Yes.', subject: 'Re: A question', cut: true });
  });

  test('a million lines are cut, and the first are read', async () => {
    const mail = await readMail(Buffer.from(`${head({})}\n${'word\n'.repeat(1_000_000)}`));
    expect(mail.cut).toBe(true);
    expect(mail.text.startsWith('word\nword')).toBe(true);
  });

  test.each([
    [
      'multiparts five hundred deep',
      Array.from(
        { length: 500 },
        (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\n\n--b${at}\n`,
      ).join(''),
    ],
    ['ten thousand parts', `Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(10_000)}`],
    ['elements fifty thousand deep', `Content-Type: text/html\n\n${'<div>'.repeat(50_000)}x`],
    ['quotes fifty thousand deep', `Content-Type: text/html\n\n${'<blockquote type=cite>'.repeat(20_000)}x`],
    ['nothing but angle brackets', `Content-Type: text/html\n\n${'<'.repeat(500_000)}`],
    ['nothing but quote marks', `\n${'>'.repeat(200_000)}\n${'>\n'.repeat(10_000)}`],
    ['nothing but blank lines', `\n${'\n'.repeat(15_000)}${'-- \n\n'.repeat(2000)}x`],
    ['lines that all but attribute', `\n${'On 3 Dec 2025, Ann wrote :\n'.repeat(8000)}`],
    ['styles without end', `Content-Type: text/html\n\n<p style="${'color:red;'.repeat(40_000)}">x</p>`],
    ['one line of spaces', `\n${' '.repeat(250_000)}x`],
  ])('%s', async (_, body) => {
    holds(await read(`${head({})}${body}\n`));
  });

  test('a file over the limit is told of and not kept, and one that only its encoding makes long is', async () => {
    const file = (encoding: string, lines: number) =>
      read(
        `${head({})}Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: ${encoding}\n\n${`${'A'.repeat(76)}\n`.repeat(lines)}`,
      );
    const over = await file('8bit', 115_000);
    expect(over.attachments).toMatchObject([
      { filename: 'a.pdf', content_type: 'application/pdf', bytes: null },
    ]);
    expect(over.attachments[0]?.size).toBeGreaterThan(FILES_BYTES);
    const within = await file('base64', 100_000);
    expect(within.attachments[0]?.bytes?.length).toBe(5_700_000);
    expect([over.cut, within.cut]).toEqual([false, false]);
  });
});
