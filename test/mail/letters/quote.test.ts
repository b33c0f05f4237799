// What is quoted below an answer: in the reader's language, found again by what strips quotes, and no one's unsubscribe link in it.
import { describe, expect, test } from 'vitest';
import { withoutFoot } from '../../../src/features/inbox/threads/record/clean.rules.ts';
import { appended } from '../../../src/mail/letters/html.ts';
import { wordsOfPage } from '../../../src/mail/inbound/page.ts';
import { stripQuoted } from '../../../src/mail/inbound/strip.ts';
import { HTML_CHARS, QUOTED_LANGUAGES, quoteOf, withoutQuote } from '../../../src/mail/letters/quote.ts';

const theirs = {
  at: new Date('2026-03-02T13:05:00Z'),
  name: 'Dana Roe',
  address: 'dana@roe.example',
  text: 'Is Tuesday good?\n\nDana\n> earlier words',
  html: null,
  language: null,
};

describe('the line above says when who wrote', () => {
  test('in English where no language is known, at the clock of whoever answers', () => {
    const said = 'On Mon, 2 Mar 2026, 14:05, Dana Roe <dana@roe.example> wrote:';
    expect(quoteOf(theirs, 'Europe/Vienna').text.split('\n')[0]).toBe(said);
    expect(quoteOf({ ...theirs, language: 'tlh' }, 'Europe/Vienna').text.split('\n')[0]).toBe(said);
  });

  test('in the language of whoever reads it', () => {
    const line = (language: string) => quoteOf({ ...theirs, language }, 'UTC').text.split('\n')[0];
    expect(line('de-AT')).toBe('Am Mo., 2. März 2026, 13:05 schrieb Dana Roe <dana@roe.example>:');
    expect(line('FR')).toMatch(/^Le lun\. 2 mars 2026.* Dana Roe <dana@roe\.example> a écrit :$/);
  });

  test('by the address alone where they gave no name', () => {
    expect(quoteOf({ ...theirs, name: null }, 'UTC').text).toMatch(/, <dana@roe\.example> wrote:\n/);
  });
});

describe('what it says', () => {
  test('is marked line by line, and quotes within it deeper', () => {
    expect(quoteOf(theirs, 'UTC').text.split('\n').slice(1)).toEqual([
      '> Is Tuesday good?',
      '>',
      '> Dana',
      '>> earlier words',
    ]);
  });

  test('is cut where it is long, and a long page is quoted as its text', () => {
    const long = quoteOf(
      { ...theirs, text: 'a line\n'.repeat(10_000), html: 'x'.repeat(HTML_CHARS + 1) },
      'UTC',
    );
    expect(long.text.length).toBeLessThan(15_000);
    expect(long.text.endsWith('> a line\n> […]')).toBe(true);
    expect(long.html).not.toContain('xxx');
    expect(long.html).toContain('a line');
  });

  test('takes no picture along, and no one’s unsubscribe link: whoever gets a copy would opt them out', () => {
    const key = 'k'.repeat(43);
    const text = `Yes.\n> Unsubscribe: https://desk.example/u/${key}`;
    const html = `<p>Yes.<img alt="" data-src="https://e.example/p.gif"></p><a href="https://desk.example/u/${key}">out</a>`;
    const quote = quoteOf({ ...theirs, text, html }, 'UTC');
    expect(JSON.stringify(quote)).not.toMatch(/kkk|<img|p\.gif/);
    expect(quote.html).toContain('<blockquote type="cite"');
    expect(quote.html).toContain('Dana Roe &lt;dana@roe.example&gt; wrote:');
  });
});

test.each(QUOTED_LANGUAGES)('%s: what strips quotes finds ours again, in text and in a page', (language) => {
  const quote = quoteOf({ ...theirs, language }, 'UTC');
  const text = `Tuesday is fine.\n\nAda\n\n${quote.text}`;
  expect(withoutQuote(text)).toBe('Tuesday is fine.\n\nAda');
  expect(stripQuoted(text)).toMatchObject({
    text: 'Tuesday is fine.\n\nAda',
    whole: false,
    interleaved: false,
  });
  const page = wordsOfPage(`<p>Tuesday is fine.</p>${quote.html}`);
  expect(stripQuoted(page).text).toBe('Tuesday is fine.');
});

describe('of a letter whose quote its reader may not read', () => {
  const secret = '> Zebrafish at twelve.';
  const ours = 'Yes.\n\nAda';
  const quote = `On Monday, Dana wrote:\n${secret}`;

  test.each([
    ['ends with it', `${ours}\n\n${quote}`],
    ['goes on below it', `${ours}\n\n${quote}\n\nSent from a train`],
    ['holds nothing else', quote],
    ['has no line above it', `${ours}\n\n${secret}`],
    ['ends its lines as mail does', `${ours}\n\n${quote}\n`.replaceAll('\n', '\r\n')],
    ['shows none that is known', 'Zebrafish at twelve.'],
    ['is nothing', ''],
  ])('nothing of it is left where the letter %s', (_how, text) => {
    const left = withoutQuote(text);
    expect(left).not.toMatch(/zebrafish|wrote:/i);
    expect(left.replaceAll('\r', '')).toBe(text.startsWith('Yes.') ? ours : '');
  });

  test('what its author quoted line by line is theirs, above a quote that is found', () => {
    const own = '> Is Tuesday good?\nYes. We say:\n\n> so';
    expect(withoutQuote(`${own}\nfriends\n\n${quote}`)).toBe(`${own}\nfriends`);
  });
});

describe('words that were written to take long take about as long as others', () => {
  const filled = (piece: string, size: number): string => `a${piece.repeat(size / piece.length)}a`;
  const took = (work: () => unknown): number => {
    const started = performance.now();
    work();
    return performance.now() - started;
  };
  const ways: Record<string, (words: string) => unknown> = {
    'quoted as text': (text) => quoteOf({ ...theirs, text }, 'UTC'),
    'quoted as a page': (html) => quoteOf({ ...theirs, html: html.slice(0, HTML_CHARS) }, 'UTC'),
    'without a quote': withoutQuote,
    'without the way out': withoutFoot,
    'above something else': (html) => appended(html, ['<p>more</p>']),
  };
  const pieces = [
    'http://',
    'http://x/u/',
    '/u/',
    '/u/aaaaaaaaaaaaaaaaaaaaaaaa',
    '\n',
    '\nUnsubscribe: http://',
    '\nUnsubscribe: http://x/u/ ',
    ':\n> ',
    '>',
    ' ',
    '<img ',
    '</body',
    '</body>',
    '</body ',
  ];
  test.each(Object.entries(ways))('%s', (_, way) => {
    const size = 256 * 1024;
    way(filled('word ', 1_000));
    const plain = took(() => way(filled('word ', size)));
    for (const piece of pieces)
      expect(
        took(() => way(filled(piece, size))),
        JSON.stringify(piece),
      ).toBeLessThan(Math.max(plain, 5) * 100);
  });
});

test('what is kept of a letter of ours has no unsubscribe link, neither below it nor among its words', () => {
  const key = 'k'.repeat(43);
  const text = `See https://desk.example/u/${key}.\n\nAda\n\n\nUnsubscribe: https://desk.example/u/${key}\nDesk Ltd`;
  expect(withoutFoot(text)).toBe('See https://desk.example/u/….\n\nAda');
});
