// When someone is back, according to an automatic reply: “back on 3 March”, “bis 28.02.”, “3月3日より”. A date next to a
// word for coming back takes precedence, then the end of an absence. Other dates in such a text are ignored.
import { datesIn } from './dates.ts';
import type { Found } from './dates.ts';
import { fold } from './fold.ts';

/** Characters that are read: they say it at once, and below is what was quoted. */
const MOST_CHARS = 4000;
/** No one is away for longer; a day beyond is of something else. */
const MOST_DAYS = 400;

const BACK =
  /\b(?:back|return(?:ing|s)?|available again|resum\w*|in the office (?:again )?(?:on|from)|respond (?:to .{0,30} )?on|wieder|zuruck|zuruckkehren|retour|nouveau|reviens|reviendrai|reprendrai|regres\w*|vuelv\w*|volver\w*|vuelta|reincorpor\w*|rientr\w*|torner\w*|torno|ritorn\w*|nuovamente|di nuovo|volt\w*|retorn\w*|terug|weer|tillbaka|ater|tilbage|tilbake|igen|palaan|takaisin|jalleen|wrac\w*|wroc\w*|powrot\w*|powroc\w*|zpet|vrat\w*|don\w*|tekrar)\b|верн|возвращ|снова|выйду|буду на|поверн|戻|復帰|出社|再開|返回|回来|回到|恢复|복귀|돌아/u;
/** Verbs that are behind the day. */
const BACK_BEHIND =
  /^[^\d,;.!?]{0,30}(?:\b(?:wieder|zuruck|terug|weer|tillbaka|tilbage|tilbake|igen|takaisin|jalleen|back)\b|don|より|から(?:出社|勤務|業務|対応|通常)|に(?:戻|復帰|出社)|(?:恢复|返回|回来|上班|回到)|(?:부터|에)? ?(?:복귀|근무|출근|돌아))/u;
const UNTIL =
  /(?:\b(?:until|till|til|through|thru|to|bis|zum|jusqu|au|hasta|fino|al|ate|ao|tot|met|tom|do|og|saakka)\b|до|по|至|到|〜|~|[-–—])[^\d\ue00f]{0,25}$/u;
const UNTIL_BEHIND =
  /^\s?(?:\([^)]{0,6}\)\s?)?(?:まで|迄|까지|为止|止|(?:tarihine )?kadar|saakka|asti|-?ig\b)/u;
/** The day itself is a day away. */
const INCLUSIVE =
  /through|thru|inclusi|einschliesslich|inclus|inkl|compris|t\.o\.m|tom\b|en met|t\/m|og med|och med|\sпо\s|включительно|inclui|まで|까지/u;
/** A day or its number is right before: from this one to that one. */
const RANGE = /\d[^\d\n]{0,24}$/u;

export function returnDate(text: string, sent: Date | null, monthFirst: boolean): string | null {
  const words = fold(text.slice(0, MOST_CHARS));
  const today =
    sent === null
      ? null
      : Temporal.Instant.fromEpochMilliseconds(sent.getTime()).toZonedDateTimeISO('UTC').toPlainDate();
  const dates = datesIn(words, today, monthFirst).filter(({ day }) => isAhead(day, today));
  const back = dates.find((date, at) => saysBack(words, date, dates[at - 1]));
  if (back !== undefined) return back.day.toString();
  const ends = dates.flatMap((date) => endOf(words, date));
  const last = ends.toSorted((one, other) => Temporal.PlainDate.compare(other, one))[0];
  return (last ?? (today === null ? null : namedDay(words, today)))?.toString() ?? null;
}

function isAhead(day: Temporal.PlainDate, today: Temporal.PlainDate | null): boolean {
  if (today === null) return true;
  const days = today.until(day).total('days');
  return days >= 0 && days <= MOST_DAYS;
}

function saysBack(words: string, { start, end }: Found, before: Found | undefined): boolean {
  const from = Math.max(0, start - 60, before?.end ?? 0);
  const sentence =
    words
      .slice(from, start)
      .split(/[!?\n]|\.\s/)
      .at(-1) ?? '';
  if (UNTIL.test(sentence)) return false;
  return BACK.test(sentence) || BACK_BEHIND.test(words.slice(end, end + 40));
}

function endOf(words: string, { day, start, end }: Found): Temporal.PlainDate[] {
  const before =
    words
      .slice(Math.max(0, start - 40), start)
      .split(/[!?\n]/)
      .at(-1) ?? '';
  const behind = words.slice(end, end + 30);
  if (!UNTIL.test(before) && !UNTIL_BEHIND.test(behind)) return [];
  const isLastAway = INCLUSIVE.test(before.slice(-20) + behind) || RANGE.test(before);
  return [isLastAway ? day.add({ days: 1 }) : day];
}

/** By ISO weekday, 1 is Monday. */
const WEEKDAYS = [
  'monday|montag|lundi|lunes|lunedi|segunda|maandag|mandag|poniedzialek|pondeli|понедельник|月曜',
  'tuesday|dienstag|mardi|martes|martedi|terca|dinsdag|tisdag|tirsdag|wtorek|utery|вторник|火曜',
  'wednesday|mittwoch|mercredi|miercoles|mercoledi|quarta|woensdag|onsdag|sroda|srode|streda|среду|水曜',
  'thursday|donnerstag|jeudi|jueves|giovedi|quinta|donderdag|torsdag|czwartek|ctvrtek|четверг|木曜',
  'friday|freitag|vendredi|viernes|venerdi|sexta|vrijdag|fredag|piatek|patek|пятницу|金曜',
].map((names) => names.split('|'));
const TOMORROW =
  /\b(?:tomorrow|morgen|demain|manana|domani|amanha|imorgon|jutro|zitra)\b|завтра|明日|明天|내일/u;

/** "Back on Monday": the next one. */
function namedDay(words: string, today: Temporal.PlainDate): Temporal.PlainDate | null {
  for (const sentence of words.split(/[!?\n]|\.\s/)) {
    if (!BACK.test(sentence)) continue;
    if (TOMORROW.test(sentence)) return today.add({ days: 1 });
    const at = WEEKDAYS.findIndex((names) => names.some((name) => sentence.includes(name)));
    if (at >= 0) return today.add({ days: ((at + 1 - today.dayOfWeek + 6) % 7) + 1 });
  }
  return null;
}
