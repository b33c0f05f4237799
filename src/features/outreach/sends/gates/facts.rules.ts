// What the gates of a letter are asked of: facts as they are in one moment, read by one query (facts.store.ts) and judged by
// pure functions.
import type { TroubleEvidence } from '../../identities/trouble/trouble.rules.ts';
import type { Schedule } from '../../../../mail/timing/windows.rules.ts';
import type { WaitReason } from '../letter/reasons.rules.ts';

export type LetterFacts = {
  kind: 'sequence' | 'answer' | 'one_off';
  suppression: {
    reason: string;
    since: Date;
    via: 'address' | 'domain';
    /** Their last inbound touch is newer than this suppression. */
    wrote_since: boolean;
  } | null;
  /** Whoever gets a copy has written nothing: of them every suppression exists. */
  copy_suppression: { reason: string; since: Date; via: 'address' | 'domain' } | null;
  prospect: {
    ended: string | null;
    hold: { by: string; reason: string; until: Date | null } | null;
  } | null;
  campaign: {
    state: 'draft' | 'active' | 'paused' | 'finished' | 'archived';
    paused_reason: string | null;
    /** Settings that someone eased since it was activated, who may not activate it. */
    eased: readonly string[];
    timezone: string;
    starts_on: string | null;
    ends_on: string | null;
    daily_cap: number | null;
    started_today: number;
    new_per_day: number | null;
    new_today: number;
    require_basis: boolean;
    verification_policy: 'any' | 'not_undeliverable' | 'deliverable_only';
    has_postal_address: boolean;
  } | null;
  review: {
    /** The policy asks for a person's word on this letter. */
    needed: boolean;
    /** `stale`: given for another fingerprint, or by someone who may no longer give it. */
    approval: 'none' | 'standing' | 'stale';
    confirmation: 'none' | 'standing' | 'stale';
  };
  letter: {
    subject: string;
    text: string;
    same_thread: boolean;
    /** Its sender or campaign was edited, and it still says what was before. */
    being_remade: boolean;
    unresolved: readonly string[];
    unsafe_header: boolean;
    too_large: boolean;
    has_unsubscribe: boolean;
    /** The first of its campaign to this person. */
    first_touch: boolean;
    /** Someone keeps this one letter back by hand. */
    on_hold: { note: string | null } | null;
  };
  person: {
    basis: string;
    source: string | null;
    /** Already written to at this step, or live in an exclusive campaign beside this one. */
    duplicate: boolean;
    /** When one more letter fits into the week; null where one fits now. */
    frequency_free_at: Date | null;
  } | null;
  address: {
    verdict: 'DELIVERABLE' | 'UNDELIVERABLE' | 'RISKY' | 'UNKNOWN' | null;
    /** A verification is on its way. */
    verifying: boolean;
    /** The local part is international and the last try found that the next hop cannot carry it. */
    unsupported: boolean;
    /** No one who may enrol chose it, neither before the letter was drafted nor since. */
    readdressed: boolean;
  };
  identity: {
    gone: boolean;
    active: boolean;
    /** What its mail server said or showed that lets nothing of it out. */
    trouble: TroubleEvidence | null;
    transport: 'smtp' | 'vendor' | 'sandbox';
    timezone: string;
    /** What the day allows, halved and ramped (src/mail/timing/pacing.rules.ts). */
    allowance: number;
    allowance_by: 'identity_cap' | 'ramp';
    started_today: number;
    hourly_cap: number;
    started_hour: number;
    /** When one more fits into the hour. */
    hour_free_at: Date | null;
    next_slot_at: Date | null;
  } | null;
  domain: {
    state: 'unverified' | 'active' | 'paused' | 'retired';
    /** A definite failure of SPF, DKIM or DMARC that has was long enough to count. */
    unauthenticated: boolean;
    check_pending: boolean;
    allowance: number;
    started_today: number;
  } | null;
  /** The recipient's hours and the sender's workday: all must be open. */
  schedules: readonly Schedule[];
  transport: {
    wait: { why: 'transport_down' | 'greylisted' | 'retry' | 'broke_off'; until: Date } | null;
  };
  /** The way out of the identity, for all of its letters; null without an identity. */
  backoff: BackoffFacts | null;
  instance: {
    sending: boolean;
    development: boolean;
    /** Its address can be opened from outside. */
    reachable: boolean;
    /** This process runs with the address that the instance has by now. */
    is_present: boolean;
  };
};

export type BackoffFacts = {
  /** None of its letters is asked before. */
  asleep: { why: WaitReason; until: Date } | null;
  /** The mail server could not be reached, and is not called before. */
  down: { until: Date; cause: string | null; since: Date | null } | null;
  /** Another letter of it is in the hands of the sender. */
  busy: boolean;
  /** This one is, until then. */
  in_hand_until: Date | null;
  /** When a process last looked for letters that are due; null where none ever said so. */
  looked_at: Date | null;
};
