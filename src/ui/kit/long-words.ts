// Breaks words that no page could lay out, before anything reads a text: one of 100,000 letters blocks a tab for seconds.
const LONGEST = 1_000;

/** With a space after every thousand characters of such a word. */
export const withShortWords = (text: string): string =>
  text.length <= LONGEST ? text : text.split(/(\s+)/).map(broken).join('');

function broken(word: string): string {
  if (word.length <= LONGEST || word.trim() === '') return word;
  const characters = [...word];
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += LONGEST)
    parts.push(characters.slice(at, at + LONGEST).join(''));
  return parts.join(' ');
}
