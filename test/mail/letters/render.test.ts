// Letters rendered from what an author wrote and what is known of a person: fields, fallbacks, what has to be below, and
// values that try to be more than data.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LetterSource, MergeValues, Surroundings } from '../../../src/mail/letters/letter.ts';
import {
  mergeFields,
  readSource,
  renderLetter,
  renderText,
  openUnresolved,
} from '../../../src/mail/letters/render.ts';

const URL = 'https://desk.example/u/abc?a=1&b=2';
const values = (person: Record<string, unknown> = {}, custom: Record<string, unknown> = {}): MergeValues => ({
  person: { given: 'Dana', name: 'Dana Roe', tags: ['one', 'two'], ...person },
  company: { name: 'Roe & Sons', custom: { plan: 'gold' } },
  custom,
  campaign: { name: 'Spring' },
  identity: { name: 'Sam' },
});
const around: Surroundings = {
  unsubscribe: { mode: 'one_click', url: URL },
  postal_address: 'Acme Ltd\n1 Road\nTown',
  signature: { text: 'Sam\nAcme', html: '' },
};
const bare: Surroundings = { unsubscribe: null, postal_address: null, signature: { text: '', html: '' } };
const letter = (given: Partial<LetterSource>): LetterSource => ({
  subject: 'Hello',
  text: 'Hello',
  html: null,
  ...given,
});

