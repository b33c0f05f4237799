// Whether a letter asks to erase its writer’s personal data: “Delete my data under GDPR and never contact me again”.
// A sentence counts if it says only that and what belongs to it: a wish to be left alone, the law, a request for
// confirmation. A question counts only with a please. “We deleted the old data and never contacted you” says
// something else.
import {
  AROUND,
  ARTICLES,
  BEGGED,
  COMPANIONS,
  GREETINGS,
  LAW_NAMES,
  LAWS,
  ONESELF_DOES,
  QUESTIONS,
  TOWARDS,
  WISHES,
} from './erasure-phrases.ts';
import { fold } from './fold.ts';
import { begins, formsOf } from './forms.ts';
import type { ReadMail } from './mail.ts';
import { bareWords, isStop, newSentences, withoutOpening } from './unsubscribe.ts';

type Asked = Pick<ReadMail, 'subject' | 'text_stripped' | 'stripped_whole'>;

/** Characters of one sentence that can still be this wish: it names laws and what is to be confirmed. */
const LONGEST = 400;
const GREETING_WORDS = 4;

export function asksToErase({ subject, text_stripped, stripped_whole }: Asked): boolean {
  if (isErasure(subject)) return true;
  return !stripped_whole && newSentences(text_stripped).some(isErasure);
}

function isErasure(sentence: string): boolean {
  if (sentence.length > LONGEST) return false;
  let asked = false;
  const isBegged = BEGGED.some((word) => ` ${plainWords(sentence)} `.includes(` ${word} `));
  const parts = sentence.split(MARKS);
  for (const [at, clause] of parts.entries()) {
    if (at % 2 === 1) continue;
    const mark = parts[at + 1];
    const bare = bareWords(clause);
    const words = withoutLaws(bare);
    if (words === '') continue;
    // "Would you delete our data?" may as well ask what we do with data at all: a person is to answer.
    if (mark === '?' && !isBegged && words === bare && begins(plainWords(clause).split(' '), QUESTION))
      return false;
    if (isAsked(words) || JOINS.some((and) => isAskedInParts(words.split(and)))) asked = true;
    else if (!isBeside(words)) return false;
  }
  return asked;
}

const isAskedInParts = (parts: readonly string[]): boolean =>
  parts.some(isAsked) && parts.every((part) => isAsked(part) || isBeside(part));

function isAsked(clause: string): boolean {
  if (begins(clause.split(' '), ONESELF)) return false;
  return [clause, withoutOpening(clause)].some((said) => {
    const words = said.split(' ');
    return FORMS.some((form) => isWish(said, words, form));
  });
}

function isWish(said: string, words: readonly string[], form: (typeof FORMS)[number]): boolean {
  const whole = form.whole.find((each) => ` ${said} `.includes(` ${each} `));
  if (
    whole !== undefined &&
    ` ${said} `
      .replace(` ${whole} `, ' ')
      .split(' ')
      .every((word) => word === '' || AROUND_IT.has(word))
  )
    return true;
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  if (!has(form.what) || !has(form.whose)) return false;
  if (!has(form.does) && !(has(form.done) && has(form.asks))) return false;
  return words.every((word) => form.all.has(word) || /^\d{1,3}$/.test(word));
}

function isBeside(said: string): boolean {
  const words = said.split(' ');
  if (GREETING.has(words[0] ?? '') && words.length <= GREETING_WORDS) return true;
  // "… and my address": what else is to go.
  if (words.length <= GREETING_WORDS && FORMS.some(({ whose }) => whose.has(words[0] ?? ''))) return true;
  return begins(withoutOpening(said).split(' '), COMPANY) || begins(words, COMPANY) || isStop(said);
}

/** Without the law that is named, and the words that lead to it. */
function withoutLaws(said: string): string {
  let short = ` ${said} `;
  for (const name of LAW_NAMES) short = short.replaceAll(` ${name} `, ' gdpr ');
  const all = short.trim().split(' ');
  const isLaw = (at: number): boolean =>
    LAW.has(all[at] ?? '') || (all[at] === '17' && ARTICLE.has(all[at - 1] ?? ''));
  const isNumber = (word: string): boolean => /^\d{1,3}[a-f]?$/.test(word);
  const gone = new Set<number>();
  for (let at = 0; at < all.length; at++) {
    if (!isLaw(at)) continue;
    gone.add(at);
    for (let before = at - 1; before >= 0 && !gone.has(before); before--) {
      const word = all[before] as string;
      if (!TOWARD.has(word) && !ARTICLE.has(word) && !isNumber(word)) break;
      gone.add(before);
    }
    for (let after = at + 1; after < all.length; after++) {
      const word = all[after] as string;
      if (!ARTICLE.has(word) && !isNumber(word)) break;
      gone.add(after);
    }
  }
  return all.filter((_, at) => !gone.has(at)).join(' ');
}

/** What ends a clause, which is between them: a sign, or a dash with room around it. */
const MARKS = /([,;:()!?]|\s[-–—]\s)/;

/** In lower case, without marks and punctuation, and with courtesies. */
const plainWords = (line: string): string =>
  fold(line)
    .replace(/['’`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const setOf = (...words: readonly string[]): ReadonlySet<string> =>
  new Set(words.flatMap((each) => each.split(' ')));

const FORMS = WISHES.map(({ does, done, asks, what, whose, beside, whole }) => ({
  does: setOf(does),
  done: setOf(done),
  asks: setOf(asks),
  what: setOf(what),
  whose: setOf(whose),
  all: setOf(does, done, asks, what, whose, beside),
  whole,
}));
const AROUND_IT = setOf(AROUND);
const LAW: ReadonlySet<string> = new Set(LAWS);
const ARTICLE: ReadonlySet<string> = new Set(ARTICLES);
const TOWARD: ReadonlySet<string> = new Set(TOWARDS);
const GREETING: ReadonlySet<string> = new Set(GREETINGS);
const COMPANY = formsOf(COMPANIONS);
const ONESELF = formsOf(ONESELF_DOES);
const QUESTION = formsOf(QUESTIONS);
/** What joins two wishes; the last one is a word of other languages, too. */
const JOINS: readonly RegExp[] = [/ (?:and|und|et|y|e) /, / en /];
