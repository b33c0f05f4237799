// From a row of cells to the person that it describes, or to the reason why it describes none. Pure: what is in the
// database is no matter here. A cell is text, whatever it looks like: nothing is ever calculated.
import { newId } from '../../../../kernel/ids.ts';
import { addressHash } from '../../../../mail/address.ts';
import { parseAddress, ADDRESS_SAYS, normaliseDomain, type Address } from '../../../../mail/address.rules.ts';
import type { CustomField } from '../../fields/contract.ts';
import type { CompanyWish } from '../../people/many/wished-companies.store.ts';
import { valueOf } from '../../fields/rules.ts';
import { ADDRESSES_MAX, BASES, country, tag, timezone } from '../../people/contract.ts';
import { composedName, nameKey, personVector } from '../../people/rules.ts';
import { phoneOf } from '../../people/phone.ts';
import {
  cleanCell,
  addressPartsOf,
  PARTS_MAX,
  partsOf,
  customValueOf,
  countryCode,
  languageTag,
  saysYes,
  splitName,
} from './cell.rules.ts';
import type { Column } from './mapping.rules.ts';

export type Why = { column: string | null; reason: string };

export type DraftAddress = Pick<Address, 'normalised' | 'domain'> & {
  id: string;
  value: string;
  hash: string;
  kind: 'work' | 'personal' | 'other';
};

/** What a row says of a person. A field that it does not speak of is null, or empty. */
export type ImportDraft = {
  /** Of the file: the headings are row 1. */
  row: number;
  /** The person's, should they be created. */
  id: string;
  addresses: DraftAddress[];
  name: string | null;
  /** How they are found once they are written. */
  name_key: string | null;
  search: string | null;
  given: string | null;
  family: string | null;
  title: string | null;
  company: CompanyWish | null;
  phone: string | null;
  links: string[];
  timezone: string | null;
  language: string | null;
  country: string | null;
  source: string | null;
  basis: (typeof BASES)[number] | null;
  basis_note: string | null;
  tags: string[];
  custom: Record<string, unknown>;
  unsubscribed: boolean;
  /** Cells that were left out although their row exists. */
  notes: Why[];
  /** No one can be made of it. */
  rejected: Why | null;
  /** An earlier row has one of these addresses. */
  same_as: number | null;
};

/** What the caller says of every row. */
export type ForAll = { source: string | null; basis: ImportDraft['basis']; tags: string[] };

const MAX = {
  name: 200,
  given: 120,
  family: 120,
  title: 200,
  company: 200,
  phone: 60,
  source: 120,
  basis_note: 1_000,
};
const LINKS_MAX = 20;
const TAGS_MAX = 50;

/** Makes drafts row by row; it remembers whose addresses it has seen. */
export function openDrafting(columns: readonly Column[], fields: readonly CustomField[], all: ForAll) {
  const used = columns.filter(({ field }) => field !== null);
  const seen = new Map<string, number>();
  const search = openSearch();
  return (cells: readonly string[], row: number): ImportDraft => {
    const draft = blank(row, all);
    for (const column of used) {
      const value = cleanCell(cells[column.index] ?? '');
      if (value !== '') put(draft, column, value, fields);
    }
    finish(draft);
    for (const { normalised } of draft.addresses) {
      draft.same_as ??= seen.get(normalised) ?? null;
      if (!seen.has(normalised)) seen.set(normalised, row);
    }
    if (draft.rejected === null && draft.same_as === null) {
      draft.name_key = nameKey(draft.name ?? '', draft.addresses[0]?.normalised);
      draft.search = search(draft);
    }
    return draft;
  };
}

/** Most lists say the same few titles again and again: their words are made once. */
const TITLES_KEPT = 2_000;

function openSearch(): (draft: ImportDraft) => string {
  const titles = new Map<string, string>();
  const nothing = { name: '', title: null, company: null, addresses: [] };
  const ofTitle = (title: string): string => {
    const words = titles.get(title) ?? personVector({ ...nothing, title });
    if (titles.size < TITLES_KEPT) titles.set(title, words);
    return words;
  };
  return ({ name, title, addresses }) => {
    const own = personVector({
      ...nothing,
      name: name ?? '',
      addresses: addresses.flatMap(({ value, normalised }) =>
        value === normalised ? normalised : [value, normalised],
      ),
    });
    return title === null ? own : `${own} ${ofTitle(title)}`;
  };
}

const blank = (row: number, all: ForAll): ImportDraft => ({
  row,
  id: newId(),
  addresses: [],
  name: null,
  name_key: null,
  search: null,
  given: null,
  family: null,
  title: null,
  company: null,
  phone: null,
  links: [],
  timezone: null,
  language: null,
  country: null,
  source: all.source,
  basis: all.basis,
  basis_note: null,
  tags: [...all.tags],
  custom: {},
  unsubscribed: false,
  notes: [],
  rejected: null,
  same_as: null,
});