describe('merge fields', () => {
  test('a field is filled in in subject, text and HTML, raw in text and escaped in HTML', () => {
    const made = renderLetter(
      letter({
        subject: '{{ company.name }}',
        text: '{{ company.name }}',
        html: '<p>{{ company.name }}</p>',
      }),
      values(),
      bare,
    );
    expect(made).toMatchObject({ subject: 'Roe & Sons', text: 'Roe & Sons', html: '<p>Roe &amp; Sons</p>' });
    expect(made.fields_used).toEqual(['company.name']);
  });

  test('a field without a fallback and without a value is unresolved, in whichever part it exists', () => {
    const made = renderLetter(
      letter({
        subject: '{{ custom.a }}',
        text: 'x {{ custom.b }}',
        html: '<p>{{ custom.c }} {{ person.given }}</p>',
      }),
      values({}, { b: '  ' }),
      bare,
    );
    expect(made.unresolved).toEqual(['custom.a', 'custom.b', 'custom.c']);
  });

  test('a field with a fallback, in a branch that is not taken, or with the number nought is resolved', () => {
    const text =
      '{{ custom.a | default: "you" }} {% if custom.b %}{{ custom.b }}{% endif %} {{ custom.n }} {{ custom.f }}';
    const made = renderLetter(letter({ text }), values({}, { n: 0, f: false }), bare);
    expect(made.unresolved).toEqual([]);
    expect(made.text).toBe('you  0 false');
  });

  test('the cheap count agrees with the whole letter, whatever is empty', () => {
    const sources = [
      letter({ text: '{{ person.given }} {{ custom.a }}' }),
      letter({ text: '{% if custom.a == "x" %}{{ custom.b }}{% else %}{{ person.given }}{% endif %}' }),
      letter({
        text: '{{ custom.a | remove: "x" }}{% assign v = custom.b %}{{ v }}',
        html: '<p>{{ person.given | default: "y" }}</p>',
      }),
      letter({ text: '{% assign v = custom.b %}{{ v }}{% if custom.a %}{{ person[custom.a] }}{% endif %}' }),
      letter({
        text: '{{ person }}{{ person.tags }}{{ "x" }}{{ nil }}{% unless custom.a == custom.b %}{{ person.given }}{% endunless %}',
      }),
      letter({ subject: '{{ company.custom.plan }} {{ person.tags | join: "," }}{{ unsubscribe_url }}' }),
    ];
    const maybe = fc.constantFrom(undefined, null, '', ' ', 'x', 'y', 'given', ['', ''], 0, false, {});
    // One counter a source for all people, as the checks of a campaign use it.
    const counters = new Map(sources.map((source) => [source, openUnresolved(source, around)]));
    fc.assert(
      fc.property(fc.constantFrom(...sources), maybe, maybe, maybe, (source, given, a, b) => {
        const of = values({ given }, { a, b });
        expect(counters.get(source)?.(of)).toEqual(renderLetter(source, of, around).unresolved);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the fields of a source are listed without what it assigns itself', () => {
    const text =
      '{% assign x = custom.a %}{{ x }} {% if person.country == "DE" %}{{ identity.name }}{% endif %}';
    expect(mergeFields(text)).toEqual(['custom.a', 'identity.name', 'person.country']);
    expect(readSource(letter({ text, html: '{{ company.size }}' })).fields).toEqual([
      'company.size',
      'custom.a',
      'identity.name',
      'person.country',
    ]);
  });

  test('a day is written as asked for, and there is no now', () => {
    expect(renderText('{{ custom.d | date: "%d.%m.%Y" }}', values({}, { d: '2026-03-04' }))).toBe(
      '04.03.2026',
    );
    expect(renderText('{{ "now" | date: "%Y" }}{{ "today" | date: "%Y" }}', values())).toBe('nowtoday');
  });
});

describe('what is below', () => {
  test('signature, unsubscribe link and postal address are appended to both parts where the author placed none', () => {
    const made = renderLetter(letter({ text: 'Hello {{ person.given }},\n\nbye' }), values(), around);
    expect(made.text).toBe(`Hello Dana,\n\nbye\n\nSam\nAcme\n\nUnsubscribe: ${URL}\nAcme Ltd\n1 Road\nTown`);
    expect(made.html).toContain('<p>Hello Dana,</p>\n<p>bye</p>');
    expect(made.html).toContain('<a href="https://desk.example/u/abc?a=1&amp;b=2">Unsubscribe</a>');
    expect(made.html).toContain('1 Road<br>\nTown');
    expect(made.has_unsubscribe).toBe(true);
  });

  test('what the author placed is not repeated, part by part, and the tail goes inside the body', () => {
    const made = renderLetter(
      letter({
        text: 'Out: {{ unsubscribe_url }}\n{{ postal_address }}',
        html: '<html><body><p>Hi</p>{{ postal_address }}</body></html>',
      }),
      values(),
      around,
    );
    expect(made.text.split(URL)).toHaveLength(2);
    expect(made.text.split('1 Road')).toHaveLength(2);
    expect(made.html.split('1 Road')).toHaveLength(2);
    expect(made.html).toMatch(/Unsubscribe<\/a><\/p>\n<\/body><\/html>$/);
  });

  test('a link that the author placed can be followed in the HTML made of the text', () => {
    const made = renderLetter(letter({ text: 'Out: {{ unsubscribe_url }}' }), values(), around);
    expect(made.html).toContain('<p>Out: <a href="https://desk.example/u/abc?a=1&amp;b=2">');
  });

  test('a letter of HTML alone gets its text, and a letter of nothing stays nothing', () => {
    const made = renderLetter(
      letter({ text: '', html: '<p>Hi <a href="https://a.example">there</a></p>' }),
      values(),
      bare,
    );
    expect(made.text).toBe('Hi there (https://a.example)');
    expect(renderLetter(letter({ text: ' \n ' }), values(), around)).toMatchObject({
      text: '',
      html: '',
      has_unsubscribe: false,
    });
  });

  test('a letter that offers no unsubscribe link says so, and one that is answered to names the word', () => {
    expect(renderLetter(letter({}), values(), bare).has_unsubscribe).toBe(false);
    const byReply = renderLetter(letter({}), values(), { ...around, unsubscribe: { mode: 'reply_only' } });
    expect(byReply.has_unsubscribe).toBe(true);
    expect(byReply.text).toContain('answer with "unsubscribe"');
  });
});

describe('values are data', () => {
  test('Liquid and HTML in a value come out as they are in text and as text in HTML', () => {
    const evil = '{{ custom.secret }}{% if true %}x{% endif %}<script>alert(1)</script>"\'&';
    const made = renderLetter(
      letter({
        subject: '{{ person.given }}',
        text: '{{ person.given }}',
        html: '<p title="{{ person.given }}">{{ person.given }}</p>',
      }),
      values({ given: evil }, { secret: 'hidden' }),
      bare,
    );
    expect(made.subject).toBe(evil);
    expect(made.text).toBe(evil);
    expect(made.html).not.toContain('<script>');
    expect(made.html).not.toContain('hidden');
    expect(made.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
  });

  test.each(['a\r\nBcc: x@example.com', 'a\nb', 'a\u0000b', 'a\u2028b', 'a\tb', 'a\u0085b'])(
    'a control character in a value of the subject is reported, and repaired by nobody: %j',
    (given) => {
      expect(
        renderLetter(letter({ subject: 'Hi {{ person.given }}' }), values({ given }), bare).unsafe_header,
      ).toBe(true);
      expect(
        renderLetter(letter({ text: 'Hi {{ person.given }}' }), values({ given }), bare).unsafe_header,
      ).toBe(false);
    },
  );

  test('no value ever becomes a tag of the HTML part', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (given, a) => {
        const source = letter({
          text: '{{ person.given }}{{ custom.a }}',
          html: '<b>{{ person.given }}</b>{{ custom.a | upcase }}',
        });
        const made = renderLetter(source, values({ given }, { a }), bare);
        expect(made.fault).toBeNull();
        expect(made.html.replace(/^<b>|<\/b>/g, '')).not.toMatch(/[<>]/);
      }),
    );
  });
});
