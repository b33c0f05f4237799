// The columns of work items as a CSV file.
import { bindCsv } from '../../../kernel/csv.ts';
import { itemExport, itemList } from './items.contract.ts';

export const exportItems = bindCsv(itemExport, itemList, 'work items', {
  id: (i) => i.id,
  key: (i) => i.key,
  title: (i) => i.title,
  status: (i) => i.status,
  priority: (i) => i.priority,
  labels: (i) => i.labels.join('; '),
  assignee: (i) => i.assignee?.name ?? null,
  claimed_by: (i) => i.claim?.holder.name ?? null,
  due_on: (i) => i.due_on,
  needs_review: (i) => i.needs_review,
  updated_at: (i) => i.updated_at,
});
