// What strangers wrote, made fit to be kept: nothing that PostgreSQL refuses, and nothing without an end. Mail is cleaned
// where a caller's arguments would be refused, because no one is there to be told.
import { withoutKeys } from '../../../../mail/letters/keys.rules.ts';

/** Characters of a body, of a line, and addresses of a header that are kept. */
export const TEXT_MAX = 500_000;
export const HTML_MAX = 2_000_000;
const LINE_MAX = 1_000;
const ADDRESSES_MAX = 100;
const REFERENCES_MAX = 50;
/** Words beyond this are not searched for: a vector of words has an end. */
const SEARCHED_MAX = 40_000;

/** Without NUL and halves of a letter, and cut on a whole letter. */
export function cleanText(text: string, max: number = TEXT_MAX): string {
  const whole = text.length > max ? text.slice(0, max) : text;
  return whole.replaceAll('\0', '').toWellFormed();
}

/** One line: a subject, a name, an address. */
export const cleanLine = (text: string): string =>
  cleanText(text, LINE_MAX)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

export const cleanAddresses = (addresses: readonly string[]): string[] =>
  addresses.slice(0, ADDRESSES_MAX).map(cleanLine);

export const cleanIds = (ids: readonly string[]): string[] => ids.slice(-REFERENCES_MAX).map(cleanLine);

export const searchedPart = (text: string): string => text.slice(0, SEARCHED_MAX).toWellFormed();

/** Where the line begins that leads out; the end of the text where there is none. */
function footIn(text: string): number {
  for (let at = text.indexOf(SAYS); at !== -1; at = text.indexOf(SAYS, at + 1)) {
    const link = /^s?:\/\/\S*/.exec(text.slice(at + SAYS.length, at + SAYS.length + LONGEST_LINK))?.[0];
    if (link !== undefined && /\S\/u\/\S/.test(link)) return at;
  }
  return text.length;
}
const SAYS = '\nUnsubscribe: http';
const LONGEST_LINK = 2_000;

/**
 * What a letter of ours says without the unsubscribe link below it; where it is in the letter's own words, without its key. It is
 * the reader's alone: whoever follows it here would opt them out.
 */
export const withoutFoot = (text: string): string => withoutKeys(text.slice(0, footIn(text))).trimEnd();
