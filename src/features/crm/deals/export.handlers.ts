// The columns of deals as a CSV file. Amounts are in minor units.
import { bindCsv } from '../../../kernel/csv.ts';
import { dealExport, dealList } from './contract.ts';

export const exportDeals = bindCsv(dealExport, dealList, 'deals', {
  id: (d) => d.id,
  name: (d) => d.name,
  person: (d) => d.person_name,
  company: (d) => d.company_name,
  state: (d) => d.state,
  stage: (d) => d.stage,
  amount_minor: (d) => d.amount,
  currency: (d) => d.currency,
  probability: (d) => d.probability,
  expected_on: (d) => d.expected_on,
  owner: (d) => d.owner_name,
  lost_reason: (d) => d.lost_reason,
  opened_by: (d) => d.opened_by,
  created_at: (d) => d.created_at,
  updated_at: (d) => d.updated_at,
  closed_at: (d) => d.closed_at,
});
