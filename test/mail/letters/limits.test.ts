// What letters may not be made to do: run for ever, fill the memory, read files, or reach what no field holds.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LetterSource, MergeValues, Surroundings } from '../../../src/mail/letters/letter.ts';
import { readSource, renderLetter } from '../../../src/mail/letters/render.ts';

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

describe('limits', () => {
  test.each([
    ['a loop', '{% for i in (1..1000000000) %}x{% endfor %}', 'line 1: letters have no tag "for"'],
    ['a table', 'x\n{% tablerow i in (1..9) %}{% endtablerow %}', 'line 2: letters have no tag "tablerow"'],
    ['a file', '{% include "/etc/passwd" %}', 'line 1: letters have no tag "include"'],
    ['a partial', '{% render "x" %}', 'line 1: letters have no tag "render"'],
    ['a layout', '{% layout "x" %}', 'line 1: letters have no tag "layout"'],
    ['a capture', '{% capture a %}x{% endcapture %}', 'line 1: letters have no tag "capture"'],
    ['an escape from escaping', '{{ person.given | raw }}', 'line 1: letters have no filter "raw"'],
    ['an unknown filter', '{{ person.given | shout }}', 'line 1: letters have no filter "shout"'],
    ['an open brace', '{{ person.given', 'line 1: the text between the braces can’t be parsed'],
    ['an open tag', '{% if person.given %}x', 'line 1: the text between the braces can’t be parsed'],
    ['too many fields', '{{ a }}'.repeat(2_001), 'it has more than 2000 fields and tags'],
    ['too much text', 'x'.repeat(100_001), 'it is over 100000 characters'],
  ])('%s is refused in our own words', (_, text, says) => {
    expect(readSource(letter({ text })).faults).toEqual([{ side: 'text', says }]);
    expect(renderLetter(letter({ text }), values(), around)).toMatchObject({
      fault: says,
      text: '',
      html: '',
      subject: '',
    });
  });

  test.each([
    [
      'doubling',
      `{% assign a = "${'x'.repeat(1000)}" %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`,
    ],
    ['printing one long value many times', '{{ custom.long }}'.repeat(1_900)],
    ['splitting and joining', '{% assign a = custom.long | split: "" %}{{ a | join: custom.long }}'],
    ['replacing', '{{ custom.long | replace: "x", custom.long }}'],
    ['a wide day', '{{ "2026-01-01" | date: "%99999999d" }}'],
  ])('%s stops before it fills the memory', (_, text) => {
    const made = renderLetter(letter({ text }), values({}, { long: 'x'.repeat(10_000) }), bare);
    expect(made.fault).toMatch(/more text than a letter can hold|can’t be parsed/);
  });

  test('nesting to any depth ends as a letter or as a fault', () => {
    const deep = 990;
    const text = '{% if person.given %}'.repeat(deep) + 'x' + '{% endif %}'.repeat(deep);
    const made = renderLetter(letter({ text }), values(), bare);
    expect(made.fault === null ? made.text : made.fault).toMatch(/^x$|nested/);
  });

  test.each([
    'person.constructor',
    'person.__proto__',
    'person.toString',
    'constructor',
    '__proto__.polluted',
    'person.given.constructor.constructor',
  ])('prototypes are out of reach: %s', (path) => {
    const made = renderLetter(letter({ text: `x{{ ${path} }}` }), values(), bare);
    expect(made).toMatchObject({ text: 'x', fault: null });
    expect(made.unresolved).toEqual([path]);
  });

  test('whatever is written, rendering answers and never throws', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '{%',
      '%}',
      ' if ',
      ' endif ',
      'person.given',
      '|',
      ':',
      '"',
      "'",
      '[',
      ']',
      '(',
      '..',
      '-',
      ' assign ',
      '=',
      '\n',
      '{#',
      'a',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const made = renderLetter(letter({ text: pieces.join('') }), values(), around);
        expect(typeof made.text).toBe('string');
        if (made.fault !== null) expect(made.fault.length).toBeLessThan(120);
      }),
    );
  });
});
