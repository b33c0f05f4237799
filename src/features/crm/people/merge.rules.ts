// Merges two records of one person, pure: the one that stays keeps its values and takes missing ones from the other.
// Suppressions belong to addresses, so merging doesn’t touch them.
import { conflict, invalid, type Refusal } from '../../../kernel/refusal.ts';
import type { Person } from './contract.ts';
import { EDITED_ADDRESS, editedValues, type Fields } from './rules.ts';

export function refusedToMerge(
  into: Pick<Person, 'id' | 'do_not_merge'>,
  from: Pick<Person, 'id' | 'do_not_merge'>,
): Refusal | null {
  if (into.do_not_merge || from.do_not_merge)
    return conflict('one of these people is marked do_not_merge: clear that mark first', {
      person_id: into.do_not_merge ? into.id : from.id,
    });
  return null;
}

export function refusedAsSame(into: string, from: string): Refusal | null {
  const says = 'from: this is the same person: give another one';
  return into.toLowerCase() === from.toLowerCase() ? invalid(says, { from: says }) : null;
}

const FILLED = [
  'given',
  'family',
  'title',
  'company_id',
  'phone',
  'timezone',
  'language',
  'country',
  'source',
  'owner',
] as const;

/** What can be taken from the other record although the one that stays says something else; custom fields by their key. */
const TAKEN = ['name', 'basis', ...FILLED] as const;
export const TAKES = new RegExp(`^(${TAKEN.join('|')}|custom\\.[a-z][a-z0-9_]{0,39})$`);

/** The fields of the record that stays, and which of them came from the other: what it does not say, and what is `taken`. */
export function mergedFields(
  into: Fields,
  from: Fields,
  taken: readonly string[],
): { fields: Fields; filled: string[] } {
  const fields: Fields = { ...into };
  const filled: string[] = [];
  const take = <K extends keyof Fields>(field: K): void => {
    fields[field] = from[field];
    filled.push(field);
  };
  if (into.name === '' && from.name !== '') take('name');
  // Parts of a name belong together: those of one person do not complete another's.
  const nameless = into.given === null && into.family === null && fields.name === from.name;
  for (const field of FILLED) {
    if ((field === 'given' || field === 'family') && !nameless) continue;
    if (into[field] === null && from[field] !== null) take(field);
  }
  if (into.basis === 'none' && from.basis !== 'none') {
    take('basis');
    if (from.basis_note !== null) take('basis_note');
  } else if (into.basis_note === null && from.basis_note !== null && from.basis === into.basis)
    take('basis_note');
  fields.tags = union(into.tags, from.tags);
  fields.links = union(into.links, from.links);
  fields.custom = { ...from.custom, ...into.custom };
  for (const field of TAKEN)
    if (taken.includes(field) && fields[field] !== from[field]) {
      take(field);
      if (field === 'basis') take('basis_note');
      if (field === 'name') for (const part of ['given', 'family'] as const) take(part);
    }
  for (const [key, value] of Object.entries(from.custom))
    if (taken.includes(`custom.${key}`)) fields.custom[key] = value;
  for (const field of ['tags', 'links', 'custom'] as const)
    if (JSON.stringify(fields[field]) !== JSON.stringify(into[field])) filled.push(field);
  return { fields, filled };
}

/**
 * What letters may ask for and one of the two did not say so: a place in a campaign goes with its person, and its letters say
 * from now on what the record says that stays.
 */
export function editedByMerge(into: Merging, from: Merging, fields: Fields): string[] {
  const [first] = into.addresses;
  const address = [into, from].some(
    ({ addresses }) => addresses[0]?.value !== (first ?? from.addresses[0])?.value,
  );
  return [
    ...union(editedValues(fieldsOf(into), fields), editedValues(fieldsOf(from), fields)),
    ...(address ? [EDITED_ADDRESS] : []),
  ];
}

type Merging = Omit<Fields, 'owner'> & Pick<Person, 'addresses'>;

/** Letters say no owner. */
const fieldsOf = (person: Merging): Fields => ({ ...person, owner: null });

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];
