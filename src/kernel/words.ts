// Splits and lowercases the words of titles and queries in the app. In the database, lower() and word boundaries outside ASCII
// would depend on the server’s locale.

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const KEY = /\b[a-z][a-z0-9]{1,9}-\d{1,9}\b/g;

/** As names and titles are compared. */
export const plain = (text: string): string => text.normalize('NFKC').toLowerCase();
/** The database takes words of up to 2,046 bytes; no longer one is searched for by its end. */
const clipped = (word: string): string => (word.length > 150 ? [...word].slice(0, 150).join('') : word);
const wordsOf = (text: string): string[] => (plain(text).match(WORD) ?? []).map(clipped);

/** What a record is found by, as a tsvector: the words of its texts. Nothing in it needs escaping. */
export function searchVector(...texts: string[]): string {
  return [...new Set(texts.flatMap(wordsOf))].map((word) => `'${word}'`).join(' ');
}

/** What an item is found by: the words of its title, and its key whole. */
export function itemVector(title: string, key: string): string {
  return `${searchVector(title)} '${plain(key)}'`.trim();
}

/**
 * A tsquery in which every word of the question must begin a word of the title; a key (`OUT-12`) also finds its item. Null
 * where the question holds no word. Only letters, digits and the dash of a key reach it.
 */
export function searchQuery(question: string): string | null {
  const keys = plain(question).match(KEY) ?? [];
  const rest = wordsOf(plain(question).replace(KEY, ' ')).map((word) => `'${word}':*`);
  const named = keys.map(
    (key) =>
      `('${key}' | ${wordsOf(key)
        .map((word) => `'${word}':*`)
        .join(' & ')})`,
  );
  const parts = [...named, ...rest];
  return parts.length > 0 ? parts.join(' & ') : null;
}
