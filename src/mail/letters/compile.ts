// The template language of letters: Liquid reduced to what a letter needs, compiled once and cached. It has no loops,
// files, captures or clock: the author’s text limits what rendering can cost, and the same values always give the
// same letter. Values are data: none is ever read as Liquid, and in HTML each is escaped when written.
import { Context, Liquid, LiquidError, Output, type Template } from 'liquidjs';

export type Part = 'plain' | 'html';

export type Compiled =
  | { fault: string }
  | {
      fault: null;
      /** Merge fields in the order in which they are asked for, each once. */
      fields: string[];
      /**
       * What alone decides what one person lacks: fields that are printed as they are and must not be empty, and fields that
       * tags ask the value of. Null where only rendering can tell.
       */
      needs: { printed: string[]; asked: string[] } | null;
      render(values: object): Rendered;
    };

/** `missing`: what was asked for without a fallback and is empty. `unsafe`: a value brought a control character. */
export type Rendered = { fault: string } | { fault: null; text: string; missing: string[]; unsafe: boolean };

const TAGS = ['assign', 'case', 'comment', 'if', 'unless', '#'];
const FILTERS =
  'append capitalize date default downcase first join last prepend remove replace round size split strip truncate truncatewords upcase url_encode'.split(
    ' ',
  );

/** Characters of one source, and of everything that rendering one makes. */
const SOURCE_MAX = 100_000;
const RENDERED_MAX = 1_000_000;
const RENDERING_MAX_MS = 1_000;
/** Tags and fields in one source: each costs a frame while it is nested, and time whenever it is rendered. */
const OUTPUTS_MAX = 2_000;
/** Characters of one tag or field: reading a condition takes time by the square of its length. */
const TAG_MAX = 2_000;
const KEPT_MAX = 400;

const CONTROL = /[\p{Cc}\u2028\u2029]/u;

type Place = { name: string; hasFallback: boolean; asItIs: boolean };
type Tally = { missing: Set<string>; unsafe: boolean };
/** What each place of a template asks for, and what each rendering has found so far. */
const asked = new WeakMap<object, Place>();
const tallies = new WeakMap<Context, Tally>();

const kept: Record<Part, Map<string, Compiled>> = { plain: new Map(), html: new Map() };

/** Compiles, or takes what was compiled before. */
export function compile(source: string, part: Part): Compiled {
  const known = kept[part].get(source);
  if (known) return known;
  const made = compileAnew(source, part);
  if (kept[part].size >= KEPT_MAX) kept[part].clear();
  kept[part].set(source, made);
  return made;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function compileAnew(source: string, part: Part): Compiled {
  if (source.length > SOURCE_MAX) return { fault: `it is over ${SOURCE_MAX} characters` };
  if ((source.match(/\{[{%]/g)?.length ?? 0) > OUTPUTS_MAX)
    return { fault: `it has more than ${OUTPUTS_MAX} fields and tags` };
  if (longestTag(source) > TAG_MAX)
    return { fault: `it has a field or tag of more than ${TAG_MAX} characters` };
  try {
    const templates = engines[part].parse(source);
    const places: Place[] = [];
    noteOutputs(templates, places);
    const bare = places.filter((place) => !place.hasFallback);
    const needs = needsOf(bare, engines[part], source);
    const fields = engines[part].globalFullVariablesSync(templates, { partials: false });
    return { fault: null, fields, needs, render: (values) => render(engines[part], templates, values) };
  } catch (error) {
    return { fault: sentenceOf(error) };
  }
}

function needsOf(
  bare: readonly Place[],
  engine: Liquid,
  source: string,
): { printed: string[]; asked: string[] } | null {
  const printed = bare.map((place) => place.name);
  // What is left when every print is taken out asks for fields by its tags alone.
  const tags = source.includes('{%') ? withoutFields(source) : '';
  const asked = engine.globalFullVariablesSync(tags, { partials: false });
  const told =
    bare.every((place) => place.asItIs) && [...printed, ...asked].every((field) => PATH.test(field));
  return told ? { printed, asked } : null;
}

/** A field by its names alone: not by the value of another one. */
const PATH = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*){0,3}$/;

function render(engine: Liquid, templates: Template[], values: object): Rendered {
  const context = new Context(values, engine.options, { sync: true });
  const tally: Tally = { missing: new Set(), unsafe: false };
  tallies.set(context, tally);
  try {
    const text: string = engine.renderSync(templates, context);
    return { fault: null, text, missing: [...tally.missing], unsafe: tally.unsafe };
  } catch (error) {
    return { fault: sentenceOf(error) };
  }
}

function engineOf(escape: (text: string) => string): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    // A partial could only come from here, and the tags that ask for one are gone.
    templates: {},
    cache: false,
    dynamicPartials: false,
    relativeReference: false,
    timezoneOffset: 0,
    dateFormat: '%Y-%m-%d',
    locale: 'en-GB',
    parseLimit: SOURCE_MAX,
    renderLimit: RENDERING_MAX_MS,
    memoryLimit: RENDERED_MAX,
    // The engine calls it as it calls a filter; its types forget what `this` is then.
    outputEscape: printing(escape) as (value: unknown) => string,
  });
  for (const name of Object.keys(engine.tags)) if (!TAGS.includes(name)) delete engine.tags[name];
  const date = engine.filters['date'];
  for (const name of Object.keys(engine.filters)) if (!FILTERS.includes(name)) delete engine.filters[name];
  // Only a day that is in a field: `now` would make another letter at every look.
  engine.registerFilter('date', function (value: unknown, ...rest: unknown[]) {
    const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value);
    return isDay && typeof date === 'function' ? date.call(this, value, ...rest) : value;
  });
  return engine;
}

