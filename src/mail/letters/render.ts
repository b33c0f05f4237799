// Renders letters from their author’s text and a person’s data: subject, text and HTML with the sender’s signature,
// the unsubscribe link and the postal address below, unless the author placed them.
import { textFromHtml } from '../compose/text.ts';
import { compile, type Compiled, escapeHtml, type Part, type Rendered, textOf } from './compile.ts';
import { appended, htmlFromText, lines } from './html.ts';
import type { LetterSource, MergeValues, RenderedLetter, Surroundings } from './letter.ts';

const STOP_BY_ANSWER = 'If you would rather not hear from me again, just answer with "unsubscribe".';

type Sides = { subject: Compiled; text: Compiled; html: Compiled | null };

/** What a source asks for, and what in it cannot be read. */
export function readSource(source: LetterSource): { fields: string[]; faults: SourceFault[] } {
  const sides = sidesOf(source);
  const faults: SourceFault[] = [];
  const fields = new Set<string>();
  for (const side of ['subject', 'text', 'html'] as const) {
    const compiled = sides[side];
    if (!compiled) continue;
    if (compiled.fault !== null) faults.push({ side, says: compiled.fault });
    else for (const field of compiled.fields) fields.add(field);
  }
  return { fields: [...fields].sort(), faults };
}

export type SourceFault = { side: keyof LetterSource; says: string };

/** The merge fields of one text; none where it cannot be read. */
export function mergeFields(source: string): string[] {
  const compiled = compile(source, 'plain');
  return compiled.fault === null ? [...compiled.fields].sort() : [];
}

/** One text with its fields filled in, as a task's title; null where it cannot be read. */
export function renderText(source: string, values: MergeValues): string | null {
  const compiled = compile(source, 'plain');
  if (compiled.fault !== null) return null;
  const rendered = compiled.render(values);
  return rendered.fault === null ? rendered.text : null;
}

/** The letter as it will arrive. Never throws: what cannot be rendered comes back as its `fault`. */
export function renderLetter(
  source: LetterSource,
  values: MergeValues,
  surroundings: Surroundings,
): RenderedLetter {
  const sides = sidesOf(source);
  const subject = rendered(sides.subject, values, surroundings, 'plain');
  const text = rendered(sides.text, values, surroundings, 'plain');
  const html = sides.html && rendered(sides.html, values, surroundings, 'html');
  const fault = subject.fault ?? text.fault ?? html?.fault ?? null;
  if (subject.fault !== null || text.fault !== null || (html && html.fault !== null))
    return failed(fault ?? '');
  const written = asWritten(text.text, html && html.text, surroundings);
  const placed = surrounded(written, surroundings);
  return {
    subject: subject.text.trim(),
    ...placed,
    unresolved: distinct([...subject.missing, ...text.missing, ...(html ? html.missing : [])]),
    fields_used: readSource(source).fields,
    unsafe_header: subject.unsafe,
    has_unsubscribe: offersOutgoingMail(placed, surroundings),
    fault: null,
  };
}

/**
 * What people have no value for, without making their letters whole: for going through many of them. Whoever is alike in
 * what decides it is rendered once.
 */
export function openUnresolved(
  source: LetterSource,
  around: Pick<Surroundings, 'unsubscribe' | 'postal_address'>,
): (values: MergeValues) => string[] {
  const { subject, text, html } = sidesOf(source);
  const sides = [subject, text, ...(html ? [html] : [])].map((side) => ({
    side,
    known: new Map<string, string[]>(),
  }));
  return (values) =>
    distinct(
      sides.flatMap(({ side, known }) => {
        if (side.fault !== null) return [];
        const alike = side.needs && likeness(side.needs, values);
        const found = alike === null ? undefined : known.get(alike);
        if (found) return found;
        const made = rendered(side, values, around, 'plain');
        const missing = made.fault === null ? made.missing : [];
        if (alike !== null && known.size < KNOWN_MAX) known.set(alike, missing);
        return missing;
      }),
    );
}

const KNOWN_MAX = 10_000;

