// Loads the reader of machine mail so that it can be asked how it does on a mail system that it never saw. Every alternative of
// every pattern, and every word of a table, is watched while all messages are read: it knows the systems whose messages it
// is found in, whether or not it was asked about them. To leave a system out is to take away all words that are found in that
// system's messages and in no one else's, which is what could have been learned from it alone. What holds no word, such as
// the break of a line, is form.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { formOf, onlyAt, placesIn, sourceOf, wordsAt, type Form, type Place } from './alternatives.ts';

const READER = new URL('../src/mail/reports/', import.meta.url).href;

type Alternative = { place: Place; alone: RegExp; anywhere: RegExp; systems: Set<string> };
type Watched = { form: Form; alternatives: Alternative[]; without: Map<string, RegExp> };

const patterns = new Map<string, Watched>();
const tables = new Map<unknown, Map<unknown, Set<string>>>();
let now: { reads: string } | { leavesOut: string } | null = null;

const WORD = /\p{L}{3}|[\p{Lo}]{2}/u;

const flagsOf = (flags: string): string => flags.replace(/[gyd]/g, '');

function watchedOf(source: string, flags: string): Watched {
  const key = `/${source}/${flagsOf(flags)}`;
  const known = patterns.get(key);
  if (known) return known;
  const form = formOf(source);
  const alternatives = placesIn(form).flatMap((place): Alternative[] => {
    if (!WORD.test(wordsAt(form, place))) return [];
    const only = onlyAt(form, place);
    const [alone, anywhere] = [flagsOf(flags), flagsOf(flags).replace('m', '') + 'm'].map(
      (each) => new RegExp(only, each),
    ) as [RegExp, RegExp];
    return [{ place, alone, anywhere, systems: new Set<string>() }];
  });
  const made = { form, alternatives, without: new Map<string, RegExp>() };
  patterns.set(key, made);
  return made;
}

const isOf = (systems: ReadonlySet<string>, system: string): boolean =>
  systems.size === 1 && systems.has(system);

class WatchedPattern extends RegExp {
  override exec(text: string): RegExpExecArray | null {
    if (now === null || 'reads' in now) {
      const found = super.exec(text);
      if (now && found) this.#note(text, now.reads);
      return found;
    }
    const own = this.#without(now.leavesOut);
    own.lastIndex = this.lastIndex;
    const found = own.exec(text);
    this.lastIndex = own.lastIndex;
    return found;
  }

  #note(text: string, system: string): void {
    for (const { alone, systems } of watchedOf(this.source, this.flags).alternatives)
      if (!systems.has(system) && alone.test(text)) systems.add(system);
  }

  #without(system: string): RegExp {
    const { form, alternatives, without } = watchedOf(this.source, this.flags);
    const key = `${system} ${this.flags}`;
    const known = without.get(key);
    if (known) return known;
    const gone = new Set(
      alternatives.filter(({ systems }) => isOf(systems, system)).map(({ place }) => place.join()),
    );
    const made = new RegExp(
      sourceOf(form, (place) => !gone.has(place.join())),
      this.flags,
    );
    without.set(key, made);
    return made;
  }
}

/** What is registered for everyone (RFC 3463 and IANA) was learned from no one. */
const STANDARDS = new URL('codes.ts', READER).href;

/** A table that a file states; what is filled while reading has no entries to begin with. */
function isAsked(table: unknown, key: unknown, has: boolean): boolean {
  if (!has || now === null) return has;
  const keys = tables.get(table);
  if (!keys) return has;
  const systems = keys.get(key) ?? new Set<string>();
  keys.set(key, systems);
  if ('leavesOut' in now) return !isOf(systems, now.leavesOut);
  systems.add(now.reads);
  return true;
}

class WatchedMap<K, V> extends Map<K, V> {
  constructor(entries?: Iterable<readonly [K, V]> | null) {
    super(entries);
    if (entries) tables.set(this, new Map());
  }
  override has(key: K): boolean {
    return isAsked(this, key, super.has(key));
  }
  override get(key: K): V | undefined {
    return isAsked(this, key, super.has(key)) ? super.get(key) : undefined;
  }
}

Object.assign(globalThis, { WatchedPattern, WatchedMap });

type Node = { type: string; [key: string]: unknown };

/** Its patterns and its tables, watched. */
function watched(url: string): string {
  const file = fileURLToPath(url);
  const source = readFileSync(file, 'utf8');
  const found: { start: number; end: number; pattern: string; flags: string }[] = [];
  const visit = (node: Node): void => {
    const regex = node['regex'] as { pattern: string; flags: string } | undefined;
    if (node.type === 'Literal' && regex)
      found.push({ start: node['start'] as number, end: node['end'] as number, ...regex });
    for (const child of Object.values(node))
      for (const each of Array.isArray(child) ? child : [child])
        if (typeof each === 'object' && each !== null && 'type' in each) visit(each as Node);
  };
  visit(parseSync(file, source).program as unknown as Node);
  const changed = found
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (text, { start, end, pattern, flags }) =>
        `${text.slice(0, start)}new RegExp(${JSON.stringify(pattern)}, ${JSON.stringify(flags)})${text.slice(end)}`,
      source,
    );
  const names = url === STANDARDS ? 'WatchedPattern: RegExp' : 'WatchedPattern: RegExp, WatchedMap: Map';
  return `const { ${names} } = globalThis;${changed}`;
}

registerHooks({
  load: (url, context, next) =>
    url.startsWith(READER)
      ? { format: 'module-typescript', source: watched(url), shortCircuit: true }
      : next(url, context),
});

/** While `read` runs, what matches is known to have matched this system; or what matched no one else is gone. */
export async function during<T>(
  what: { reads: string } | { leavesOut: string },
  read: () => Promise<T>,
): Promise<T> {
  now = what;
  try {
    return await read();
  } finally {
    now = null;
  }
}

/** Every alternative that one more system could have taught is looked for in all that this message holds. */
export function lookFor(text: string, system: string): void {
  const line = text.replace(/\S{1,64}@[^\s>]{1,255}/g, '@').replace(/\s+/g, ' ');
  const words = line.toLowerCase().replace(/[\s.,:;!?()<>"]+/g, '\n');
  for (const { alternatives } of patterns.values())
    for (const { anywhere, systems } of alternatives)
      if (systems.size < 2 && !systems.has(system) && [text, line, words].some((each) => anywhere.test(each)))
        systems.add(system);
}

/** How many alternatives are gone when this system is left out. */
export const goneWithout = (system: string): number =>
  [...patterns.values()]
    .flatMap(({ alternatives }) => alternatives)
    .filter(({ systems }) => isOf(systems, system)).length;
