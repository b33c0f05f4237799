// A pattern taken apart into its alternatives, at every depth, so that each can be asked for alone or be taken out.

type Group = { open: string; alternatives: Part[][] };
type Part = string | Group;
export type Form = { alternatives: Part[][] };
/** Where an alternative exists: of the pattern or of a group, the how many-th; then the part of it, and so on. */
export type Place = readonly number[];

export function formOf(source: string): Form {
  let at = 0;
  const alternatives = (): Part[][] => {
    const all: Part[][] = [[]];
    let text = '';
    const flush = (): void => {
      if (text !== '') all.at(-1)?.push(text);
      text = '';
    };
    while (at < source.length && source[at] !== ')') {
      const sign = source[at] as string;
      if (sign === '\\') {
        text += source.slice(at, at + 2);
        at += 2;
      } else if (sign === '[') {
        const end = endOfClass(source, at);
        text += source.slice(at, end);
        at = end;
      } else if (sign === '|') {
        flush();
        all.push([]);
        at += 1;
      } else if (sign === '(') {
        flush();
        const open = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at, at + 80))?.[0] ?? '(';
        at += open.length;
        all.at(-1)?.push({ open, alternatives: alternatives() });
        at += 1;
      } else {
        text += sign;
        at += 1;
      }
    }
    flush();
    return all;
  };
  return { alternatives: alternatives() };
}

function endOfClass(source: string, from: number): number {
  let at = from + 1;
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Matches nothing. */
const NEVER = '[]';

/** `keeps` says of each place whether it stays. */
export function sourceOf({ alternatives }: Form, keeps: (place: Place) => boolean): string {
  const write = (all: readonly Part[][], place: Place): string =>
    all
      .flatMap((parts, nth) => {
        const here = [...place, nth];
        return keeps(here) ? [parts.map((part, of) => writePart(part, [...here, of])).join('')] : [];
      })
      .join('|') || (all.length === 1 && all[0]?.length === 0 ? '' : NEVER);
  const writePart = (part: Part, place: Place): string =>
    typeof part === 'string' ? part : `${part.open}${write(part.alternatives, place)})`;
  return write(alternatives, []);
}

/** Of every alternative; what must not be somewhere is no alternative of anything. */
export function placesIn({ alternatives }: Form): Place[] {
  const inside = (all: readonly Part[][], place: Place): Place[] =>
    all.flatMap((parts, nth) => {
      const here = [...place, nth];
      const own = all.length > 1 || place.length === 0 ? [here] : [];
      return [
        ...own,
        ...parts.flatMap((part, of) =>
          typeof part === 'string' || part.open.endsWith('!') ? [] : inside(part.alternatives, [...here, of]),
        ),
      ];
    });
  return inside(alternatives, []);
}

/** The pattern with this alternative alone, wherever it chooses on the way there. */
export const onlyAt = (form: Form, place: Place): string =>
  sourceOf(form, (other) => {
    const level = other.length - 1;
    const isOnTheWay = level < place.length && other.slice(0, level).every((each, of) => each === place[of]);
    return !isOnTheWay || other[level] === place[level];
  });

/** What it says itself, without its escapes, its classes and its groups' openings. */
export function wordsAt({ alternatives }: Form, place: Place): string {
  let all = alternatives;
  let parts: readonly Part[] = [];
  place.forEach((at, level) => {
    if (level % 2 === 0) parts = all[at] ?? [];
    else {
      const part = parts[at];
      all = typeof part === 'object' ? part.alternatives : [];
    }
  });
  const textOf = (some: readonly Part[]): string =>
    some.map((part) => (typeof part === 'string' ? part : part.alternatives.map(textOf).join(' '))).join('');
  return textOf(parts).replace(/\\p\{[^}]*\}|\\[a-zA-Z]|\[[^\]]*\]/g, ' ');
}
