// Dates as people write them, in a dozen languages and orders: where they are in a text and which day they mean. A
// date without a year is the next one after the letter was written.
import { fold } from './fold.ts';

export type Found = { day: Temporal.PlainDate; start: number; end: number };

/** Names by month, folded; each may be cut to three letters or more. */
const MONTHS = [
  'january januar janvier enero gennaio janeiro januari tammikuu stycznia ledna leden января січня ocak ianuarie jaenner',
  'february februar fevrier febrero febbraio fevereiro februari helmikuu lutego unora февраля лютого subat',
  'march marz mars marzo marco maart maerz maaliskuu marca brezna марта березня mart martie',
  'april avril abril aprile huhtikuu kwietnia dubna апреля квітня nisan',
  'may mai mayo maggio maio mei maj toukokuu maja kvetna мая травня mayis',
  'june juni juin junio giugno junho kesakuu czerwca cervna июня червня haziran iunie',
  'july juli juillet julio luglio julho heinakuu lipca cervence июля липня temmuz iulie',
  'august aout agosto augustus augusti elokuu sierpnia srpna августа серпня agustos',
  'september septembre septiembre settembre setembro syyskuu wrzesnia zari сентября вересня eylul',
  'october oktober octobre octubre ottobre outubro lokakuu pazdziernika rijna октября жовтня ekim octombrie',
  'november novembre noviembre novembro marraskuu listopada listopadu ноября листопада kasim noiembrie',
  'december dezember decembre diciembre dicembre dezembro joulukuu grudnia prosince декабря грудня aralik decembrie',
].map((names) => names.split(' ').map(fold));

function monthOf(word: string): number | null {
  const name = fold(word);
  const exact = MONTHS.findIndex((names) => names.includes(name));
  const month = exact >= 0 ? exact : MONTHS.findIndex((names) => names.some((each) => each.startsWith(name)));
  return name.length < 3 || month < 0 ? null : month + 1;
}

const YEAR = String.raw`(?<year>20\d\d)`;
const WORD = String.raw`(?<month>\p{L}{3,14})`;
const OF = String.raw`(?:\s{0,3}(?:de|of|del)\s{1,3}|\s{0,3}d[’']|\s{0,3})`;

/** Tried in this order; what one has taken, no later one sees. */
const FORMS: readonly RegExp[] = [
  /(?<!\d)(?<year>20\d\d)[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})(?!\d)/g,
  /(?:(?<year>20\d\d)\s?[年년]\s?)?(?<!\d)(?<m>\d{1,2})\s?[月월]\s?(?<d>\d{1,2})\s?[日일号]/g,
  /(?<!\d)(?<a>\d{1,2})(?<mark>[./-])(?<b>\d{1,2})[./-](?<year>20\d\d|\d\d)(?![\d:])/g,
  new RegExp(
    String.raw`(?<!\d)(?<d>\d{1,2})(?:(?:st|nd|rd|th|er|ste|de|e)(?!\p{L})|[ºª°.])?${OF}${WORD}\.?,?(?:${OF}${YEAR})?(?!\p{L})`,
    'gu',
  ),
  new RegExp(
    String.raw`(?<!\p{L})${WORD}\.?\s{1,3}(?:the\s)?(?<d>\d{1,2})(?:st|nd|rd|th)?(?![\d:])(?:,?\s{1,3}${YEAR})?`,
    'gu',
  ),
  /(?<!\d)(?<a>\d{1,2})(?<mark>[./])(?<b>\d{1,2})(?![\d/:])\.?/g,
];

/** Days in the order in which they exist. `text` is folded; `sent`: from where the next day of a name is seen. */
export function datesIn(text: string, sent: Temporal.PlainDate | null, monthFirst: boolean): Found[] {
  const found: Found[] = [];
  let rest = text;
  const order = monthFirst || /(?<!\d)\d{1,2}\/(?:1[3-9]|2\d|3[01])(?!\d)/.test(text);
  const first = order && !/(?<!\d)(?:1[3-9]|2\d|3[01])\/\d{1,2}(?!\d)/.test(text);
  for (const form of FORMS) {
    for (const match of rest.matchAll(form)) {
      const day = dayOf(match.groups ?? {}, sent, first);
      if (day === null) continue;
      const end = match.index + match[0].length;
      found.push({ day, start: match.index, end });
      rest = rest.slice(0, match.index) + '\ue00f'.repeat(match[0].length) + rest.slice(end);
    }
  }
  return found.toSorted((one, other) => one.start - other.start);
}

function dayOf(
  groups: Readonly<Record<string, string | undefined>>,
  sent: Temporal.PlainDate | null,
  monthFirst: boolean,
): Temporal.PlainDate | null {
  const { a, b, mark, d, m, month: word, year } = groups;
  const swapped = mark === '/' && monthFirst;
  const month = word === undefined ? Number(m ?? (swapped ? a : b)) : monthOf(word);
  const day = Number(d ?? (swapped ? b : a));
  if (month === null || month < 1 || month > 12 || day < 1 || day > 31) return null;
  if (year !== undefined)
    return plainDate(year.length === 2 ? 2000 + Number(year) : Number(year), month, day);
  if (sent === null) return null;
  const next = plainDate(sent.year, month, day);
  if (next === null) return plainDate(sent.year + 1, month, day);
  // A week back is still the day that was meant: an answer may be days under way.
  return Temporal.PlainDate.compare(next, sent.subtract({ days: 7 })) < 0
    ? plainDate(sent.year + 1, month, day)
    : next;
}

function plainDate(year: number, month: number, day: number): Temporal.PlainDate | null {
  const date = Temporal.PlainDate.from({ year, month, day }, { overflow: 'constrain' });
  return date.day === day ? date : null;
}
