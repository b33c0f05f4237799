// What a change of a deal says: its fields by name, and values as people write them.
import { moneyText } from './money.rules.ts';

export const FIELDS: Record<string, string> = {
  name: 'Name',
  person_id: 'Person',
  company_id: 'Company',
  campaign_id: 'Campaign',
  stage: 'Stage',
  amount: 'Amount',
  currency: 'Currency',
  probability: 'Probability',
  expected_on: 'Expected close',
  owner: 'Owner',
  custom: 'Fields',
};

type Context = { currency?: unknown };

/** Ids are shown as "someone" and the like by the caller, who may know the name; everything else is here. */
export function valueText(field: string, value: unknown, { currency }: Context): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (field === 'amount' && typeof value === 'number')
    return typeof currency === 'string' ? moneyText(value, currency) : String(value);
  if (field === 'probability') return `${String(value as number)}%`;
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, one]) => `${key}: ${String(one)}`)
      .join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value as string | number);
}
