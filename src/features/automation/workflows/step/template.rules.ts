// References in a step's input to what set the run off and to what earlier steps gave: {{ trigger.person_id }},
// {{ steps.card.item.id }}, {{ run.id }}. A path and nothing else: no code, no filters. Reading and rendering are linear, and
// what one step renders is bounded. Pure.
import { conflict } from '../../../../kernel/refusal.ts';

/** References in one step's input. */
export const REFERENCES_MAX = 200;
/** Characters that the references of one step's input become. */
const RENDERED_MAX = 200_000;

const PATH = /^(trigger|steps|run)((?:\.[A-Za-z0-9_-]{1,60})+)$/;

/** What a run knows so far. */
export type Known = {
  trigger: Record<string, unknown>;
  steps: Record<string, unknown>;
  run: { id: string; workflow_id: string };
};

export const isTemplated = (value: unknown): boolean => typeof value === 'string' && value.includes('{{');

export type Reference =
  | { text: string; root: 'trigger' | 'steps' | 'run'; keys: string[] }
  | { text: string; root: null };

type Place = { start: number; end: number; inner: string };

/** Every `{{ … }}` without a brace in it, from left to right. */
function* placesIn(text: string): Generator<Place> {
  let start = text.indexOf('{{');
  while (start !== -1) {
    let brace = start + 2;
    while (brace < text.length && text[brace] !== '{' && text[brace] !== '}') brace += 1;
    if (text.startsWith('}}', brace)) {
      const end = brace + 2;
      yield { start, end, inner: text.slice(start + 2, brace).trim() };
      start = text.indexOf('{{', end);
    } else {
      start = text.indexOf('{{', start + 1);
    }
  }
}

/** Every reference of an input, however deep it exists; those that are none have no root. */
export function referencesIn(input: unknown): Reference[] {
  if (typeof input === 'string')
    return [...placesIn(input)].map(({ start, end, inner }): Reference => {
      const text = input.slice(start, end);
      const [, root, keys = ''] = PATH.exec(inner) ?? [];
      return root === undefined
        ? { text, root: null }
        : { text, root: root as 'trigger' | 'steps' | 'run', keys: keys.split('.').slice(1) };
    });
  if (typeof input !== 'object' || input === null) return [];
  return Object.values(input).flatMap(referencesIn);
}

const TOO_MANY = conflict(
  `the input of this step has more than ${REFERENCES_MAX} references: split the step, then activate that version`,
);
const TOO_LONG = conflict(
  `the references of this step expand to more than ${RENDERED_MAX} characters: refer to the fields you need instead of the whole record`,
);

/** `shown`: how a text that a reference gives is written. */
export type Render = (input: unknown, shown?: (text: string) => string) => unknown;

/**
 * Renders the parts of one step's input. A text that is one reference alone becomes the value itself; within a text a value
 * becomes its words. Throws a refusal where there are too many references, or they become too much.
 */
export function renderer(known: Known): Render {
  const words = new Map<string, string>();
  let [references, chars] = [0, 0];
  const count = (text: string): string => {
    chars += text.length;
    if (chars > RENDERED_MAX) throw TOO_LONG;
    return text;
  };
  const wordsAt = (path: string): string => {
    references += 1;
    if (references > REFERENCES_MAX) throw TOO_MANY;
    const made = words.get(path) ?? wordsOf(valueAt(known, path));
    words.set(path, made);
    return made;
  };
  const inText = (text: string, shown: (text: string) => string): unknown => {
    const alone = aloneIn(text);
    if (alone !== null) {
      count(wordsAt(alone));
      const value = valueAt(known, alone);
      return typeof value === 'string' ? shown(value) : (value ?? null);
    }
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, inner } of placesIn(text)) {
      if (!PATH.test(inner)) continue;
      parts.push(text.slice(from, start), count(shown(wordsAt(inner))));
      from = end;
    }
    return from === 0 ? text : [...parts, text.slice(from)].join('');
  };
  const render = (input: unknown, shown: (text: string) => string): unknown => {
    if (typeof input === 'string') return inText(input, shown);
    if (Array.isArray(input)) return input.map((each) => render(each, shown));
    if (typeof input !== 'object' || input === null) return input;
    return Object.fromEntries(Object.entries(input).map(([key, each]) => [key, render(each, shown)]));
  };
  return (input, shown = (text) => text) => render(input, shown);
}

/** The path of the reference that is all of a text, or null. */
function aloneIn(text: string): string | null {
  const bare = text.trim();
  const first = placesIn(bare).next();
  if (first.done || first.value.start !== 0 || first.value.end !== bare.length) return null;
  return PATH.test(first.value.inner) ? first.value.inner : null;
}

/** Own keys alone: a path never reaches what an object inherits. */
function valueAt(known: Known, path: string): unknown {
  let at: unknown = known;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** As people write it: a text as it is, nothing as nothing, and anything else as JSON. */
export const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