const likeness = ({ printed, asked }: { printed: string[]; asked: string[] }, values: MergeValues): string =>
  JSON.stringify([
    printed.map((field) => textOf(valueAt(values, field)).trim() !== ''),
    asked.map((field) => valueAt(values, field) ?? null),
  ]);

function valueAt(values: MergeValues, field: string): unknown {
  let value: unknown = values;
  for (const key of field.split('.'))
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : null;
  return value;
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();

const sidesOf = ({ subject, text, html }: LetterSource): Sides => ({
  subject: compile(subject, 'plain'),
  text: compile(text, 'plain'),
  html: html === null || html.trim() === '' ? null : compile(html, 'html'),
});

function rendered(
  side: Compiled,
  values: MergeValues,
  { unsubscribe, postal_address }: Pick<Surroundings, 'unsubscribe' | 'postal_address'>,
  part: Part,
): Rendered {
  if (side.fault !== null) return side;
  const postal = postal_address === null ? '' : onePlace(postal_address, part);
  const url = unsubscribe?.mode === 'one_click' ? unsubscribe.url : '';
  return side.render({ ...values, unsubscribe_url: url, postal_address: postal });
}

/** In HTML a line break means nothing: the lines of an address are behind each other there. */
const onePlace = (address: string, part: Part): string =>
  part === 'plain' ? address.trim() : linesOf(address).join(', ');

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

type Written = { text: string; html: string };

function asWritten(text: string, html: string | null, { unsubscribe }: Surroundings): Written {
  const plain = text.replace(/\r\n?/g, '\n').trim();
  const link = unsubscribe?.mode === 'one_click' ? unsubscribe.url : null;
  if (html === null) return { text: plain, html: htmlFromText(plain, link) };
  return { text: plain === '' ? textFromHtml(html) : plain, html: html.trim() };
}

/** A letter without words stays without words: a signature alone is none. */
function surrounded(
  { text, html }: Written,
  { unsubscribe, postal_address, signature }: Surroundings,
): Written {
  if (text === '') return { text, html: '' };
  const signed = signature.html.trim() || htmlFromText(signature.text.trim(), null);
  const foot = { text: [] as string[], html: [] as string[] };
  if (unsubscribe?.mode === 'reply_only') {
    foot.text.push(STOP_BY_ANSWER);
    foot.html.push(escapeHtml(STOP_BY_ANSWER));
  }
  if (unsubscribe?.mode === 'one_click') {
    const shown = escapeHtml(unsubscribe.url);
    if (!text.includes(unsubscribe.url)) foot.text.push(`Unsubscribe: ${unsubscribe.url}`);
    if (!html.includes(shown)) foot.html.push(`<a href="${shown}">Unsubscribe</a>`);
  }
  if (postal_address !== null) {
    const flat = linesOf(postal_address).join(', ');
    if (!text.includes(postal_address.trim()) && !text.includes(flat)) foot.text.push(postal_address.trim());
    if (!html.includes(escapeHtml(flat)) && !html.includes(lines(postal_address)))
      foot.html.push(lines(postal_address));
  }
  const below =
    foot.html.length === 0 ? [] : [`<p style="font-size:smaller">${foot.html.join('<br>\n')}</p>`];
  return {
    text: [text, signature.text.trim(), foot.text.join('\n')].filter((each) => each !== '').join('\n\n'),
    html: appended(html, [...(signed === '' ? [] : [`<div>${signed}</div>`]), ...below]),
  };
}

function offersOutgoingMail({ text, html }: Written, { unsubscribe }: Surroundings): boolean {
  if (unsubscribe === null || text === '') return false;
  const said = unsubscribe.mode === 'one_click' ? unsubscribe.url : STOP_BY_ANSWER;
  return text.includes(said) && html.includes(escapeHtml(said));
}

const failed = (fault: string): RenderedLetter => ({
  subject: '',
  text: '',
  html: '',
  unresolved: [],
  fields_used: [],
  unsafe_header: false,
  has_unsubscribe: false,
  fault,
});
