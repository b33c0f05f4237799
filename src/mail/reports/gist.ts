// The meaning of words in no known form: whom or what they are about, and what they say about it. A word for an
// address, a domain, a mailbox or a limit, near one for what is wrong with it, in any order. Used after the forms
// (phrases.ts), which know the contexts in which the same words mean something else.
import { withoutEnd } from '../../kernel/edges.ts';
import type { DiagnosticClass } from './report.ts';

/** Words between the two: "user some.name (@) not listed". */
const NEAR = 4;
const MOST_WORDS = 600;

type Rule = {
  cause: DiagnosticClass;
  of: RegExp;
  /** What is said of it. */
  is: RegExp | null;
  /** What is denied of it: "not found", "no such". */
  not: RegExp | null;
};

/** Who sends comes first, then what passes, then the address. */
const RULES: readonly Rule[] = [
  {
    cause: 'sender_refused',
    of: /^(?:sender|senders|from|helo|ehlo|client)$/,
    is: /^(?:unknown|invalid|rejected|refused|denied|blocked|banned)$/,
    not: /^\S/,
  },
  {
    cause: 'rate',
    of: /^(?:limit|limits|quota|quotas|rate)$/,
    is: /^(?:daily|hourly|sending|relay|outgoing|hour|day|throttled)$/,
    not: null,
  },
  {
    cause: 'too_big',
    of: /^(?:size|big|large|bytes)$/,
    is: /^(?:limit|limits|maximum|max|too|exceeds|exceeded|over)$/,
    not: null,
  },
  {
    cause: 'mailbox_full',
    of: /^(?:mailbox|inbox|account|user|recipient|quota|storage|disk)$/,
    is: /^(?:full|overquota|quota|over|exceeded|exceeds|insufficient)$/,
    not: null,
  },
  {
    cause: 'mailbox_inactive',
    of: /^(?:mailbox|inbox|account|user|recipient)$/,
    is: /^(?:disabled|suspended|inactive|deactivated|locked|frozen|blocked|closed|dormant|expired)$/,
    not: /^(?:active|enabled)$/,
  },
  {
    cause: 'no_such_host',
    of: /^(?:host|hostname|domain|domains|mx|route)$/,
    is: /^(?:unknown|invalid|unresolvable|nxdomain)$/,
    not: /^(?:such|mx|route|smtp|found|find|exist|exists|known|resolve|valid|registered|resolved)$/,
  },
  {
    cause: 'no_such_address',
    of: /^(?:user|users|username|recipient|recipients|mailbox|account|alias|addressee|person|address|inbox)$/,
    is: /^(?:unknown|nonexistent|unrecognized|unrecognised|undefined)$/,
    not: /^(?:such|found|find|locate|exist|exists|known|listed|recognized|recognised|registered|defined|located|identified)$/,
  },
];

const DENIES = /^(?:no|not|cannot|can't|isn't|doesn't|wasn't|couldn't|don't|won't)$/;
/** Between a denial and what it denies: "could not be found", "not a known". */
const LIGHT = /^(?:be|been|a|an|the|currently|yet|longer)$/;
/** Whose word it is: "your domain", "your account". */
const OURS = /^(?:your|sender|sender's|sending|from|client|our|ip)$/;

type Word = { word: string; denied: boolean };

/** The cause of the first rule that is found in one sentence, or null. `words` without addresses, those as `@`. */
export function gistOf(words: string): DiagnosticClass | null {
  const sentences = sentencesOf(words).map(withDenials);
  return RULES.find((rule) => sentences.some((sentence) => holds(sentence, rule)))?.cause ?? null;
}

const holds = (sentence: readonly Word[], { cause, of, is, not }: Rule): boolean =>
  sentence.some(({ word }, at) => {
    if (!of.test(word)) return false;
    const isOurs = sentence.slice(Math.max(0, at - 2), at).some((each) => OURS.test(each.word));
    if (isOurs && cause !== 'sender_refused') return false;
    const near = sentence.slice(Math.max(0, at - NEAR), at + NEAR + 1);
    return near.some((each) =>
      each.denied ? not?.test(each.word) === true : each.word !== word && is?.test(each.word) === true,
    );
  });

/** Its words in lower case, without the signs around them. */
function sentencesOf(words: string): string[][] {
  const sentences: string[][] = [[]];
  for (const piece of words.toLowerCase().split(/[\s,:()<>"[\]/=]+/, MOST_WORDS)) {
    const word = withoutEnd(piece, `.;!?-'`);
    if (/[\p{L}\d]/u.test(word)) sentences.at(-1)?.push(word);
    // `<@>... User unknown`: what is before the dots is whom it is about.
    if (word !== piece && !piece.endsWith('...')) sentences.push([]);
  }
  return sentences;
}

const withDenials = (sentence: readonly string[]): Word[] =>
  sentence.map((word, at) => {
    if (!DENIES.test(word)) return { word, denied: false };
    const denied = sentence.slice(at + 1, at + 4).find((each) => !LIGHT.test(each));
    return denied === undefined ? { word, denied: false } : { word: denied, denied: true };
  });
