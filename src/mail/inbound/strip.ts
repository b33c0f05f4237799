// The new words of a reply: without the quoted letter and without the signature. An excerpt of the text, never
// rewritten. Replies written between quoted lines stay as they are, because they mean nothing without the questions.
import { attributionEndingAt } from './attribution.ts';
import { isBlock, isRule } from './headings.ts';
import { signatureStart } from './signature.ts';

/** Characters of a line that can still be a rule with words in it. */
const LONGEST_RULE = 300;

export type Stripped = {
  text: string;
  /** Nothing was left, and `text` is the whole. */
  whole: boolean;
  /** Lines of theirs are between quoted lines. */
  interleaved: boolean;
};

/** `page`: the words of the same letter's HTML, whose quotes its program marked; empty where there is none. */
export function stripQuoted(text: string, page = ''): Stripped {
  const lines = text.split('\n');
  const end = Math.min(
    unmarkedQuote(lines),
    page === '' || page === text ? lines.length : quoteByPage(lines, page),
  );
  const { from, to, interleaved } = between(lines, end);
  const own = lines.slice(from, to);
  const left = tidy(own.slice(0, signatureStart(own)));
  if (left !== '' || text.trim() === '') return { text: left, whole: false, interleaved };
  return { text: text.trim(), whole: true, interleaved };
}

/**
 * The lines of a letter that are not quoted, wherever they exist, without those that say who wrote what follows: in doubt any
 * line above that ends with a colon. For whoever may keep nothing of what was quoted; one that answers line by line says less then.
 */
export function unquoted(text: string): string {
  const lines = text.split('\n');
  const left: string[] = [];
  let from = 0;
  for (const { start, end } of quotesIn(lines, lines.length)) {
    const above = lastFilled(lines, start);
    const names =
      isQuoted(lines[start] ?? '') && above >= from && /[:：]$/.test(lines[above]?.trimEnd() ?? '');
    left.push(...lines.slice(from, names ? above : start));
    from = end;
  }
  return tidy([...left, ...lines.slice(from)]);
}

/** Where a quote begins that has nothing before its lines: it goes on to the end. */
function unmarkedQuote(lines: readonly string[]): number {
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (isQuoted(line)) continue;
    if (isRule(line) || isBlock(lines, at)) return withRuleAbove(lines, at);
    const start = attributionEndingAt(lines, at);
    if (start !== null && !isQuoted(lines[nextFilled(lines, at)] ?? '')) return start;
  }
  return lines.length;
}

/**
 * Where the quote begins by the letter's HTML: the words that are before its marked quote end somewhere in the text as
 * well. What counts are letters alone, for the two are broken into lines and decorated differently.
 */
function quoteByPage(lines: readonly string[], page: string): number {
  const rows = page.split('\n');
  const quotes = quotesIn(rows, rows.length);
  const [quote] = quotes;
  if (quotes.length !== 1 || quote === undefined || isFilled(rows, quote.end, rows.length))
    return lines.length;
  const words = lettersOf(rows.slice(0, quote.start).join(' '));
  if (words === '') return lines.length;
  let seen = 0;
  for (let at = 0; at < lines.length; at++) {
    const own = lettersOf(lines[at] as string);
    if (!words.startsWith(own, seen)) return lines.length;
    seen += own.length;
    if (seen === words.length) return at + 1;
  }
  return lines.length;
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** The line of underscores that Outlook draws is a part of what follows it. */
function withRuleAbove(lines: readonly string[], at: number): number {
  let above = at - 1;
  while (above >= 0 && (lines[above] as string).trim() === '') above -= 1;
  return isDrawn((lines[above] ?? '').trim()) ? above : at;
}

/** A line of rules alone, or one with words between two rules of dashes. */
const isDrawn = (line: string): boolean =>
  /^[_─=-]{4,}$/.test(line) ||
  (line.length > 6 && line.length <= LONGEST_RULE && line.startsWith('---') && line.endsWith('---'));

/** What is theirs, of the lines before `end`, where quotes have `>` before their lines. */
function between(lines: readonly string[], end: number): { from: number; to: number; interleaved: boolean } {
  const quotes = quotesIn(lines, end);
  const [first, last] = [quotes[0], quotes.at(-1)];
  if (first === undefined || last === undefined) return { from: 0, to: end, interleaved: false };
  const before = isFilled(lines, 0, first.start);
  const after = isTheirs(lines, last.end, end);
  // Words of theirs behind the first quote, and not behind one alone: they answer line by line.
  const within = quotes.slice(1).some((quote, at) => isTheirs(lines, quotes[at]?.end ?? 0, quote.start));
  if (within || (before && after)) return { from: 0, to: end, interleaved: true };
  if (after) return { from: last.end, to: end, interleaved: false };
  return { from: 0, to: first.start, interleaved: false };
}

type Quote = { start: number; end: number };

/** The runs of quoted lines, each with its attribution; blank lines do not part them. */
function quotesIn(lines: readonly string[], end: number): Quote[] {
  const quotes: Quote[] = [];
  for (let at = 0; at < end; at++) {
    if (!isQuoted(lines[at] as string)) continue;
    const above = lastFilled(lines, at);
    const last = quotes.at(-1);
    if (last !== undefined && above < last.end) {
      last.end = at + 1;
    } else {
      const start = above >= 0 ? (attributionEndingAt(lines, above) ?? at) : at;
      quotes.push({ start, end: at + 1 });
    }
  }
  return quotes;
}

const isQuoted = (line: string): boolean => /^\s{0,3}[>＞]/.test(line);

/** Whether there are words there that are no signature. */
function isTheirs(lines: readonly string[], from: number, to: number): boolean {
  const own = lines.slice(from, to);
  const signed = /^(?:-- ?|\u2014 )$/.test(own.find((line) => line.trim() !== '') ?? '');
  return !signed && isFilled(own, 0, signatureStart(own));
}

const isFilled = (lines: readonly string[], from: number, to: number): boolean =>
  lines.slice(from, to).some((line) => line.trim() !== '');

function nextFilled(lines: readonly string[], at: number): number {
  let next = at + 1;
  while (next < lines.length && (lines[next] as string).trim() === '') next += 1;
  return next;
}

function lastFilled(lines: readonly string[], at: number): number {
  let last = at - 1;
  while (last >= 0 && (lines[last] as string).trim() === '') last -= 1;
  return last;
}

const tidy = (lines: readonly string[]): string => lines.join('\n').trim();
