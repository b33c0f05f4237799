// Whether a letter says that the person we wrote to no longer works there, and whom it names instead: “I no longer
// work here, please contact Petra Meier <petra@acme.example>”. An automatic letter may say it about anyone and about
// the mailbox; a person only about themselves, in a sentence that says nothing else. An automatic letter about a
// colleague, or about someone else by name, says nothing about the person we wrote to. No one is written to because
// of a name found here.
import { addressesIn } from '../reports/addresses.ts';
import { fold } from './fold.ts';
import { begins, formsOf, holds } from './forms.ts';
import {
  BEFORE_IT,
  GIVEN_UP,
  LEADS_TO,
  LEFT,
  LEFT_BEHIND,
  NO_NAMES,
  OF_ONESELF,
  OTHERS,
} from './left-phrases.ts';
import type { ReadMail } from './mail.ts';
import { bareWords, newSentences } from './unsubscribe.ts';

/** `named`: `Petra Meier <petra@acme.example>`, or what of it is there. */
export type Left = { named: string | null };

type Said = Pick<ReadMail, 'text_stripped' | 'stripped_whole' | 'from' | 'reply_to' | 'to' | 'cc'>;

/** A sentence that is longer says other things too. */
const LONGEST = 300;
const MOST_WORDS = 14;
const FIRST_SENTENCES = 8;
/** Characters in which someone is named. */
const NAMED_WITHIN = 3_000;
const MOST_ADDRESSES = 10;
const NAME_WORDS = 4;
const BEFORE_CHARS = 100;
/** Shorter parts of a domain are words of a language. */
const LEAST_DOMAIN = 3;

export function leftIn(mail: Said, automatic: boolean): Left | null {
  if (mail.stripped_whole && !automatic) return null;
  const theirs = ownNames(mail.from);
  const sentences = newSentences(mail.text_stripped)
    // A line of several sentences comes once more as each of them.
    .filter((sentence) => sentence.length <= LONGEST && !(automatic && SEVERAL.test(sentence)))
    .map((sentence) => ({
      words: bareWords(sentence)
        .split(' ')
        .map((word) => (theirs.domain.has(word) ? 'theirs' : word)),
      isOfAnother: isOfAnother(sentence, theirs.own),
    }));
  const left = automatic
    ? sentences.some(({ words, isOfAnother }) => (isGone(words) && !isOfAnother) || holds(words, MAILBOX))
    : sentences.slice(0, FIRST_SENTENCES).some(({ words }) => ofOneself(words));
  return left ? { named: namedIn(mail) } : null;
}

function ofOneself(all: readonly string[]): boolean {
  const from = all.findIndex((word) => !BEFORE_IT.has(word));
  const words = all.slice(Math.max(0, from));
  return words.length <= MOST_WORDS && begins(words, ONESELF) && isGone(words);
}

const isGone = (words: readonly string[]): boolean => holds(words, SOMEBODY) && !holds(words, BEHIND);

/** What the writer is called, and what their domain is. */
function ownNames(from: Said['from']): { own: ReadonlySet<string>; domain: ReadonlySet<string> } {
  const [local = '', domain = ''] = (from?.address ?? '').split('@');
  const own = [...bareWords(from?.name ?? '').split(' '), ...bareWords(local).split(' ')];
  const named = domain.split('.').slice(0, -1);
  return {
    own: new Set(own.filter((word) => word.length > 1)),
    domain: new Set(named.map(fold).filter((word) => word.length >= LEAST_DOMAIN)),
  };
}

/** A colleague, or someone by a name of which nothing is the writer's. */
function isOfAnother(sentence: string, own: ReadonlySet<string>): boolean {
  const said = bareWords(sentence).split(' ');
  if (holds(said, NOT_ONESELF)) return true;
  if (begins(said, ONESELF)) return false;
  const words = sentence.trim().split(/\s+/);
  const from = words.findIndex((word) => !BEFORE_IT.has(fold(bareName(word))));
  const name: string[] = [];
  for (const word of words.slice(Math.max(0, from), Math.max(0, from) + NAME_WORDS)) {
    const bare = bareName(word);
    if (!isNamed(bare)) break;
    name.push(fold(bare));
  }
  const isSubject =
    name.length > 0 && VERBS.has(fold(bareName(words[Math.max(0, from) + name.length] ?? '')));
  return isSubject && !name.some((each) => own.has(each));
}

