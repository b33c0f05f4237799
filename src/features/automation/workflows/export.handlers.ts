// Columns of the file of runs. Trigger data and step output stay in the product.
import { bindCsv } from '../../../kernel/csv.ts';
import { runExport, runList } from './runs.contract.ts';

export const exportRuns = bindCsv(runExport, runList, 'runs', {
  id: (r) => r.id,
  workflow: (r) => r.workflow_name,
  version: (r) => r.version,
  state: (r) => r.state,
  at_step: (r) => r.at_step,
  held_by: (r) => r.held,
  started_by: (r) => r.started_by?.name ?? null,
  error: (r) => r.error,
  created_at: (r) => r.created_at,
  started_at: (r) => r.started_at,
  finished_at: (r) => r.finished_at,
});
