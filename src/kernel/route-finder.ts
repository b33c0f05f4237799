// Finds operations by words, and suggests routes for a path that doesn’t exist. It searches only what the public API document
// shows, so it reveals nothing more.
import { argumentWords } from './argument-line.ts';
import type { AnyOperation } from './operation.ts';
import { notThere, type Refusal } from './refusal.ts';
import { stem, synonymsOf } from './synonyms.rules.ts';

/** What a word counts for by where it is found. */
const WEIGHTS = { name: 5, path: 4, says: 2.5, argument: 2 };
const BY_SYNONYM = 0.55;
/** Of an operation for every word of its name that no one asked for: among equals the plainer one comes first. */
const UNASKED = 0.35;
/** For a question, or a list of things in some state: what only reads answers it. */
const ASKED_TO_SHOW = 2.5;
const UNASKED_ACT = 0.6;
/** What an operation says must not outweigh what it is called. */
const SAYS_CHARS = 400;

const IDLE = new Set(
  'a an and any are as at be been by did do does for from had has have how i in is it its my not of on or our out so than that the their them then there these they this to was we were what when where who whose will with you your'.split(
    ' ',
  ),
);

const METHOD_WORDS: Record<string, string> = {
  GET: 'read list',
  POST: '',
  PUT: 'set replace save',
  PATCH: 'update change edit',
  DELETE: 'delete remove',
};

const QUESTIONS = new Set(
  'what which who whom whose why when where how is are list show read see held'.split(' '),
);

/** It begins with a word of a question, or with things: `letters returned`, `held letters`, `overdue cards`. */
function asksToShow(query: string): boolean {
  const first = /[a-z]+/.exec(query.toLowerCase())?.[0] ?? '';
  const isMany = first.endsWith('s') && !first.endsWith('ss');
  return QUESTIONS.has(first) || isMany || first.endsWith('ed') || first === 'overdue';
}

type Indexed = { op: AnyOperation; words: Map<string, number>; named: string[]; at: number };

export type RouteFinder = {
  /** The best operations for these words, best first; none where no word is known. */
  find(query: string, limit: number): AnyOperation[];
  /** The operations whose paths are most like this one; none where they have nothing in common with it. */
  nearest(method: string, path: string, limit: number): AnyOperation[];
};

const finders = new WeakMap<readonly AnyOperation[], RouteFinder>();

export function routeFinder(operations: readonly AnyOperation[]): RouteFinder {
  const known = finders.get(operations);
  if (known) return known;
  const finder = finderOf(operations);
  finders.set(operations, finder);
  return finder;
}

function finderOf(operations: readonly AnyOperation[]): RouteFinder {
  const index = operations.map(indexed);
  const rows = new Map<string, number>();
  for (const { words } of index) for (const word of words.keys()) rows.set(word, (rows.get(word) ?? 0) + 1);
  const rarity = (word: string): number => Math.log(1 + index.length / (rows.get(word) ?? index.length));
  const score = (each: Indexed, asked: string[]): number => {
    let sum = 0;
    const meant = new Set<string>();
    for (const word of asked) {
      let best = (each.words.get(word) ?? 0) * rarity(word);
      if (best > 0) meant.add(word);
      for (const other of synonymsOf(word)) {
        const found = (each.words.get(other) ?? 0) * rarity(other) * BY_SYNONYM;
        if (found > 0) meant.add(other);
        best = Math.max(best, found);
      }
      sum += best;
    }
    return sum - UNASKED * each.named.filter((word) => !meant.has(word)).length;
  };
  return {
    find(query, limit) {
      const asked = wordsOf(query);
      const shows = asksToShow(query);
      return ranked(
        index,
        (each) => {
          const points = score(each, asked);
          if (!shows || points <= 0) return points;
          if (each.op.effect !== 'read') return points * UNASKED_ACT;
          const [noun = ''] = each.named;
          const isTheirs =
            each.op.name.endsWith('_list') && (asked[0] === noun || synonymsOf(asked[0] ?? '').has(noun));
          return points + (isTheirs ? 2 : 1) * ASKED_TO_SHOW;
        },
        limit,
        0,
      );
    },
    nearest(method, path, limit) {
      const wanted = segmentsOf(path);
      const like = (each: Indexed): number =>
        likeness(wanted, segmentsOf(each.op.path)) + (each.op.method === method ? 0.4 : 0);
      return ranked(index, like, limit, 0.9);
    },
  };
}