/** No one who took part in the letter itself. */
function namedIn({ text_stripped, from, reply_to, to, cc }: Said): string | null {
  const text = text_stripped.slice(0, NAMED_WITHIN);
  const own = new Set(
    [...(from ? [from] : []), ...reply_to, ...to, ...cc].map(({ address }) => address.toLowerCase()),
  );
  const address = addressesIn(text, MOST_ADDRESSES).find((each) => !own.has(each.toLowerCase()));
  if (address === undefined) return ledTo(text);
  const at = text.toLowerCase().indexOf(address.toLowerCase());
  const name = nameBefore(text.slice(Math.max(0, at - BEFORE_CHARS), Math.max(0, at)));
  const led = name ?? ledTo(text);
  return (led === null ? address : `${led} <${address}>`).slice(0, 300);
}

/** What is right before an address: "Petra Meier (", "Frau Petra Meier unter ". */
function nameBefore(text: string): string | null {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const name: string[] = [];
  for (const word of words.toReversed()) {
    const bare = bareName(word);
    const isName = bare !== '' && isNamed(bare);
    if (name.length === 0 && !isName) {
      // "at", "under", "unter" and signs are between; whatever else is between them isn’t a name.
      if (BETWEEN.has(fold(bare)) || bare === '') continue;
      return null;
    }
    if (!isName || (name.length > 0 && /[.!?:;,)>]$/.test(word) && !/^\p{Lu}\.$/u.test(word))) break;
    name.unshift(bare);
    if (name.length === NAME_WORDS) break;
  }
  return name.length === 0 ? null : name.join(' ');
}

/** Behind "please contact", "wenden Sie sich bitte an": the first words with a capital. */
function ledTo(text: string): string | null {
  const words = text.split(/\s+/).slice(0, 400);
  const from = words.findIndex((word) => leads(bareName(word)));
  if (from === -1) return null;
  const name: string[] = [];
  for (const word of words.slice(from + 1, from + 14)) {
    const bare = bareName(word);
    if (bare !== '' && isNamed(bare)) name.push(bare);
    else if (name.length > 0) break;
    if (name.length === NAME_WORDS || /[.!?:;,]$/.test(word)) break;
  }
  return name.length === 0 ? null : name.join(' ');
}

function bareName(word: string): string {
  const signs = [...word];
  const isLetter = (sign: string): boolean => /\p{L}/u.test(sign);
  return signs.slice(signs.findIndex(isLetter), signs.findLastIndex(isLetter) + 1).join('');
}
const isNamed = (word: string): boolean =>
  /^\p{Lu}[\p{L}'’-]{0,30}$/u.test(word) && !NO_NAMES.has(fold(word)) && !leads(word);
const leads = (word: string): boolean => LEADS_TO.some((lead) => fold(word).startsWith(lead));
const BETWEEN: ReadonlySet<string> = new Set(
  'at under unter via by e-mail email mail a à au al op per on su adresse address the is ist est adres mailto bei indirizzo correo her his ihre seine courriel'.split(
    ' ',
  ),
);

/** What follows a name where something is said of whoever bears it. */
const VERBS: ReadonlySet<string> = new Set(
  'has is no does ist hat arbeitet a ne est nest ya ha no non e werkt is heeft'.split(' '),
);
const SEVERAL = /[.!?]\s+\p{Lu}/u;
const SOMEBODY = formsOf(LEFT);
const BEHIND = formsOf(LEFT_BEHIND);
const NOT_ONESELF = formsOf(OTHERS);
const MAILBOX = formsOf(GIVEN_UP);
const ONESELF = formsOf(OF_ONESELF);
