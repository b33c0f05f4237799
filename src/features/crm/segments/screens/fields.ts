// What a segment may ask of people, for its editor: fields, ops and the kind of value an op takes. The product decides what
// it accepts (filter.rules.ts of people); a test holds the two together.
import type { CustomField } from '../../fields/contract.ts';

export type ValueKind =
  | 'none'
  | 'words'
  | 'text'
  | 'texts'
  | 'truth'
  | 'number'
  | 'date'
  | 'choice'
  | 'choices'
  | 'company';
export type FieldAsked = {
  title: string;
  ops: Record<string, ValueKind>;
  choices?: { value: string; label: string }[];
};

const presence = { set: 'none', not_set: 'none' } as const;
const either = { is: 'texts', is_not: 'texts', ...presence } as const;
const some = { any: 'texts', all: 'texts', none: 'texts' } as const;
const choosing = (values: Record<string, string>) =>
  Object.entries(values).map(([value, label]) => ({ value, label }));

export const OP: Record<string, string> = {
  contains: 'contains',
  contains_not: 'does not contain',
  is: 'is',
  is_not: 'is not',
  any: 'has any of',
  all: 'has all of',
  none: 'has none of',
  set: 'is known',
  not_set: 'is not known',
  before: 'is before',
  after: 'is after',
  less: 'is less than',
  more: 'is more than',
};

const PEOPLE: Record<string, FieldAsked> = {
  name: { title: 'Name', ops: { contains: 'words', contains_not: 'words' } },
  title: { title: 'Title', ops: { contains: 'words', contains_not: 'words', ...presence } },
  company: {
    title: 'Company',
    ops: { contains: 'words', contains_not: 'words', is: 'company', is_not: 'company', ...presence },
  },
  email_domain: { title: 'Domain of an address', ops: { is: 'texts', is_not: 'texts' } },
  has_address: { title: 'Has an address', ops: { is: 'truth' } },
  tags: { title: 'Tags', ops: { ...some, ...presence } },
  country: { title: 'Country', ops: either },
  language: { title: 'Language', ops: either },
  source: { title: 'Source', ops: either },
  basis: {
    title: 'Basis',
    ops: { is: 'choices', is_not: 'choices' },
    choices: choosing({
      legitimate_interest: 'Legitimate interest',
      consent: 'Consent',
      customer: 'Customer',
      none: 'None recorded',
    }),
  },
  owner: { title: 'Owner', ops: { is: 'choices', is_not: 'choices', ...presence } },
  verdict: {
    title: 'Verification',
    ops: { is: 'choices', not_set: 'none' },
    choices: choosing({
      DELIVERABLE: 'Deliverable',
      RISKY: 'Risky',
      UNDELIVERABLE: 'Undeliverable',
      UNKNOWN: 'Unknown',
    }),
  },
  suppressed: { title: 'Suppressed', ops: { is: 'truth' } },
  created: { title: 'Added', ops: { before: 'date', after: 'date' } },
  updated: { title: 'Changed', ops: { before: 'date', after: 'date' } },
};

const OF_KIND: Record<CustomField['kind'], Record<string, ValueKind>> = {
  text: either,
  url: either,
  select: { is: 'choices', is_not: 'choices', ...presence },
  number: { is: 'number', is_not: 'number', less: 'number', more: 'number', ...presence },
  date: { is: 'date', is_not: 'date', before: 'date', after: 'date', ...presence },
  bool: { is: 'truth', ...presence },
  multiselect: { any: 'choices', all: 'choices', none: 'choices', ...presence },
};

/** Every field by key: those of people, then the instance's own. */
export function fieldsAsked(
  custom: readonly CustomField[],
  users: { value: string; label: string }[],
): Record<string, FieldAsked> {
  const own = custom.map((field): [string, FieldAsked] => [
    `custom.${field.key}`,
    {
      title: field.title,
      ops: OF_KIND[field.kind],
      choices: (field.options ?? []).map((value) => ({ value, label: value })),
    },
  ]);
  const owner: FieldAsked = { title: 'Owner', ops: PEOPLE['owner']?.ops ?? {}, choices: users };
  return { ...PEOPLE, owner, ...Object.fromEntries(own) };
}

/** What an op begins with, so that nothing of another kind is left standing in it. */
export const emptyValue = (kind: ValueKind): unknown =>
  kind === 'none'
    ? undefined
    : kind === 'truth'
      ? true
      : kind === 'texts' || kind === 'choices' || kind === 'company'
        ? []
        : '';
