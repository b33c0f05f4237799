// The columns of the activity as a CSV file: one line per act, and one per group of reads.
import { bindCsv } from '../../../kernel/csv.ts';
import { activityExport, activityList } from './contract.ts';

export const exportActivity = bindCsv(activityExport, activityList, 'activity', {
  id: (a) => a.id,
  at: (a) => a.at,
  until: (a) => a.until,
  kind: (a) => a.kind,
  count: (a) => a.count,
  who: (a) => a.principal.name,
  who_kind: (a) => a.principal.kind,
  on_behalf_of: (a) => a.on_behalf_of?.name ?? null,
  token: (a) => a.token?.name ?? null,
  source: (a) => a.surface,
  turn: (a) => a.turn,
  act: (a) => a.act,
  about: (a) => a.resource,
  called: (a) => a.record?.title ?? null,
  outcome: (a) => a.outcome,
  code: (a) => a.code,
  sentence: (a) => a.sentence,
  request_id: (a) => a.request_id,
});
