// People in words: bases, verdicts, and what fields are called.
import { ApiError } from '../../../../ui/client/call.ts';
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { BASES, ListedPerson, VERDICTS } from '../contract.ts';

export type Basis = (typeof BASES)[number];
export type Verdict = (typeof VERDICTS)[number];

export const BASIS: Record<Basis, string> = {
  legitimate_interest: 'Legitimate interest',
  consent: 'Consent',
  customer: 'Customer',
  none: 'None recorded',
};

export const VERDICT: Record<Verdict, { title: string; tone: Tone }> = {
  DELIVERABLE: { title: 'Deliverable', tone: 'good' },
  RISKY: { title: 'Risky', tone: 'warn' },
  UNDELIVERABLE: { title: 'Undeliverable', tone: 'bad' },
  UNKNOWN: { title: 'Unknown', tone: 'mute' },
};

export const FIELD: Record<string, string> = {
  name: 'Name',
  given: 'Given name',
  family: 'Family name',
  title: 'Title',
  company_id: 'Company',
  company: 'Company',
  addresses: 'Addresses',
  phone: 'Phone',
  links: 'Links',
  timezone: 'Time zone',
  language: 'Language',
  country: 'Country',
  source: 'Source',
  basis: 'Basis',
  basis_note: 'Note on legal basis',
  tags: 'Tags',
  owner: 'Owner',
  do_not_merge: 'Do not merge',
  custom: 'Custom fields',
};

/** What someone is called where they have no name. */
export const called = (person: Pick<ListedPerson, 'name' | 'addresses'>): string =>
  person.name || person.addresses[0]?.value || 'No name';

/** A value of a record as a line of text. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(shownValue).join(', ');
  if (typeof value === 'object') {
    if ('name' in value) return String(value.name);
    if ('value' in value) return String(value.value);
    const pairs = Object.entries(value);
    return pairs.length === 0 ? 'None' : pairs.map(([key, one]) => `${key}: ${shownValue(one)}`).join(', ');
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** `addresses.1.value: it belongs to another person`, as it is said beside the one input there is. */
export function besideInput(error: ApiError): ApiError {
  const fields = Object.entries(error.fields).map(([path, says]) => {
    const bare = says.startsWith(`${path}: `) ? says.slice(path.length + 2) : says;
    return [path, `${bare.charAt(0).toUpperCase()}${bare.slice(1)}.`.replace(/\.\.$/, '.')] as const;
  });
  return new ApiError(error.status, error.code, error.sentence, { fields: Object.fromEntries(fields) });
}
