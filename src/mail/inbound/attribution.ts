// The line that a mail client writes above a quote, “On … wrote:”, in the languages of those clients. It says when
// and who, and ends with a colon; clients fold it over two or three lines.
import { withoutEdges } from '../../kernel/edges.ts';

/** Verbs of that line; they are at its end, in its middle or nowhere, as the language has it. */
const WROTE = new RegExp(
  [
    String.raw`\b(?:wrote|writes|schrieb|hat geschrieben|schreef|het volgende geschreven|skrev|kirjoitti|scrisse|scritto|escreveu|scris|pisze|napisał(?:\(a\)|a)?|napsal(?:\(a\)|a)?|yazdı|menulis|rašė|rakstīja|kirjutas|napisao|napisala|pisao)(?![\p{L}])`,
    String.raw`a écrit|a ecrit|écrit\s?:|escribió|escribio|va escriure|írta|έγραψε|đã viết|napísal`,
    String.raw`написал|пишет|написав|пише|написа`,
    '写道|寫道|写到|のメール|さんは書きました|wrote|書きました|のメッセージ|작성|님이|כתב|كتب|เขียน',
  ].join('|'),
  'iu',
);
/** A year, a time or a day: without one it is a sentence of theirs. */
const WHEN =
  /(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?!\d)/;
/** Several languages say when and who, and leave the verb out. */
const WHO_AT_END = /<[^<>\s]{1,320}@[^<>\s]{1,320}>\s*[:：]$/;
/** How the line begins where it is folded right behind its beginning. */
const OPENING =
  /^(?:on|am|le|el|il|em|op|den|il giorno|in data|dnia|w dniu|dne|dňa|el|pe|ma|ti|ke|to|la|su|pon|wt|śr|czw|pt|sob|niedz|пн|вт|ср|чт|пт|сб|вс|в|data|at|\d{4}[-年년/.]|\d{1,2}[./]\d{1,2}[./])(?=[\s.,\d]|$)/i;

const DECORATION = '-*_ \t\r\n\u00a0';
const LONGEST_LINE = 300;
const MOST_LINES = 3;

function isAttribution(text: string): boolean {
  const line = withoutEdges(text, DECORATION);
  if (!/[:：]$/.test(line) || !WHEN.test(line)) return false;
  return WHO_AT_END.test(line) || WROTE.test(line);
}

/** Where the attribution that ends in this line begins; null where none does. */
export function attributionEndingAt(lines: readonly string[], end: number): number | null {
  const last = lines[end] ?? '';
  if (last.length > LONGEST_LINE || !/[:：][-\s*_]*$/.test(last)) return null;
  let joined = '';
  for (let start = end; start >= 0 && start > end - MOST_LINES; start--) {
    const line = (lines[start] ?? '').trim();
    if (line === '' || line.length > LONGEST_LINE || line.startsWith('>')) return null;
    joined = `${line} ${joined}`;
    if (isAttribution(joined.trim())) return widened(lines, start, end);
  }
  return null;
}

/** "On Monday, 3 March" above "2026 at 10:00 Ann wrote:" belongs to it. */
function widened(lines: readonly string[], start: number, end: number): number {
  const above = (lines[start - 1] ?? '').trim();
  const begins = OPENING.test((lines[start] ?? '').trim());
  const canBe = !begins && above !== '' && above.length <= 120 && end - start < MOST_LINES - 1;
  return canBe && OPENING.test(above) && /\d/.test(above) ? start - 1 : start;
}
