// What one row of the query of facts (facts.store.ts) becomes: the facts that the gates are asked of. Days and zones are
// reckoned here and not by the database, whose list of zones is another than ours.
import type { Principal } from '../../../../kernel/caller.ts';
import { HOUR_MS, after } from '../../../../kernel/clock.ts';
import type { Sending } from '../../../../kernel/app.ts';
import { principalIn } from '../../../../kernel/principal-row.ts';
import { findUnsafe, mailboxOf } from '../../../../mail/compose/fields.ts';
import { LARGEST_LETTER_BYTES } from '../../../../mail/compose/letter.ts';
import { allowanceOf, countedDay, domainAllowance } from '../../../../mail/timing/pacing.rules.ts';
import { dayIn, type Schedule } from '../../../../mail/timing/windows.rules.ts';
import { recipientZone } from '../../../../mail/timing/zones.rules.ts';
import { opensOutside } from '../../../../net/reach.ts';
import type { LetterFacts } from './facts.rules.ts';
import type { FactsRow } from './facts.shape.ts';
import type { StandingMark } from '../../../crm/suppressions/contract.ts';
import { offersOutgoingMail } from '../../unsubscribes/token.ts';
import { fingerprintOf } from '../letter/fingerprint.ts';
import { WAIT_REASONS } from '../letter/reasons.rules.ts';

/** Whose word a letter leans on, and what it was for. */
export type Leans = { by: Principal; token: string | null; what: 'approval' | 'activation' | 'confirmation' };

export function leansOn(row: FactsRow): Leans[] {
  const approved = principalIn(row, 'approved_by');
  if (approved) return [{ by: approved, token: row.approved_token, what: 'approval' }];
  if (!row.campaign || row.kind === 'answer') return [];
  const activated = principalIn(row.campaign.activated, 'by');
  const confirmed = row.campaign.review_policy === 'none' ? principalIn(row.campaign.confirmed, 'by') : null;
  return [
    ...(activated
      ? [{ by: activated, token: row.campaign.activated_token, what: 'activation' as const }]
      : []),
    ...(confirmed
      ? [{ by: confirmed, token: row.campaign.confirmed_token, what: 'confirmation' as const }]
      : []),
  ];
}

/** `is`: every word that it leans on still counts. */
export function toFacts(
  row: FactsRow,
  stands: boolean,
  now: Date,
  sending: Sending,
  base_url: string,
): LetterFacts {
  const unsafe = unsafeIn(row, now);
  return {
    kind: row.kind,
    suppression: suppressionOf(row),
    copy_suppression: row.cc_mark && {
      reason: row.cc_mark.reason,
      since: new Date(row.cc_mark.since),
      via: row.cc_mark.via,
    },
    prospect: row.prospect && {
      ended: row.prospect.ended,
      hold:
        row.prospect.hold_by === null
          ? null
          : {
              by: row.prospect.hold_by,
              reason: row.prospect.hold_reason ?? '',
              until: moment(row.prospect.hold_until),
            },
    },
    campaign: row.campaign && campaignFacts(row.campaign, now),
    review: reviewFacts(row, stands),
    letter: {
      subject: row.subject,
      text: row.text,
      same_thread: row.same_thread,
      being_remade: row.being_remade,
      unresolved: row.unresolved,
      unsafe_header: unsafe === 'unsafe_header',
      too_large: bytesOf(row) > LARGEST_LETTER_BYTES,
      has_unsubscribe:
        row.campaign?.unsubscribe_mode === 'reply_only' || offersOutgoingMail(row.text, base_url, row.id),
      first_touch: !row.started_before,
      on_hold:
        row.hold_reason === 'letter_on_hold'
          ? { note: (row.hold_evidence?.['note'] ?? null) as string }
          : null,
    },
    person: row.person && {
      basis: row.person.basis,
      source: row.person.source,
      duplicate: row.duplicate,
      frequency_free_at: row.nth_touch_at && after(row.nth_touch_at, WEEK_MS),
    },
    address: {
      verdict: row.verdict,
      verifying: row.verifying,
      unsupported:
        unsafe === 'address_unsupported' || (row.hold_reason === 'address_unsupported' && sameSender(row)),
      readdressed: row.readdressed,
    },
    identity: row.identity && identityFacts(row.identity, row.domain, now),
    domain: row.domain && {
      state: row.domain.state,
      unauthenticated: row.domain.unauthenticated,
      check_pending: !row.domain.checked,
      allowance: domainAllowance(row.domain.daily_cap, row.domain.warned),
      started_today: row.domain.days?.[dayIn(now, 'UTC')] ?? 0,
    },
    schedules: schedulesOf(row),
    transport: { wait: waitOf(row) },
    backoff: backoffOf(row),
    instance: {
      sending: sending.enabled,
      development: sending.development,
      reachable: opensOutside(base_url),
      is_present: row.address_taken === null || row.address_taken === base_url,
    },
  };
}

