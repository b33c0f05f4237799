// The columns of suppressions as a CSV file, for other systems that send mail.
import { bindCsv } from '../../../kernel/csv.ts';
import { suppressionExport, suppressionList } from './contract.ts';

export const exportSuppressions = bindCsv(suppressionExport, suppressionList, 'suppressions', {
  id: (s) => s.id,
  kind: (s) => s.kind,
  value: (s) => s.value,
  reason: (s) => s.reason,
  source: (s) => s.source,
  state: (s) => s.state,
  note: (s) => s.note,
  added_by: (s) => s.created_by.name,
  created_at: (s) => s.created_at,
  expires_at: (s) => s.expires_at,
  lifted_by: (s) => s.lifted_by?.name ?? null,
  lifted_at: (s) => s.lifted_at,
});