function ranked(
  index: Indexed[],
  score: (each: Indexed) => number,
  limit: number,
  above: number,
): AnyOperation[] {
  return index
    .map((each) => ({ each, points: score(each) }))
    .filter(({ points }) => points > above)
    .toSorted((a, b) => b.points - a.points || a.each.at - b.each.at)
    .slice(0, limit)
    .map(({ each }) => each.op);
}

function indexed(op: AnyOperation, at: number): Indexed {
  const words = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) words.set(word, Math.max(words.get(word) ?? 0, weight));
  };
  add(op.says.slice(0, SAYS_CHARS), WEIGHTS.says);
  for (const { says } of argumentWords(op)) add(says, WEIGHTS.argument);
  add(METHOD_WORDS[op.method] ?? '', WEIGHTS.argument);
  add(op.path.slice('/api/'.length).replace(/:[a-z_]+/g, ' '), WEIGHTS.path);
  add(op.name, WEIGHTS.name);
  return { op, words, named: wordsOf(op.name), at };
}

/** Stemmed, without those that say nothing of what is wanted. */
function wordsOf(text: string): string[] {
  const all = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return [...new Set((all ?? []).filter((word) => !IDLE.has(word)).map(stem))];
}

/** What every path has says nothing. */
const segmentsOf = (path: string): string[] =>
  path.split('/').filter((each) => each !== '' && each !== 'api' && each !== 'admin');

/** How many segments two paths share, in any place; a segment of one that the other has misspelt counts a little less. */
function likeness(asked: string[], has: string[]): number {
  const left = [...has];
  let shared = 0;
  for (const segment of asked.slice(0, 12)) {
    let [best, at] = [0, -1];
    for (const [k, each] of left.entries()) {
      const found = each.startsWith(':') ? 0 : similar(segment.toLowerCase(), each);
      if (found > best) [best, at] = [found, k];
    }
    if (at < 0) continue;
    shared += best;
    left.splice(at, 1);
  }
  return (
    shared - 0.1 * (Math.abs(asked.length - has.length) + left.filter((each) => !each.startsWith(':')).length)
  );
}

function similar(a: string, b: string): number {
  if (a === b) return 1;
  if (stem(a) === stem(b)) return 0.9;
  if (a.length > 40) return 0;
  const grams = (text: string): Set<string> =>
    new Set(Array.from({ length: Math.max(text.length - 1, 0) }, (_, at) => text.slice(at, at + 2)));
  const [left, right] = [grams(a), grams(b)];
  const both = [...left].filter((each) => right.has(each)).length;
  const share = (2 * both) / (left.size + right.size || 1);
  return share > 0.6 ? share * 0.9 : 0;
}

/** The refusal of a path that no operation has: it names the routes that are most like it, as far as there is room. */
export function noRoute(operations: readonly AnyOperation[], method: string, path: string): Refusal {
  const near = routeFinder(operations).nearest(method, path, 3);
  const shown = path.length > 120 ? `${path.slice(0, 120)}…` : path;
  // What is no plain path is not repeated.
  const asked = /^[\w./-]+$/.test(path) ? `${method} ${shown}` : 'that path';
  const how =
    near.length > 0
      ? `the nearest are ${near.map((op) => `${op.method} ${op.path}`).join(', ')}`
      : 'GET /api/routes?query=… (the tool api_routes) finds one by words';
  return notThere(`no route matches ${asked}: ${how}`);
}