/** What puts a value into a letter: counted, looked at, escaped. */
const printing = (escape: (text: string) => string) =>
  function print(this: { context: Context; token: object }, value: unknown): string {
    const text = textOf(value);
    this.context.memoryLimit.use(text.length);
    const tally = tallies.get(this.context);
    if (tally && CONTROL.test(text)) tally.unsafe = true;
    const place = asked.get(this.token);
    if (tally && place && !place.hasFallback && text.trim() === '') tally.missing.add(place.name);
    return escape(text);
  };

/** A value as a letter prints it. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map(textOf).join(', ') : '';
}

/** Remembers of every place that prints a value what it asks for, under what the engine hands to the escaping of it. */
function noteOutputs(templates: Template[], places: Place[]): void {
  for (const each of templates) {
    if (each instanceof Output) {
      const { filters } = each.value;
      const last = filters.at(-1) as { token: object } | undefined;
      const name = nameIn(each.token.getText());
      const hasFallback = filters.some((filter) => filter.name === 'default');
      // The last filter is our own printing.
      const place = { name: name.slice(0, 80), hasFallback, asItIs: filters.length === 1 };
      places.push(place);
      if (last) asked.set(last.token, place);
    }
    noteOutputs(childrenOf(each), places);
  }
}

/** What is in `{{ name | filter }}` or `{{- name -}}` before the first filter. */
function nameIn(text: string): string {
  const from = text[2] === '-' ? 3 : 2;
  let end = from;
  while (end < text.length && text[end] !== '|' && text[end] !== '}') end += 1;
  if (text[end] === '}' && text[end + 1] !== '}') return '';
  const name = text.slice(from, end).trim();
  return name.endsWith('-') ? name.slice(0, -1).trimEnd() : name;
}

/** Of what opens with braces and closes with them, or ends with the source. */
function longestTag(source: string): number {
  let longest = 0;
  for (const { index } of source.matchAll(/\{[{%]/g)) {
    const end = source.slice(index, index + TAG_MAX + 1).search(/[%}]\}/);
    longest = Math.max(longest, end === -1 ? Math.min(source.length - index, TAG_MAX + 1) : end);
  }
  return longest;
}

/** A source without its fields. */
function withoutFields(source: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = source.indexOf('{{'); start !== -1; start = source.indexOf('{{', from)) {
    const end = source.indexOf('}}', start + 2);
    if (end === -1) break;
    kept.push(source.slice(from, start));
    from = end + 2;
  }
  return [...kept, source.slice(from)].join('');
}

/** The engine's own walk: a generator that yields nothing here, since nothing is loaded, and returns the list. */
function childrenOf(template: Template): Template[] {
  const step = template.children?.(false, true).next();
  return step?.done && step.value ? [...step.value] : [];
}

/** Our own words: the engine's may carry anything. Names in them are the author's. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof LiquidError)) return 'it is nested too deeply';
  const [line] = error.token?.getPosition?.() ?? [1];
  const said = error.message;
  if (/limit exceeded/.test(said)) return 'it produces more text than a letter can hold';
  const tag = /^tag "([^"]*)" not found/.exec(said)?.[1];
  if (tag !== undefined) return `line ${line}: letters have no tag "${tag.slice(0, 40)}"`;
  const filter = /^undefined filter: (\S+)/.exec(said)?.[1];
  if (filter !== undefined)
    return `line ${line}: letters have no filter "${filter.slice(0, 40).replace(/,$/, '')}"`;
  return `line ${line}: the text between the braces can’t be parsed`;
}

const engines: Record<Part, Liquid> = { plain: engineOf((text) => text), html: engineOf(escapeHtml) };
