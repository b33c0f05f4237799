// Whether what was typed into ⌘K is meant for these words although a letter or two of it is wrong.

/** Letters that are wrong, missing, too many or swapped, up to `most`; more is said as `most + 1`. */
function apart(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return Math.min(row[other.length] ?? 0, most + 1);
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Short words are taken as they are: one letter of three is too much to be a slip. */
const slips = ({ length }: string): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/** The word typed is the beginning of one of these, but for its slips. */
function begins(word: string, words: readonly string[]): boolean {
  const most = slips(word);
  return words.some((each) =>
    [-most, 0, most].some((more) => apart(word, each.slice(0, word.length + more), most) <= most),
  );
}

/** Each word typed begins one of these, or all of them do once what was typed apart is put together. */
export function isNear(typed: string, of: string): boolean {
  const words = wordsOf(of);
  const asked = wordsOf(typed);
  return asked.length > 0 && (asked.every((word) => begins(word, words)) || begins(asked.join(''), words));
}
