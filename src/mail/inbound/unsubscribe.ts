// Whether a letter asks to be left alone. A line or sentence counts if it says only that, whatever its case,
// punctuation and politeness; “how do I unsubscribe my users?” says something else. An ambiguous word such as “stop”
// counts only as a whole line near the beginning.
import { fold } from './fold.ts';
import type { ReadMail } from './mail.ts';
import { AND, COURTESIES, OPENINGS, PHRASES, UNSPACED, WORDS } from './unsubscribe-phrases.ts';

type Asked = Pick<ReadMail, 'subject' | 'text_stripped' | 'stripped_whole'>;

/** Lines of the new words that are looked at; characters of one that can still be a phrase. */
const MOST_LINES = 200;
const LONGEST = 160;
/** Filled lines in which a bare word counts. */
const FIRST_LINES = 3;

export function asksToStop({ subject, text_stripped, stripped_whole }: Asked): boolean {
  if (isWord(subject) || isPhrase(subject)) return true;
  // Nothing was new: what exists there is what we wrote, our own offer to unsubscribe among it.
  if (stripped_whole) return false;
  const lines = text_stripped
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*[>|＞]/.test(line))
    .slice(0, MOST_LINES)
    // The words of a link, below or beside them, are an offer of ours that was not told apart as quoted.
    .filter((_, at, all) => !/^\s*[<(]?https?:/i.test(all[at + 1] ?? ''));
  return (
    lines.slice(0, FIRST_LINES).some(isWord) ||
    lines.some(isPhrase) ||
    sentencesOf(text_stripped).some(isPhrase)
  );
}

/** The lines and sentences that are new in a letter. */
export const newSentences = (text: string): string[] => [
  ...text.split('\n', MOST_LINES).filter((line) => line.trim() !== '' && !/^\s*[>|＞]/.test(line)),
  ...sentencesOf(text),
];

/** Of the words of a sentence, or of a part of one: whether they ask for no more letters. */
export const isStop = (words: string): boolean =>
  [words, withoutOpening(words)].some(
    (each) => PHRASE.test(each) || each.split(JOINED).every((wish) => PHRASE.test(wish)),
  );

export const withoutOpening = (words: string): string => words.replace(OPENING, '');

/** Sentences are folded over lines, and end with them only where a paragraph does. */
function sentencesOf(text: string): string[] {
  return text
    .slice(0, LONGEST * MOST_LINES)
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.replace(/\n(?!\s*>)/g, ' ').split(/(?<=[.!?;。！？…])|\n| [-–—] /))
    .filter((sentence) => !sentence.trim().startsWith('>'))
    .slice(0, MOST_LINES);
}

const isWord = (line: string): boolean =>
  line.length <= LONGEST && waysOf(line).some((words) => WORD.test(words));

function isPhrase(line: string): boolean {
  if (line.length > LONGEST) return false;
  return waysOf(line).some(
    (words) =>
      PHRASE.test(words) ||
      CLOSE.test(words.replaceAll(' ', '')) ||
      words.split(JOINED).every((wish) => PHRASE.test(wish)),
  );
}

/** In lower case, without marks above letters, punctuation, a salutation and courtesies; with and without how it opens. */
function waysOf(line: string): string[] {
  const words = bareWords(
    withoutClosing(
      fold(line)
        .slice(0, 2 * LONGEST)
        .replace(SALUTATION, ''),
    ),
  );
  return [words, withoutOpening(words)];
}

/** In lower case, without marks above letters, punctuation and courtesies. */
export function bareWords(line: string): string {
  const words = fold(line)
    .replace(/['’`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return ` ${words} `.replace(COURTESY, '').trim();
}

const anyOf = (forms: readonly string[]): string => forms.map(fold).join('|');

const WORD = new RegExp(`^(?:${anyOf(WORDS)})$`, 'u');
const PHRASE = new RegExp(`^(?:${anyOf(PHRASES)})$`, 'u');
const JOINED = new RegExp(` (?:${AND}) (?!mails?(?: |$))`, 'u');
const CLOSE = new RegExp(`^(?:${anyOf(UNSPACED)})$`, 'u');
const COURTESY = new RegExp(` (?:${anyOf(COURTESIES)})(?= )`, 'gu');
const OPENING = new RegExp(`^(?:(?:${anyOf(OPENINGS)}) )+`, 'u');
const SALUTATION =
  /^\s*(?:hi|hello|hey|dear|hallo|guten tag|sehr geehrte|bonjour|salut|hola|buenos dias|ciao|buongiorno|salve|ola|bom dia|beste|geachte|hej|hei|moi|dzien dobry|witam|dobry den|здравствуйте|добрый день|привет|merhaba)(?![\p{L}])[^,!.:\n]{0,40}[,!.:]\s*/u;
/** What a letter ends with before a name, where it is behind a mark or a space and a mark, a space or the end follows. */
const THANKS =
  /(?<=[,.!\s–-])(?:thanks|thank you|many thanks|thx|cheers|(?:best |kind )?regards|danke|vielen dank|mfg|gruss|merci|cordialement|gracias|saludos|grazie|saluti|obrigad[oa]|bedankt|dank|groet|tack|tak|takk|kiitos|dziekuje|dekuji|спасибо|tesekkurler)(?=[,.!\s]|$)/gu;
const MOST_NAMES = 2;
const LONGEST_NAME = 20;

/** Without thanks at its end, and the name of one or two words behind them. */
function withoutClosing(line: string): string {
  for (const { 0: thanks, index } of line.matchAll(THANKS)) {
    const names = line
      .slice(index + thanks.length)
      .split(/[,!\s]/)
      .filter((word) => /[^.]/.test(word));
    const isClosing = names.every((name) => name.length <= LONGEST_NAME && /^[\p{L}.]*$/u.test(name));
    if (isClosing && names.length <= MOST_NAMES) return beforeMarks(line, index);
  }
  return line;
}

function beforeMarks(line: string, end: number): string {
  let at = end;
  while (at > 0 && /[,.!\s–-]/.test(line[at - 1] as string)) at -= 1;
  return line.slice(0, at);
}
