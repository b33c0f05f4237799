// References in a step's input to what set the run off and to what earlier steps gave: {{ trigger.person_id }},
// {{ steps.card.item.id }}, {{ run.id }}. A path and nothing else: no code, no filters. Pure.

const REFERENCE = /\{\{\s*([^{}]*?)\s*\}\}/g;
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

/** Every reference of an input, however deep it stands; those that are none have no root. */
export function referencesIn(input: unknown): Reference[] {
  if (typeof input === 'string')
    return [...input.matchAll(REFERENCE)].map(([text, inner = '']): Reference => {
      const [, root, keys = ''] = PATH.exec(inner) ?? [];
      return root === undefined
        ? { text, root: null }
        : { text, root: root as 'trigger' | 'steps' | 'run', keys: keys.split('.').slice(1) };
    });
  if (typeof input !== 'object' || input === null) return [];
  return Object.values(input).flatMap(referencesIn);
}

/** A text that is one reference alone becomes the value itself; within a text a value becomes its words. */
export function rendered(
  input: unknown,
  known: Known,
  shown: (text: string) => string = (text) => text,
): unknown {
  if (typeof input === 'string') return renderedText(input, known, shown);
  if (Array.isArray(input)) return input.map((each) => rendered(each, known, shown));
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(Object.entries(input).map(([key, each]) => [key, rendered(each, known, shown)]));
}

function renderedText(text: string, known: Known, shown: (text: string) => string): unknown {
  const [alone] = [...text.trim().matchAll(REFERENCE)];
  if (alone && alone[0] === text.trim() && PATH.test(alone[1] ?? '')) {
    const value = valueAt(known, alone[1] ?? '');
    return typeof value === 'string' ? shown(value) : (value ?? null);
  }
  return text.replace(REFERENCE, (whole, inner: string) =>
    PATH.test(inner) ? shown(wordsOf(valueAt(known, inner))) : whole,
  );
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
