// What single cells mean: names in one column, countries by name, yes and no, and values of custom fields.
import type { CustomField } from '../../fields/contract.ts';
import { headingKey } from './headings.rules.ts';

/** Without what no text may hold, and without outer spaces. */
export const cleanCell = (cell: string): string => (/^[ -~]*$/.test(cell) ? cell.trim() : cleaned(cell));
const cleaned = (cell: string): string =>
  cell
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // oxlint-disable-next-line no-control-regex -- they are what is taken out
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\u200b\ufeff]/g, '')
    .trim()
    .normalize('NFC');

/** Parts of one cell that are looked at: no one has so many addresses, links or tags. */
export const PARTS_MAX = 200;

/** `a; b ::: c`: several values in one cell, as programs for contacts write them. */
export const partsOf = (cell: string): string[] =>
  cell
    .split(/[;,\n|]/)
    .flatMap(byColons)
    .slice(0, PARTS_MAX)
    .map((part) => part.trim());

/** By `:::` with space before and behind it. */
function byColons(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(':::'); at !== -1; at = text.indexOf(':::', at + 3)) {
    if (!/\s/.test(text[at - 1] ?? '') || !/\s/.test(text[at + 3] ?? '')) continue;
    parts.push(text.slice(from, at));
    from = at + 3;
  }
  return [...parts, text.slice(from)];
}

/** The same, and an address begins a part of its own: `Ann Roe <ann@a.example> ann@b.example`. */
export const addressPartsOf = (cell: string): string[] =>
  partsOf(cell)
    .flatMap((part) => {
      const parts: string[] = [];
      for (const word of part.split(/\s+/)) {
        if (parts.length === 0 || word.indexOf('@', 1) !== -1) parts.push(word);
        else parts[parts.length - 1] += ` ${word}`;
      }
      return parts;
    })
    .slice(0, PARTS_MAX);

/** Words before a family name that belong to it. */
const PARTICLES =
  /^(von|van|der|den|de|del|della|di|da|dos|das|du|la|le|el|al|bin|ibn|ter|ten|zu|zur|af|av)$/i;

/** `Lee, Ann` and `Ann van der Lee`; of one word, or of many that no rule parts, the family name is empty. */
export function splitName(name: string, max: number): { given: string | null; family: string | null } {
  const [family, given, ...more] = name.split(',');
  const fit = (first: string, last: string) =>
    first.length > max || last.length > max ? { given: null, family: null } : { given: first, family: last };
  if (family && given?.trim() && more.length === 0) return fit(given.trim(), family.trim());
  const words = name.split(/\s+/);
  if (words.length < 2 || words.length > 6 || /[@\d]/.test(name)) return { given: null, family: null };
  const particle = words.findIndex((word, i) => i > 0 && PARTICLES.test(word));
  const at = particle > 0 ? particle : words.length - 1;
  return fit(words.slice(0, at).join(' '), words.slice(at).join(' '));
}

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da'];
let codes: Map<string, string> | null = null;

/** Every region's name in ten languages, from the runtime's own tables; made when the first is asked for. */
function regionCodes(): Map<string, string> {
  if (codes) return codes;
  codes = new Map([
    ['usa', 'US'],
    ['u s a', 'US'],
    ['united states of america', 'US'],
    ['uk', 'GB'],
    ['great britain', 'GB'],
    ['england', 'GB'],
    ['holland', 'NL'],
    ['czech republic', 'CZ'],
  ]);
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const names = LANGUAGES.map(
    (language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }),
  );
  for (const first of letters)
    for (const second of letters) {
      const code = first + second;
      // Countries that are no more have their name from those that came after.
      if (Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`) continue;
      for (const each of names) {
        const name = each.of(code);
        if (name !== undefined && !codes.has(headingKey(name))) codes.set(headingKey(name), code);
      }
    }
  return codes;
}

/** ISO 3166: `de`, `Germany`, `Deutschland`. */
export function countryCode(value: string): string | null {
  if (/^[A-Za-z]{2}$/.test(value)) {
    const code = value.toUpperCase();
    if (code === 'UK') return 'GB';
    return regionNames.of(code) === undefined ? null : code;
  }
  return regionCodes().get(headingKey(value)) ?? null;
}
const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const languageNames = LANGUAGES.map(
  (in_) => new Intl.DisplayNames([in_], { type: 'language', fallback: 'none' }),
);
const COMMON =
  'en de fr es it pt nl pl sv da no fi cs sk hu ro bg el tr ru uk ja zh ko ar he hi th vi id ms et lv lt sl hr sr ca'.split(
    ' ',
  );

/** A tag as it is, or a language by its name. */
export function languageTag(value: string): string | null {
  if (/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/.test(value)) return value.replaceAll('_', '-');
  const key = headingKey(value);
  return (
    COMMON.find((code) => languageNames.some((names) => headingKey(names.of(code) ?? '') === key)) ?? null
  );
}

const YES =
  /^(1|y|yes|true|t|x|ja|oui|si|sim|tak|wahr|vrai|verdadero|unsubscribed|opted out|opt out|abgemeldet|cleaned)$/;
const NO = /^(0|n|no|false|f|nein|non|nao|nie|falsch|faux|falso|nee|nej)$/;
export const saysYes = (value: string): boolean => YES.test(headingKey(value));

/** As a custom field's kind would have it; what cannot be read stays text, and does not fit. */
export function customValueOf({ kind, options = [] }: CustomField, value: string): unknown {
  const option = (text: string): string =>
    options.find((each) => headingKey(each) === headingKey(text)) ?? text;
  switch (kind) {
    case 'number':
      return numberIn(value);
    case 'bool':
      return saysYes(value) ? true : NO.test(headingKey(value)) ? false : value;
    case 'date':
      return dayIn(value);
    case 'select':
      return option(value);
    case 'multiselect':
      return [...new Set(value.split(/[,;|]/).map((each) => option(each.trim())))].filter(
        (each) => each !== '',
      );
    case 'url':
      return /^https?:\/\//i.test(value) ? value : `https://${value}`;
    case 'text':
      return value;
  }
}

/** `1,234.5`, `1.234,5` and `1 234,5`. */
function numberIn(value: string): number | string {
  const text = value.replace(/[\s\u00a0'’]/g, '').replace(/^[€$£]|[€$£%]$/g, '');
  const decimal =
    /,\d{1,2}$|,\d{4,}$/.test(text) && !/\.\d+$/.test(text)
      ? text.replaceAll('.', '').replace(',', '.')
      : text.replaceAll(',', '');
  return /^-?\d+(\.\d+)?$/.test(decimal) ? Number(decimal) : value;
}

/** `2026-03-02`, `02.03.2026`; of `3/2/2026` no one can say which is the month, unless one is above twelve. */
function dayIn(value: string): string {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(T.*| \d{1,2}:.*)?$/.exec(value);
  if (iso) return `${iso[1]}-${iso[2]}-${iso[3]}`;
  const [, a = '', dot = '', b = '', year = ''] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(value) ?? [];
  const made = (month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (dot === '.' || Number(a) > 12) return year ? made(b, a) : value;
  return Number(b) > 12 && year ? made(a, b) : value;
}
