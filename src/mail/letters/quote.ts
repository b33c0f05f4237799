// What an answer quotes below its words: the line with date and writer, in the reader’s language, and the message, in
// the form mail clients use, so that theirs folds it away and ours finds it again (src/mail/inbound/strip.ts).
import { escapeHtml } from './compile.ts';
import { htmlFromText } from './html.ts';
import { withoutKeys } from './keys.rules.ts';

export type Quoted = {
  at: Date;
  name: string | null;
  address: string | null;
  text: string;
  /** As it was made inert when it came (src/mail/inbound/html.ts). */
  html: string | null;
  /** A language tag; null or one that is not known here: English. */
  language: string | null;
};

export type Quote = { text: string; html: string };

/** More than a reader looks back on; what they wrote is whole in their own mailbox. */
const TEXT_CHARS = 10_000;
/** A longer page is quoted as its text. */
export const HTML_CHARS = 60_000;

type Line = (when: string, who: string) => string;

/** Each ends with a colon and holds its verb as programs of that language write it. */
const LINES: Record<string, Line> = {
  en: (when, who) => `On ${when}, ${who} wrote:`,
  cs: (when, who) => `Dne ${when} ${who} napsal(a):`,
  da: (when, who) => `Den ${when} skrev ${who}:`,
  de: (when, who) => `Am ${when} schrieb ${who}:`,
  es: (when, who) => `El ${when}, ${who} escribió:`,
  fi: (when, who) => `${when}, ${who} kirjoitti:`,
  fr: (when, who) => `Le ${when}, ${who} a écrit :`,
  hu: (when, who) => `${when}, ${who} ezt írta:`,
  it: (when, who) => `Il ${when}, ${who} ha scritto:`,
  ja: (when, who) => `${when}、${who} さんは書きました:`,
  ko: (when, who) => `${when}, ${who}님이 작성:`,
  nb: (when, who) => `Den ${when} skrev ${who}:`,
  nl: (when, who) => `Op ${when} schreef ${who}:`,
  no: (when, who) => `Den ${when} skrev ${who}:`,
  pl: (when, who) => `${when}, ${who} pisze:`,
  pt: (when, who) => `Em ${when}, ${who} escreveu:`,
  ro: (when, who) => `Pe ${when}, ${who} a scris:`,
  ru: (when, who) => `${when}, ${who} пишет:`,
  sv: (when, who) => `Den ${when} skrev ${who}:`,
  tr: (when, who) => `${when}, ${who} yazdı:`,
  uk: (when, who) => `${when}, ${who} пише:`,
  zh: (when, who) => `${when}，${who} 写道：`,
};
export const QUOTED_LANGUAGES = Object.keys(LINES);

const WHEN = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  calendar: 'gregory',
  numberingSystem: 'latn',
} as const;

/** `timezone`: of whoever answers, as their mail program would say it. */
export function quoteOf(of: Quoted, timezone: string): Quote {
  const said = attribution(of, timezone);
  const text = withoutKeys(cut(of.text.replace(/\r\n?/g, '\n').trim()));
  const inner =
    of.html === null || of.html.length > HTML_CHARS
      ? htmlFromText(text, null)
      : withoutKeys(of.html.replace(IMAGE, ''));
  return {
    text: `${said}\n${text.split('\n').map(marked).join('\n')}`,
    html: `<div>${escapeHtml(said)}</div>\n<blockquote type="cite" style="${MARGIN}">\n${inner}\n</blockquote>`,
  };
}

const MARGIN = 'margin:0 0 0 0.8ex;border-left:1px solid #ccc;padding-left:1ex';
/** A file of theirs does not go with the answer, and what loads from elsewhere would tell them who reads it. One without an end goes to the end. */
const IMAGE = /<img\b[^>]*>?/gi;

function attribution({ at, name, address, language }: Quoted, timezone: string): string {
  const known = language?.toLowerCase().split(/[-_]/)[0] ?? '';
  const tongue = known in LINES ? known : 'en';
  // 2 March rather than March 2: English is read everywhere, and mostly so.
  const when = new Intl.DateTimeFormat(tongue === 'en' ? 'en-GB' : tongue, { ...WHEN, timeZone: timezone });
  const who = [name, address && `<${address}>`].filter(Boolean).join(' ');
  return (LINES[tongue] as Line)(when.format(at), who).replace(/\s+/g, ' ');
}

function cut(text: string): string {
  if (text.length <= TEXT_CHARS) return text;
  const end = text.lastIndexOf('\n', TEXT_CHARS);
  return `${text.slice(0, end > 0 ? end : TEXT_CHARS).toWellFormed()}\n[…]`;
}

const marked = (line: string): string => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`);

/**
 * What a letter of ours that quotes says without that, which is its end. Whoever may not read what it quotes is shown this, so in
 * doubt it says less: where the end is none of ours it stops before the first line that is quoted, and without one it is empty.
 */
export function withoutQuote(text: string): string {
  const lines = text.trimEnd().split('\n');
  let at = lines.length;
  while (at > 0 && isQuoted(lines[at - 1])) at -= 1;
  if (at === lines.length || !isAttribution(lines[at - 1])) at = Math.max(lines.findIndex(isQuoted), 0);
  return lines
    .slice(0, isAttribution(lines[at - 1]) ? at - 1 : at)
    .join('\n')
    .trimEnd();
}

const isQuoted = (line: string | undefined): boolean => line?.startsWith('>') ?? false;
const isAttribution = (line: string | undefined): boolean => /[:：]\s*$/.test(line ?? '');