const bytesOf = ({ attachments, text, html }: FactsRow): number =>
  attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0) +
  Buffer.byteLength(text) +
  Buffer.byteLength(html ?? '');

/** Whoever unsubscribed and wrote since may be answered; what else is on their address is all the same. */
function suppressionOf({ mark, other_mark, last_word }: FactsRow): LetterFacts['suppression'] {
  if (!mark) return null;
  const of = ({ reason, since, via }: StandingMark, wrote_since: boolean) => ({
    reason,
    since: new Date(since),
    via,
    wrote_since,
  });
  const wrote = wroteSince(last_word, mark.since);
  return mark.reason === 'unsubscribe' && wrote && other_mark ? of(other_mark, false) : of(mark, wrote);
}

/** Saying once more that they want no letters is no wish for one. */
const wroteSince = (word: FactsRow['last_word'], since: string): boolean =>
  word !== null && word.reading !== 'unsubscribe' && new Date(word.at) > new Date(since);

const WEEK_MS = 7 * 24 * HOUR_MS;
const moment = (text: string | null): Date | null => (text === null ? null : new Date(text));

function campaignFacts(c: NonNullable<FactsRow['campaign']>, now: Date): LetterFacts['campaign'] {
  const today = dayIn(now, c.timezone);
  return { ...c, started_today: c.days?.[today] ?? 0, new_today: c.days_new?.[today] ?? 0 };
}

/**
 * An approval represents itself. A letter that no one reads leans on whoever started the campaign and, where the policy is
 * that none is read, on the confirmation of the present steps.
 */
function reviewFacts(row: FactsRow, stands: boolean): LetterFacts['review'] {
  const { campaign, identity } = row;
  // Whatever the recipient would see, the sender's name too, is as it was when someone read it, or it is another letter.
  const same = fingerprintOf({ ...row, from: identity }) === row.fingerprint;
  if (row.approved_by_kind !== null)
    return {
      needed: true,
      approval: stands && same && !overtaken(row) ? 'standing' : 'stale',
      confirmation: 'none',
    };
  if (row.review_reason !== null || !campaign)
    return { needed: true, approval: 'none', confirmation: 'none' };
  const confirmation =
    campaign.no_human_review_revision === null
      ? 'none'
      : campaign.no_human_review_revision === campaign.sequence_revision && !campaign.loosened_since_confirmed
        ? 'standing'
        : 'stale';
  const needed = campaign.review_policy === 'none' && confirmation !== 'standing';
  return {
    needed,
    approval: (stands && same) || needed ? 'none' : 'stale',
    confirmation: needed ? 'stale' : confirmation,
  };
}

/** Longer than an answer waits to be called back: someone chose a later moment for it. */
const CHOSEN_MS = 60_000;

/** An answer that was to go later, and they wrote meanwhile: whoever sent it has not read that. */
function overtaken({ kind, approved_at, scheduled_for, last_word }: FactsRow): boolean {
  if (kind !== 'answer' || !approved_at || !scheduled_for || !last_word) return false;
  const later = scheduled_for.getTime() - approved_at.getTime() > CHOSEN_MS;
  return later && new Date(last_word.at) > approved_at;
}

