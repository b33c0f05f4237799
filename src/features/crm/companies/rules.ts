// Rules of companies, pure: which of their values letters can use, and which of those an edit changed.
import type { Company } from './contract.ts';

export type CompanyFields = Pick<Company, 'name' | 'domain' | 'timezone' | 'country' | 'size' | 'custom'>;

const ASKED_FOR = ['name', 'domain', 'country', 'size', 'timezone'] as const;

/** What letters may ask for, under the names that they ask by, and that differs. */
export function editedOfCompany(before: CompanyFields, to: CompanyFields): string[] {
  const own = ASKED_FOR.filter((field) => before[field] !== to[field]);
  const keys = [...new Set([...Object.keys(before.custom), ...Object.keys(to.custom)])];
  const text = (value: unknown): string => JSON.stringify(value ?? null);
  const custom = keys.filter((key) => text(before.custom[key]) !== text(to.custom[key]));
  return [...own.map((field) => `company.${field}`), ...custom.map((key) => `company.custom.${key}`)];
}
