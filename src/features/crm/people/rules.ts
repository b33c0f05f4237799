// People as pure rules: what someone is called and found by, which addresses they have after a change, and what a change
// comes to. Screens lean on them too.
import { type Refusal, changedSince, invalid } from '../../../kernel/refusal.ts';
import { plain, searchVector } from '../../../kernel/words.ts';
import { ADDRESS_SAYS, parseAddress } from '../../../mail/address.rules.ts';
import type { Person } from './contract.ts';

export const personName = (id: string): string => `crm:person/${id}`;

/** A name made of its parts. */
export const composedName = (given: string | null, family: string | null): string =>
  [given, family].filter(Boolean).join(' ');

/**
 * What lists sort by: short enough that it and its cursor always fit, whatever a name is made of. Someone without a name is
 * sorted by their first address.
 */
export const nameKey = (name: string, address?: string): string =>
  plain(name || (address ?? ''))
    .replace(/\p{C}/gu, ' ')
    .trim()
    .slice(0, 64)
    .toWellFormed();

/** Where a word exists: searches of one field ask for its letter. */
export const FIELD_WEIGHT = { name: 'A', title: 'B', company: 'C', address: 'D' } as const;

/** What a person is found by, as a tsvector whose words say in which field they exist. */
export function personVector(of: {
  name: string;
  title: string | null;
  company: string | null;
  addresses: readonly string[];
}): string {
  const { name, title, company, addresses } = of;
  return [
    weighted(FIELD_WEIGHT.name, name),
    weighted(FIELD_WEIGHT.title, title ?? ''),
    companyVector(company),
    weighted(FIELD_WEIGHT.address, ...addresses),
  ]
    .filter(Boolean)
    .join(' ');
}

/** The company's part of it. */
export const companyVector = (company: string | null): string =>
  weighted(FIELD_WEIGHT.company, company ?? '');

const weighted = (letter: string, ...texts: string[]): string =>
  searchVector(...texts).replace(/'([^']+)'/g, `'$1':1${letter}`);

export type GivenAddress = {
  value: string;
  kind?: Person['addresses'][number]['kind'] | undefined;
  primary?: boolean | undefined;
};

/** An address as it is to be kept; `position` is its place in the list. */
export type WishedAddress = {
  value: string;
  normalised: string;
  domain: string;
  kind: Person['addresses'][number]['kind'];
  is_primary: boolean;
  position: number;
};

type Had = { normalised: string; kind: WishedAddress['kind']; is_primary: boolean };

/** The addresses that were given, parsed, with exactly one of them primary; or what is wrong with each. */
export function wishedAddresses(
  given: readonly GivenAddress[],
  had: readonly Had[] = [],
): { wished: WishedAddress[]; faults: Record<string, string> } {
  const faults: Record<string, string> = {};
  const before = new Map(had.map((each) => [each.normalised, each]));
  const wished: WishedAddress[] = [];
  for (const [position, each] of given.entries()) {
    const name = `addresses.${position}.value`;
    const parsed = parseAddress(each.value);
    if (!parsed.ok) {
      const says = ADDRESS_SAYS[parsed.why];
      faults[name] = `${name}: ${says.charAt(0).toLowerCase()}${says.slice(1).replace(/\.$/, '')}`;
      continue;
    }
    const { normalised, domain, shown } = parsed.address;
    if (wished.some((other) => other.normalised === normalised)) faults[name] = `${name}: it is listed twice`;
    const kind = each.kind ?? before.get(normalised)?.kind ?? 'work';
    wished.push({ value: shown, normalised, domain, kind, is_primary: each.primary ?? false, position });
  }
  const primaries = wished.filter((each) => each.is_primary).length;
  if (primaries > 1) faults['addresses'] = 'addresses: only one of them is the primary one';
  if (primaries === 0) {
    const notThis = (each: WishedAddress): boolean => given[each.position]?.primary === false;
    const stays = wished.find((each) => before.get(each.normalised)?.is_primary && !notThis(each));
    const first = stays ?? wished.find((each) => !notThis(each)) ?? wished[0];
    if (first) first.is_primary = true;
  }
  return { wished, faults };
}

