// How a suppression is in its row, and how it is answered.
import { knownPrincipalIn, type PrincipalColumns, principalIn } from '../../../kernel/principal-row.ts';
import type { Suppression } from './contract.ts';

export type SuppressionRow = Omit<
  Suppression,
  'state' | 'created_by' | 'created_at' | 'expires_at' | 'lifted_by' | 'lifted_at'
> & { created_at: Date; expires_at: Date | null; lifted_at: Date | null } & PrincipalColumns<'created_by'> &
  PrincipalColumns<'lifted_by'>;

export const toSuppression = (row: SuppressionRow, now: Date): Suppression => ({
  id: row.id,
  kind: row.kind,
  value: row.value,
  value_hash: row.value_hash,
  reason: row.reason,
  source: row.source,
  source_ref: row.source_ref,
  campaign_id: row.campaign_id,
  note: row.note,
  state: stateOf(row, now),
  created_by: knownPrincipalIn(row, 'created_by'),
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  lifted_by: principalIn(row, 'lifted_by'),
  lifted_at: row.lifted_at?.toISOString() ?? null,
});

function stateOf(row: SuppressionRow, now: Date): Suppression['state'] {
  if (row.lifted_at) return 'lifted';
  return row.expires_at && row.expires_at <= now ? 'ended' : 'standing';
}