function identityFacts(
  i: NonNullable<FactsRow['identity']>,
  domain: FactsRow['domain'],
  now: Date,
): LetterFacts['identity'] {
  const today = dayIn(now, i.timezone);
  const warned = domain?.warned ?? false;
  const ramp = { start: i.ramp_start, step: i.ramp_step, day: i.ramp_day, ceiling: i.ramp_ceiling };
  const { day } = countedDay(ramp, { counted_on: i.ramp_counted_on, today, warned });
  const { allowance, by } = allowanceOf({ daily_cap: i.daily_cap, ramp: { ...ramp, day } }, warned);
  const nth = moment(i.nth_hour_at);
  return {
    gone: i.gone,
    active: i.active,
    trouble: i.trouble,
    transport: i.transport_kind,
    timezone: i.timezone,
    allowance,
    allowance_by: by,
    started_today: i.days?.[today] ?? 0,
    hourly_cap: i.hourly_cap,
    started_hour: i.started_hour,
    hour_free_at: nth && after(nth, HOUR_MS),
    next_slot_at: moment(i.next_slot_at),
  };
}

function schedulesOf({ campaign, identity, person, company_timezone, to_address }: FactsRow): Schedule[] {
  const schedules: Schedule[] = [];
  if (campaign) {
    const domain = mailboxOf(to_address)?.domain ?? null;
    const known = {
      person: person?.timezone ?? null,
      company: company_timezone,
      domain,
      campaign: campaign.timezone,
    };
    const { timezone } = recipientZone(known);
    schedules.push({ timezone, windows: campaign.windows, blackout: campaign.blackout_dates });
  }
  if (identity?.workday)
    schedules.push({ timezone: identity.timezone, windows: [identity.workday], blackout: [] });
  return schedules;
}

/** What the next hop said of the sender holds until the sender was changed, or passed a test since. */
function sameSender({ held_at, identity }: FactsRow): boolean {
  if (!held_at || !identity) return false;
  const tested = moment(identity.last_tested_at);
  const passed = identity.test_outcome === 'passing' && tested !== null && tested > held_at;
  return !passed && new Date(identity.updated_at) <= held_at;
}

const PUT_OFF = ['transport_down', 'greylisted', 'retry', 'broke_off'] as const;

function waitOf({ waiting_for, not_before }: FactsRow): LetterFacts['transport']['wait'] {
  const why = PUT_OFF.find((each) => each === waiting_for);
  return why && not_before ? { why, until: not_before } : null;
}

function backoffOf({ backoff, in_hand_until, looked_at }: FactsRow): LetterFacts['backoff'] {
  if (!backoff) return null;
  const [asleep, down] = [moment(backoff.asleep_until), moment(backoff.down_until)];
  const why = WAIT_REASONS.find((each) => each === backoff.asleep_why);
  return {
    asleep: asleep && why ? { why, until: asleep } : null,
    down: down && { until: down, cause: backoff.down_cause, since: moment(backoff.down_since) },
    busy: backoff.busy,
    in_hand_until,
    looked_at,
  };
}

/** What its header fields would refuse, asked of the composer's own rule. */
function unsafeIn(row: FactsRow, now: Date): 'unsafe_header' | 'address_unsupported' | null {
  const { identity, person, subject, message_id, to_address } = row;
  if (!identity) return null;
  const found = findUnsafe({
    from: { name: identity.name, address: identity.address },
    reply_to: null,
    to: [{ name: person?.name || null, address: to_address }],
    cc: row.cc.map((address) => ({ name: null, address })),
    subject,
    text: '',
    html: null,
    message_id,
    date: now,
    in_reply_to: null,
    references: [],
    list_unsubscribe: null,
    feedback_id: null,
    attachments: [],
    dkim: null,
  });
  return found?.reason ?? null;
}