export type Names = Pick<Person, 'name' | 'given' | 'family'>;

/** What they are called after a change: a name that was made of its parts follows them. */
export function nameAfter(
  before: Names,
  given: {
    name?: string | null | undefined;
    given?: string | null | undefined;
    family?: string | null | undefined;
  },
): string {
  if (typeof given.name === 'string') return given.name;
  const parts = [
    given.given === undefined ? before.given : given.given,
    given.family === undefined ? before.family : given.family,
  ] as const;
  const follows = before.name === '' || before.name === composedName(before.given, before.family);
  return given.name === null || follows ? composedName(...parts) : before.name;
}

export function refusedAsNobody(name: string, addresses: readonly unknown[]): Refusal | null {
  const says = 'name: a person needs a name or an address';
  return name === '' && addresses.length === 0 ? invalid(says, { name: says }) : null;
}

/** What of a person may be as long as people like, so that one still fits into an answer. */
const LONGEST_CHARS = 30_000;

export function refusedAsTooLarge(fields: Pick<Person, 'custom' | 'links' | 'tags'>): Refusal | null {
  const chars = JSON.stringify([fields.custom, fields.links, fields.tags]).length;
  const says = `custom: with links and tags, it has ${chars} characters and the limit is ${LONGEST_CHARS}`;
  return chars > LONGEST_CHARS ? invalid(says, { custom: says }) : null;
}

/** `who` begins the sentence: a merge reads two people. */
export function refusedAsStale(now: { revision: number }, read: number, who = 'this person'): Refusal | null {
  return now.revision === read ? null : changedSince(who, now.revision);
}

export const KEPT = [
  'name',
  'given',
  'family',
  'title',
  'company_id',
  'phone',
  'links',
  'timezone',
  'language',
  'country',
  'source',
  'basis',
  'basis_note',
  'tags',
  'custom',
  'owner',
  'do_not_merge',
] as const;

/** The fields of a row of people that people change, its owner as a user's id. */
export type Fields = Pick<Person, Exclude<(typeof KEPT)[number], 'owner'>> & { owner: string | null };

export type FieldChange = { field: string; from: unknown; to: unknown };

const ASKED_FOR = [
  'name',
  'given',
  'family',
  'title',
  'phone',
  'country',
  'language',
  'timezone',
  'source',
  'tags',
] as const;

/** What letters call someone's first address. */
export const EDITED_ADDRESS = 'person.email';

/** Every value of a company: letters ask for them as `company.name` and the like. */
export const EDITED_COMPANY = 'company';

/**
 * What letters may ask for, under the names that they ask by, and that differs; another company is other values, all of them.
 * The first address is beside these fields.
 */
export function editedValues(before: Fields, to: Fields): string[] {
  const differs = (a: unknown, b: unknown) => canonical(a ?? null) !== canonical(b ?? null);
  const own = ASKED_FOR.filter((field) => differs(before[field], to[field])).map(
    (field) => `person.${field}`,
  );
  const keys = [...new Set([...Object.keys(before.custom), ...Object.keys(to.custom)])];
  const custom = keys.filter((key) => differs(before.custom[key], to.custom[key]));
  const company = before.company_id === to.company_id ? [] : [EDITED_COMPANY];
  return [...own, ...custom.map((key) => `custom.${key}`), ...company];
}

/** What really differs; the order of an object's keys says nothing. */
export function changesOf(before: Fields, to: Fields): FieldChange[] {
  return KEPT.filter((field) => canonical(before[field]) !== canonical(to[field])).map((field) => ({
    field,
    from: clipped(before[field]),
    to: clipped(to[field]),
  }));
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** History says what changed, not every character of it. */
const SHOWN_CHARS = 400;
function clipped(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length <= SHOWN_CHARS) return value;
  return `${(typeof value === 'string' ? value : text).slice(0, SHOWN_CHARS).toWellFormed()}…`;
}

/** The address that letters go to. */
export const firstOf = (all: readonly WishedAddress[]): string | null =>
  all.find(({ is_primary }) => is_primary)?.normalised ?? null;
