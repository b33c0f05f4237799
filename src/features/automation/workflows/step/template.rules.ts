// References in a step’s input to the trigger and to earlier steps: {{ trigger.person_id }}, {{ steps.card.item.id
// }}, {{ run.id }}. A path, optionally with filters that move a time: {{ trigger.at | plus_days: 1 | date }}. No
// code. Reading and rendering are linear, and the output of one step is bounded. Pure.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../kernel/clock.ts';
import { conflict } from '../../../../kernel/refusal.ts';

/** References in one step's input. */
export const REFERENCES_MAX = 200;
/** Characters that the references of one step's input become. */
const RENDERED_MAX = 200_000;

const PATH = /^(trigger|steps|run)((?:\.[A-Za-z0-9_-]{1,60})+)$/;

/** What one moves a time by; `date` is its day in UTC. */
const MOVES = { plus_days: DAY_MS, plus_hours: HOUR_MS, plus_minutes: MINUTE_MS } as const;
const MOVE = /^(plus_days|plus_hours|plus_minutes): ?(-?\d{1,5})$/;
export const FILTERS: readonly string[] = [...Object.keys(MOVES).map((name) => `${name}: 1`), 'date'];
const FILTERS_MAX = 4;

type Filter = { by_ms: number } | 'date';

/** The text between the braces as a path and filters; null if it isn’t a reference. */
function readReference(inner: string): { path: string; filters: Filter[] } | null {
  const [path = '', ...said] = inner.split('|').map((part) => part.trim());
  if (!PATH.test(path) || said.length > FILTERS_MAX) return null;
  const filters: Filter[] = [];
  for (const one of said) {
    const [, move, count] = MOVE.exec(one) ?? [];
    if (one === 'date') filters.push('date');
    else if (move) filters.push({ by_ms: MOVES[move as keyof typeof MOVES] * Number(count) });
    else return null;
  }
  return { path, filters };
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A day stays a day unless hours are added to it; a time is in UTC. */
function filtered(value: unknown, filters: readonly Filter[], shown: string): unknown {
  if (filters.length === 0) return value;
  let at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  let isDay = typeof value === 'string' && DAY.test(value);
  for (const filter of filters) {
    if (filter === 'date') isDay = true;
    else {
      at += filter.by_ms;
      isDay &&= filter.by_ms % DAY_MS === 0;
    }
  }
  const moved = new Date(at);
  if (Number.isNaN(moved.getTime()))
    throw conflict(
      `${shown} needs a time or a day: ${wordsOf(value).slice(0, 40) || 'an empty value'} is neither`,
    );
  return isDay ? moved.toISOString().slice(0, 10) : moved.toISOString();
}

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
      const [, root, keys = ''] = PATH.exec(readReference(inner)?.path ?? '') ?? [];
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
  const valueOf = (inner: string): unknown => {
    const read = readReference(inner);
    return read ? filtered(valueAt(known, read.path), read.filters, `{{ ${inner} }}`) : undefined;
  };
  const wordsAt = (inner: string): string => {
    references += 1;
    if (references > REFERENCES_MAX) throw TOO_MANY;
    const made = words.get(inner) ?? wordsOf(valueOf(inner));
    words.set(inner, made);
    return made;
  };
  const inText = (text: string, shown: (text: string) => string): unknown => {
    const alone = aloneIn(text);
    if (alone !== null) {
      count(wordsAt(alone));
      const value = valueOf(alone);
      return typeof value === 'string' ? shown(value) : (value ?? null);
    }
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, inner } of placesIn(text)) {
      if (!readReference(inner)) continue;
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

/** The inside of a reference that makes up the whole text, or null. */
function aloneIn(text: string): string | null {
  const bare = text.trim();
  const first = placesIn(bare).next();
  if (first.done || first.value.start !== 0 || first.value.end !== bare.length) return null;
  return readReference(first.value.inner) ? first.value.inner : null;
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
