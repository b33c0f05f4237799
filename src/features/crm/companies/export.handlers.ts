// The columns of companies as a CSV file.
import { bindCsv } from '../../../kernel/csv.ts';
import { companyExport, companyList } from './contract.ts';

export const exportCompanies = bindCsv(companyExport, companyList, 'companies', {
  id: (c) => c.id,
  name: (c) => c.name,
  domain: (c) => c.domain,
  people: (c) => c.people,
  size: (c) => c.size,
  country: (c) => c.country,
  timezone: (c) => c.timezone,
  created_at: (c) => c.created_at,
  updated_at: (c) => c.updated_at,
});
