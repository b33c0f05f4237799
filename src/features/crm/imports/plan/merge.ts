// What a row changes of someone who is there already, and what of it a rollback undoes. Pure, so that the plan and the
// write come to the same.
import { ADDRESSES_MAX } from '../../people/contract.ts';
import type { ON_DUPLICATE } from '../contract.ts';
import type { ImportDraft, DraftAddress } from '../file/draft.ts';
import type { StandingPerson } from '../../people/many/bulk.store.ts';

export type Mode = (typeof ON_DUPLICATE)[number];

/** {field: [before, after]}; of a list what was taken off it and what was added, `null` for none. */
export type Changes = Record<string, [before: unknown, after: unknown]>;

const PLAIN = [
  'given',
  'family',
  'title',
  'phone',
  'timezone',
  'language',
  'country',
  'source',
  'basis',
  'basis_note',
] as const;
const TAGS_MAX = 50;
const LINKS_MAX = 20;

const isEmpty = (field: string, value: unknown): boolean =>
  value === null || value === '' || value === undefined || (field === 'basis' && value === 'none');

/** `company` is the draft's, found or made; undefined where it would have to be made. */
export function mergeInto(
  person: StandingPerson,
  draft: ImportDraft,
  mode: Exclude<Mode, 'skip'>,
  company: { id: string; name: string } | null | undefined,
): { person: StandingPerson; changes: Changes; added: DraftAddress[] } {
  const merged = { ...person, custom: { ...person.custom } };
  const changes: Changes = {};
  const takes = (field: string, before: unknown, after: unknown): boolean =>
    !isEmpty(field, after) &&
    JSON.stringify(before) !== JSON.stringify(after) &&
    (mode === 'update' || isEmpty(field, before));
  const change = (field: string, before: unknown, after: unknown): void => {
    changes[field] = [before ?? null, after];
  };

  for (const field of PLAIN)
    if (takes(field, person[field], draft[field])) {
      change(field, person[field], draft[field]);
      Object.assign(merged, { [field]: draft[field] });
    }
  if (takes('name', person.name, draft.name)) {
    change('name', person.name, draft.name);
    merged.name = draft.name ?? person.name;
  }
  if (
    company !== null &&
    (person.company_id === null || (mode === 'update' && person.company_id !== company?.id))
  ) {
    change('company_id', person.company_id, company?.id ?? null);
    merged.company_id = company?.id ?? null;
    merged.company = company?.name ?? null;
  }
  for (const [key, value] of Object.entries(draft.custom))
    if (takes(key, person.custom[key], value)) {
      change(`custom.${key}`, person.custom[key], value);
      merged.custom[key] = value;
    }
  const tags = draft.tags
    .filter((tag) => !person.tags.includes(tag))
    .slice(0, Math.max(TAGS_MAX - person.tags.length, 0));
  if (tags.length > 0) {
    change('tags', null, tags);
    merged.tags = [...person.tags, ...tags];
  }
  const links = draft.links
    .filter((link) => !person.links.includes(link))
    .slice(0, Math.max(LINKS_MAX - person.links.length, 0));
  if (links.length > 0) {
    change('links', null, links);
    merged.links = [...person.links, ...links];
  }
  const had = new Set(person.addresses.map(({ normalised }) => normalised));
  const added = draft.addresses
    .filter(({ normalised }) => !had.has(normalised))
    .slice(0, Math.max(ADDRESSES_MAX - had.size, 0));
  if (added.length > 0) {
    change(
      'addresses',
      null,
      added.map(({ normalised }) => normalised),
    );
    merged.addresses = [
      ...person.addresses,
      ...added.map(({ normalised, value }) => ({ normalised, value, is_primary: false, verified: false })),
    ];
  }
  return { person: merged, changes, added };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Every field that still is what the import made it goes back; the names of the others come out, and their changes as `left`. `companies`: names by id. */
export function takeBack(
  person: StandingPerson,
  changes: Changes,
  companies: ReadonlyMap<string, string>,
): { person: StandingPerson; gone: string[]; kept: string[]; left: Changes; restored: number } {
  const back = { ...person, custom: { ...person.custom } };
  const kept: string[] = [];
  const left: Changes = {};
  const keep = (field: string, called = field): void => {
    kept.push(called);
    const change = changes[field];
    if (change) left[field] = change;
  };
  let gone: string[] = [];
  let restored = 0;
  for (const [field, [before, after]] of Object.entries(changes)) {
    if (field === 'tags' || field === 'links') {
      const [removed, added] = [before, after] as [string[] | null, string[] | null];
      const left = person[field].filter((each) => !added?.includes(each));
      back[field] = [...new Set([...left, ...(removed ?? [])])];
      restored += 1;
    } else if (field === 'addresses') {
      const added = after as string[];
      const free = person.addresses.filter(
        ({ normalised, is_primary }) => added.includes(normalised) && !is_primary,
      );
      gone = free.map(({ normalised }) => normalised);
      back.addresses = person.addresses.filter((each) => !free.includes(each));
      restored += 1;
      if (person.addresses.some(({ normalised, is_primary }) => added.includes(normalised) && is_primary))
        keep('addresses');
    } else if (field.startsWith('custom.')) {
      const key = field.slice('custom.'.length);
      if (!same(person.custom[key], after)) keep(field);
      else {
        restored += 1;
        if (before === null) delete back.custom[key];
        else back.custom[key] = before;
      }
    } else if (field === 'company_id') {
      const before_id = before as string | null;
      // A company that is gone since cannot be gone back to.
      if (person.company_id !== after || (before_id !== null && !companies.has(before_id)))
        keep(field, 'company');
      else {
        restored += 1;
        back.company_id = before_id;
        back.company = before_id === null ? null : (companies.get(before_id) ?? null);
      }
    } else if (!same(person[field as keyof StandingPerson], after)) keep(field);
    else {
      restored += 1;
      Object.assign(back, { [field]: before });
    }
  }
  return { person: back, gone, kept, left, restored };
}
