// Forms of words to find in a sentence, without regular expressions: `nicht mehr|langer ~6 tatig|angestellt` is one
// of these words, one of those, up to six of any, and one of the last. `?now|since` is optional; `attiv*` is a
// prefix. The cost grows with the words and gaps in the form.

type Part = { words: readonly string[]; optional: boolean } | { gap: number };
export type Form = readonly Part[];

export const formsOf = (written: readonly string[]): Form[] =>
  written.map((form) =>
    form.split(' ').map((part): Part => {
      if (part.startsWith('~')) return { gap: Number(part.slice(1)) };
      const optional = part.startsWith('?');
      return { words: (optional ? part.slice(1) : part).split('|'), optional };
    }),
  );

/** Anywhere among these words. */
export const holds = (words: readonly string[], forms: readonly Form[]): boolean =>
  forms.some((form) => words.some((_, at) => matches(words, at, form)));

export const begins = (words: readonly string[], forms: readonly Form[]): boolean =>
  forms.some((form) => matches(words, 0, form));

function matches(words: readonly string[], at: number, form: Form): boolean {
  // Every place that the parts so far can end at.
  let ends = new Set([at]);
  for (const part of form) {
    const next = new Set<number>();
    for (const end of ends) {
      if ('gap' in part)
        for (let step = 0; step <= part.gap && end + step <= words.length; step++) next.add(end + step);
      else {
        if (part.optional) next.add(end);
        const word = words[end];
        if (word !== undefined && part.words.some((each) => isWord(word, each))) next.add(end + 1);
      }
    }
    if (next.size === 0) return false;
    ends = next;
  }
  return true;
}

const isWord = (word: string, form: string): boolean =>
  form.endsWith('*') ? word.startsWith(form.slice(0, -1)) : word === form;