function put(
  draft: ImportDraft,
  { name: column, field }: Column,
  value: string,
  fields: readonly CustomField[],
): void {
  const leave = (reason: string): void => void draft.notes.push({ column, reason });
  switch (field) {
    case null:
      return;
    case 'email':
    case 'email_personal':
    case 'email_other':
      return putAddresses(draft, column, field, value);
    case 'company':
      draft.company = {
        name: value.slice(0, MAX.company),
        name_key: '',
        domain: draft.company?.domain ?? null,
      };
      return;
    case 'company_domain': {
      const domain = normaliseDomain(
        value
          .replace(/^\w+:\/\//, '')
          .replace(/[/?#:].*$/s, '')
          .replace(/^www\./i, ''),
      );
      if (!domain.ok) return leave('it isn’t a company domain');
      draft.company = { name: draft.company?.name ?? '', name_key: '', domain: domain.domain };
      return;
    }
    case 'phone':
      if (draft.phone !== null) return;
      return value.length > MAX.phone ? leave(tooLong(MAX.phone)) : void (draft.phone = value);
    case 'link':
      return putLinks(draft, value, leave);
    case 'timezone':
      return timezone.safeParse(value).success
        ? void (draft.timezone = value)
        : leave('it isn’t a time zone such as Europe/Berlin');
    case 'language':
      draft.language = languageTag(value);
      return draft.language === null ? leave('it isn’t a language such as de or pt-BR') : undefined;
    case 'country': {
      const code = countryCode(value);
      if (code === null || !country.safeParse(code).success)
        return leave('it isn’t a country such as DE or Germany');
      draft.country = code;
      return;
    }
    case 'basis': {
      const basis = BASES.find((each) => each === value.toLowerCase().replace(/[\s-]+/g, '_'));
      return basis ? void (draft.basis = basis) : leave(`a basis is one of ${BASES.join(', ')}`);
    }
    case 'tags':
      return putTags(draft, value, leave);
    case 'unsubscribed':
      draft.unsubscribed ||= saysYes(value);
      return;
    case 'name':
    case 'given':
    case 'family':
    case 'title':
    case 'source':
    case 'basis_note':
      return value.length > MAX[field] ? leave(tooLong(MAX[field])) : void (draft[field] = value);
    default: {
      const custom = fields.find(({ key }) => field === `custom.${key}`);
      if (!custom) return;
      const read = customValueOf(custom, value);
      if (!valueOf(custom).safeParse(read).success)
        return leave(`it does not fit ${custom.title}, a ${custom.kind}`);
      draft.custom[custom.key] = read;
    }
  }
}

const tooLong = (max: number): string => `it has more than ${max} characters`;

const KIND = { email: 'work', email_personal: 'personal', email_other: 'other' } as const;

/** `Ann <ann@a.example>; ann@b.example`: several in one cell, with the names that mail programs put before them. */
function putAddresses(draft: ImportDraft, column: string, field: keyof typeof KIND, cell: string): void {
  for (const part of parseAddress(cell).ok ? [cell] : addressPartsOf(cell)) {
    const bare = /<([^<>]+)>\s*$/.exec(part)?.[1] ?? part.replace(/^\s*mailto:/i, '');
    if (bare.trim() === '') continue;
    const parsed = parseAddress(bare);
    if (!parsed.ok) {
      if (bare.includes('@') || !cell.includes('@'))
        draft.notes.push({ column, reason: ADDRESS_SAYS[parsed.why] });
      continue;
    }
    const { shown, normalised, domain } = parsed.address;
    if (draft.addresses.some((each) => each.normalised === normalised)) continue;
    if (draft.addresses.length === ADDRESSES_MAX) return;
    draft.addresses.push({
      id: newId(),
      value: shown,
      normalised,
      domain,
      hash: addressHash(normalised),
      kind: KIND[field],
    });
  }
}

function putLinks(draft: ImportDraft, value: string, leave: (reason: string) => void): void {
  for (const part of value.split(/[\s,;]+/, PARTS_MAX).filter(Boolean)) {
    const link = /^https?:\/\//i.test(part) ? part : `https://${part}`;
    const url = URL.parse(link);
    if (!url || !url.hostname.includes('.') || link.length > 500)
      leave('it isn’t an http:// or https:// address');
    else if (draft.links.length < LINKS_MAX && !draft.links.includes(link)) draft.links.push(link);
  }
}

function putTags(draft: ImportDraft, value: string, leave: (reason: string) => void): void {
  const tags = partsOf(value).map((each) => each.replace(/^\*\s*/, '').trim());
  for (const each of tags.filter(Boolean)) {
    if (!tag.safeParse(each).success) leave('a tag has at most 60 characters');
    else if (draft.tags.length === TAGS_MAX) return leave(`a person can have at most ${TAGS_MAX} tags`);
    else if (!draft.tags.includes(each)) draft.tags.push(each);
  }
}

/** A name in one column is parted, one in two columns is joined; without an address there is no one. */
function finish(draft: ImportDraft): void {
  if (draft.name !== null && draft.given === null && draft.family === null)
    Object.assign(draft, splitName(draft.name, MAX.given));
  draft.name ??= composedName(draft.given, draft.family).slice(0, MAX.name) || null;
  if (draft.phone !== null) draft.phone = phoneOf(draft.phone, draft.country);
  if (draft.company?.name === '') draft.company.name = draft.company.domain ?? '';
  if (draft.company) draft.company.name_key = nameKey(draft.company.name);
  if (draft.addresses.length > 0) return;
  const bad = draft.notes.find(({ reason }) => Object.values(ADDRESS_SAYS).includes(reason));
  draft.rejected = bad ?? { column: null, reason: 'the row has no address, and people are known by theirs' };
  draft.notes = [];
}
