// What is said of a merge field that does not exist: the one that is spelled most like it, and those that exist, by what they are
// of, as many as a sentence holds. Pure.

const SENTENCE_CHARS = 290;
const SHOWN_CHARS = 40;
/** More letters apart than this, no one meant it. */
const FARTHEST = 4;

export function noField(field: string, fields: ReadonlySet<string>): string {
  const near = nearest(field, fields);
  const head = `there is no merge field "${field.slice(0, SHOWN_CHARS)}"${near === null ? '' : `, did you mean ${near}?`} Fields: `;
  const all = grouped(fields, field.slice(0, field.lastIndexOf('.') + 1));
  let named = '';
  let shown = 0;
  for (const { text, count } of all) {
    const next = named === '' ? text : `${named}; ${text}`;
    if (head.length + next.length > SENTENCE_CHARS - ' and 100 more'.length) break;
    named = next;
    shown += count;
  }
  return `${head.replace(/(?<![?]) Fields/, '. Fields')}${named}${shown < fields.size ? ` and ${fields.size - shown} more` : ''}`;
}

/** `person.name, given, family`: what has one noun together, that of what was asked first, an instance's own long lists last. */
function grouped(fields: ReadonlySet<string>, first: string): { text: string; count: number }[] {
  const nouns = new Map<string, string[]>();
  for (const field of fields) {
    const dot = field.lastIndexOf('.');
    const noun = field.slice(0, dot + 1);
    nouns.set(noun, [...(nouns.get(noun) ?? []), field.slice(dot + 1)]);
  }
  const rank = (noun: string): number =>
    noun === first && noun !== '' ? 0 : noun.includes('custom.') ? 2 : 1;
  return [...nouns]
    .sort(([one], [other]) => rank(one) - rank(other))
    .map(([noun, names]) => ({ text: `${noun}${names.join(', ')}`, count: names.length }));
}

function nearest(field: string, fields: ReadonlySet<string>): string | null {
  const asked = field.slice(0, SHOWN_CHARS).toLowerCase();
  const bare = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
  const far = (name: string): number =>
    // A name without its noun, or under another one, is meant as often as it is misspelled.
    bare(asked) === bare(name) ? 1 : Math.min(apart(asked, name), apart(bare(asked), bare(name)) + 1);
  const [best] = [...fields].map((name) => ({ name, far: far(name) })).sort((a, b) => a.far - b.far);
  return best && best.far <= Math.min(FARTHEST, Math.ceil(asked.length / 3)) ? best.name : null;
}

/** Letters to change, add or leave out between two short words. */
function apart(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + same));
    }
    row = next;
  }
  return row[other.length] as number;
}
