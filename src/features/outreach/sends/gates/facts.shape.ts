// The row that the query of facts (facts.store.ts) gives for one letter.
import type { PrincipalColumns } from '../../../../kernel/principal-row.ts';
import type { Window } from '../../../../mail/timing/windows.rules.ts';
import type { TroubleEvidence } from '../../identities/trouble/trouble.rules.ts';
import type { StandingMark } from '../../../crm/suppressions/contract.ts';
import type { LetterFacts } from './facts.rules.ts';

/** Letters started, by day. */
type Days = Record<string, number> | null;

export type FactsRow = PrincipalColumns<'approved_by'> & {
  id: string;
  kind: LetterFacts['kind'];
  campaign_id: string | null;
  prospect_id: string | null;
  thread: { id: string; campaign_id: string | null } | null;
  subject: string;
  text: string;
  same_thread: boolean;
  being_remade: boolean;
  /** Of the instance, by the process that was started last. */
  address_taken: string | null;
  unresolved: string[];
  to_address: string;
  message_id: string;
  review_reason: string | null;
  approved_token: string | null;
  approved_at: Date | null;
  scheduled_for: Date | null;
  hold_reason: string | null;
  hold_evidence: Record<string, unknown> | null;
  held_at: Date | null;
  waiting_for: string | null;
  not_before: Date | null;
  html: string | null;
  cc: string[];
  fingerprint: string;
  attachments: { filename: string; media_type: string; sha256: string; size_bytes: number }[];
  mark: StandingMark | null;
  /** Of an answer: the strongest that is no unsubscribing. */
  other_mark: StandingMark | null;
  /** Of an answer: what its person wrote last themselves. What one of ours wrote down for them lifts nothing. */
  last_word: { at: string; reading: string | null } | null;
  /** Of whoever gets a copy. */
  cc_mark: StandingMark | null;
  started_before: boolean;
  duplicate: boolean;
  /** The touch that must be a week old before there may be another. */
  nth_touch_at: Date | null;
  readdressed: boolean;
  backoff: {
    asleep_why: string | null;
    asleep_until: string | null;
    down_until: string | null;
    down_cause: string | null;
    down_since: string | null;
    busy: boolean;
  } | null;
  in_hand_until: Date | null;
  looked_at: Date | null;
  verdict: LetterFacts['address']['verdict'];
  verifying: boolean;
  prospect: {
    ended: string | null;
    hold_by: string | null;
    hold_reason: string | null;
    hold_until: string | null;
  } | null;
  person: { name: string; basis: string; source: string | null; timezone: string | null } | null;
  company_timezone: string | null;
  campaign:
    | (NonNullable<LetterFacts['campaign']> & {
        windows: Window[];
        blackout_dates: string[];
        unsubscribe_mode: 'one_click' | 'reply_only';
        review_policy: string;
        sequence_revision: number;
        no_human_review_revision: number | null;
        loosened_since_confirmed: boolean;
        days: Days;
        days_new: Days;
        activated_token: string | null;
        confirmed_token: string | null;
        activated: PrincipalColumns<'by'>;
        confirmed: PrincipalColumns<'by'>;
      })
    | null;
  identity: {
    name: string;
    address: string;
    reply_to: string | null;
    gone: boolean;
    active: boolean;
    trouble: TroubleEvidence | null;
    transport_kind: 'smtp' | 'vendor' | 'sandbox';
    timezone: string;
    workday: Window | null;
    daily_cap: number;
    hourly_cap: number;
    ramp_start: number;
    ramp_step: number;
    ramp_ceiling: number;
    ramp_day: number;
    ramp_counted_on: string | null;
    next_slot_at: string | null;
    updated_at: string;
    last_tested_at: string | null;
    test_outcome: string | null;
    days: Days;
    started_hour: number;
    nth_hour_at: string | null;
  } | null;
  domain: {
    state: 'unverified' | 'active' | 'paused' | 'retired';
    warned: boolean;
    checked: boolean;
    unauthenticated: boolean;
    daily_cap: number;
    days: Days;
  } | null;
};
