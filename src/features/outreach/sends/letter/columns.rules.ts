// Columns of a letter that are always set together: clearing an approval, a hold or a lease, and the initial row.
export const UNAPPROVED = {
  approved_by_kind: null,
  approved_by_id: null,
  approved_by_name: null,
  approved_by_on_behalf_of: null,
  approved_at: null,
  approved_fingerprint: null,
  approved_token: null,
} as const;
export const GOING = { not_before: null, waiting_for: null } as const;
export const UNHELD = {
  hold_reason: null,
  hold_evidence: null,
  held_at: null,
  hold_told: [],
  recheck_at: null,
} as const;
/** Whoever looked at it, or was sending it, holds it no longer. */
export const FREE = { lease: null, lease_until: null } as const;

/** A row that no one has moved. */
export const UNMOVED = {
  state: 'drafted',
  revision: 0,
  review_reason: null,
  note: null,
  ...UNAPPROVED,
  scheduled_for: null,
  ...GOING,
  ...UNHELD,
  cancel_reason: null,
  failed_reason: null,
  delivery: null,
  sending_at: null,
  sent_at: null,
  resent_at: null,
} as const;
