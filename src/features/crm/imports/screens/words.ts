// Imports in words: what a column can become, what becomes of a row, how far a batch is.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { CustomField } from '../../fields/contract.ts';
import type { Batch, BatchRow, ON_DUPLICATE, OUTCOMES } from '../contract.ts';
import type { Target } from '../file/headings.rules.ts';

export type Outcome = (typeof OUTCOMES)[number];
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

/** In the order in which they are offered, under their headings. */
const GOALS: Record<Target, [group: string, title: string]> = {
  email: ['Addresses', 'Address'],
  email_personal: ['Addresses', 'Personal address'],
  email_other: ['Addresses', 'Other address'],
  name: ['Person', 'Name'],
  given: ['Person', 'Given name'],
  family: ['Person', 'Family name'],
  title: ['Person', 'Title'],
  phone: ['Person', 'Phone'],
  link: ['Person', 'Link'],
  timezone: ['Person', 'Time zone'],
  language: ['Person', 'Language'],
  country: ['Person', 'Country'],
  tags: ['Person', 'Tags'],
  company: ['Company', 'Company'],
  company_domain: ['Company', 'Company’s domain'],
  source: ['Permission to contact', 'Source'],
  basis: ['Permission to contact', 'Basis'],
  basis_note: ['Permission to contact', 'Note on legal basis'],
  unsubscribed: ['Permission to contact', 'Asked not to be contacted'],
};

/** Several columns may feed these; of all others there is one column each. */
const SEVERAL = ['email', 'email_personal', 'email_other', 'phone', 'link', 'tags'];
export const takesSeveral = (goal: string): boolean => SEVERAL.includes(goal);

type Choices = { group: string; items: { value: string; label: string }[] }[];

export function choicesWith(custom: readonly CustomField[]): Choices {
  const all: [value: string, group: string, label: string][] = [
    ...Object.entries(GOALS).map(
      ([value, [group, title]]) => [value, group, title] as [string, string, string],
    ),
    ...custom.map(({ key, title }) => [`custom.${key}`, 'Custom fields', title] as [string, string, string]),
  ];
  return [...new Set(all.map(([, group]) => group))].map((group) => ({
    group,
    items: all.filter(([, its]) => its === group).map(([value, , label]) => ({ value, label })),
  }));
}

export const goalTitle = (goal: string, custom: readonly CustomField[]): string =>
  GOALS[goal as Target]?.[1] ?? custom.find(({ key }) => goal === `custom.${key}`)?.title ?? goal;

export const OUTCOME: Record<Outcome, { title: string; tone: Tone }> = {
  create: { title: 'Created', tone: 'good' },
  update: { title: 'Updated', tone: 'info' },
  skip: { title: 'Skipped', tone: 'mute' },
  reject: { title: 'Rejected', tone: 'bad' },
};

export const TAKEN_BACK: Record<NonNullable<BatchRow['rolled_back']>, { title: string; tone: Tone }> = {
  removed: { title: 'Removed', tone: 'mute' },
  restored: { title: 'Restored', tone: 'mute' },
  kept: { title: 'Kept', tone: 'warn' },
  gone: { title: 'Already deleted', tone: 'mute' },
};

export const STATE: Record<Batch['state'], { title: string; tone: Tone }> = {
  writing: { title: 'Writing', tone: 'info' },
  written: { title: 'Written', tone: 'good' },
  rolled_back: { title: 'Rolled back', tone: 'mute' },
  locked: { title: 'Locked', tone: 'warn' },
};

export const ON_DUPLICATE_SAYS: Record<OnDuplicate, { title: string; says: string; past: string }> = {
  skip: {
    title: 'Leave them unchanged',
    says: 'Their rows are skipped.',
    past: 'Existing people were left unchanged',
  },
  update_empty: {
    title: 'Fill empty fields',
    says: 'Existing values are kept.',
    past: 'Empty fields were filled in for existing people',
  },
  update: {
    title: 'Use the file’s values',
    says: 'Values in the file replace existing values.',
    past: 'Existing people were updated with the file’s values',
  },
};

export const count = (n: number): string => n.toLocaleString();
export const people = (n: number): string => (n === 1 ? '1 person' : `${count(n)} people`);
export const rows = (n: number): string => (n === 1 ? '1 row' : `${count(n)} rows`);

export const bytes = (size: number): string =>
  size < 1_024
    ? `${size} B`
    : size < 1_048_576
      ? `${Math.ceil(size / 1_024)} KiB`
      : `${Number((size / 1_048_576).toFixed(1))} MiB`;

/** A sentence of the product's as it is on its own: `the row has no address` begins large and ends with a point. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
