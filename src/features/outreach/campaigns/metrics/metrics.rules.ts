// What a campaign asks attention for, pure: each with its count, one sentence, what to do and who can (domain.md §3.3). Rates
// are given from a floor of letters on; below it they would say nothing.
import {
  type Attention,
  ATTENTION,
  type AttentionCode,
  type Forecast,
  type Overview,
} from '../metrics.contract.ts';
import type { Campaign, Counts } from '../contract.ts';
import { earliestAt } from '../hours.rules.ts';
import { type PacedSender, usable } from './pace.rules.ts';
import { isConfirmed } from '../review.rules.ts';

export type MetricFacts = {
  campaign: Omit<Campaign, 'counts' | 'seen'>;
  counts: Counts;
  senders: readonly (PacedSender & { domain: string; auth: string[] })[];
  lately: {
    started: number;
    hard: number;
    complaints: number;
    all_started: number;
    all_hard: number;
    all_complaints: number;
    unanswered_positive: number;
    missing_variables: number;
    unverified: number;
    suppressed_held: number;
  };
  /** People with steps left. */
  going: number;
  forecast: Forecast;
  left_today: number;
};

const share = (part: number, whole: number): number => Math.round((part / whole) * 10_000) / 10_000;

export function ratesOf({ campaign, counts, lately }: MetricFacts): Overview['rates'] {
  const floor = campaign.guardrails.min_sends;
  const of = (part: number, whole: number): number | null =>
    lately.all_started >= floor && whole > 0 ? share(Math.min(part, whole), whole) : null;
  return {
    floor,
    reply: of(counts.replied, counts.contacted),
    positive: of(counts.positive, counts.contacted),
    bounce: of(lately.all_hard, lately.all_started),
    complaint: of(lately.all_complaints, lately.all_started),
    unsubscribe: of(counts.unsubscribed, counts.contacted),
  };
}

/** Below this share of replies, where the campaign names none itself, the letter is worth another look. */
const LOW_REPLY_RATE = 0.01;
/** People for so many days of sending are few. */
const FEW_DAYS = 3;

type Said = { count: number; sentence: string; fix: string; who?: Attention['who'] };
type Rule = (facts: MetricFacts, now: Date) => Said | null;

const many = (n: number, one: string, more: string): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : more}`;
const some = (count: number, sentence: string, fix: string, who: Attention['who'] = 'person'): Said | null =>
  count > 0 ? { count, sentence, fix, who } : null;

const RECORDS = 'Publish the DNS records listed on the domain’s page and check again.';

const RULES: Record<AttentionCode, Rule> = {
  complaint_seen: ({ lately: { complaints } }) =>
    some(
      complaints,
      `${many(complaints, 'recipient', 'recipients')} complained recently.`,
      'Reread the letter as a stranger would. In a small campaign, two complaints pause the sending domain.',
    ),
  domain_paused: ({ senders }) => {
    const paused = domains(senders, ({ domain_state }) => domain_state === 'paused');
    return some(
      paused.length,
      `${named(paused)} paused, so its identities send no letters.`,
      'Read the evidence, fix the cause and resume the domain. This requires wire.',
    );
  },
  uncertain_letters: ({ counts: { uncertain } }) =>
    some(
      uncertain,
      `${many(uncertain, 'letter', 'letters')} may or may not have been sent.`,
      'Check the Sent folder, then mark each letter as sent or not sent.',
    ),
  bounce_rate_high: ({ campaign: { guardrails }, lately: { started, hard } }) => {
    const limit = guardrails.bounce_rate ?? 0.05;
    if (started < guardrails.min_sends || hard / started < limit) return null;
    return some(
      hard,
      `${percent(hard / started)} of recent letters bounced.`,
      'Verify the addresses before sending more letters.',
    );
  },
  unanswered_positive: ({ lately: { unanswered_positive: n } }) =>
    some(n, `${many(n, 'person', 'people')} said yes and got no reply yet.`, 'Reply in the inbox.'),
  review_confirmation_stale: ({ campaign }) =>
    campaign.review_policy === 'none' && !isConfirmed(campaign)
      ? some(
          1,
          'No one has confirmed the current steps, so letters are held.',
          'Confirm the current steps, or choose another review policy. Both require wire.',
        )
      : null,
  auth_failing: ({ senders }) => {
    const failing = domains(senders, ({ active, auth }) => active && auth.includes('failing'));
    return some(failing.length, `SPF, DKIM or DMARC fails for ${failing[0] ?? ''}.`, RECORDS, 'operator');
  },
  identity_inactive: ({ senders }) => {
    const inactive = senders.filter(({ active }) => !active).length;
    return some(
      inactive,
      `${many(inactive, 'identity in the pool is', 'identities in the pool are')} inactive. People assigned to an inactive identity get no letters.`,
      'Activate the identities. This requires wire.',
    );
  },
  pool_empty: ({ senders }) =>
    senders.length === 0
      ? some(1, 'The pool has no identity.', 'Add an identity to the pool. This requires wire.')
      : null,
  window_never_opens: ({ campaign, senders }, now) => {
    const hours = { ...campaign, ends_on: null };
    const pool = usable(senders);
    const opens = (pool.length > 0 ? pool : [null]).some(
      (sender) => earliestAt(hours, sender, campaign.timezone, now) !== null,
    );
    return opens
      ? null
      : some(
          1,
          'The campaign’s hours and its senders’ working hours don’t overlap.',
          'Extend the campaign’s hours or a sender’s working hours.',
        );
  },
  held_letters: ({ counts: { held } }) =>
    some(
      held,
      `${many(held, 'letter is', 'letters are')} held by a gate.`,
      'Open the held letters. Each one shows how to release it and who can.',
    ),
  review_waiting: ({ counts: { review } }) =>
    some(review, `${many(review, 'letter is', 'letters are')} waiting for review.`, 'Review the letters.'),
  domain_warned: ({ senders }) => {
    const warned = domains(senders, (sender) => sender.warned && sender.domain_state === 'active');
    return some(
      warned.length,
      `${named(warned)} under a warning and can send only half of the usual volume.`,
      'See the reason on the domain’s page.',
    );
  },
  auth_unknown: ({ senders }) => {
    const unknown = domains(
      senders,
      ({ active, auth }) => active && auth.includes('unknown') && !auth.includes('failing'),
    );
    return some(
      unknown.length,
      `SPF, DKIM or DMARC couldn’t be checked for ${unknown[0] ?? ''}.`,
      'Check the domain again.',
    );
  },
  no_capacity_today: ({ campaign, left_today, counts, senders }) =>
    campaign.state === 'active' && left_today === 0 && counts.scheduled > 0 && senders.length > 0
      ? some(
          counts.scheduled,
          'No more letters can go out today: the limits or sending hours are used up.',
          'Wait until tomorrow, or raise the limits.',
          'time',
        )
      : null,
  missing_variables: ({ lately: { missing_variables: n } }) =>
    some(
      n,
      `${many(n, 'letter uses', 'letters use')} a field that has no value.`,
      'Add the values, or give the fields a fallback in the letter.',
    ),
  ends_before_finish: ({ campaign: { ends_on }, forecast: { finishes_on, letters_left } }) =>
    ends_on !== null && letters_left > 0 && (finishes_on === null || finishes_on > ends_on)
      ? some(
          letters_left,
          `The campaign ends on ${ends_on}, before all its letters can be sent.`,
          'Choose a later last day (ends_on), raise the limits, or remove people.',
        )
      : null,
  low_reply_rate: ({ campaign: { guardrails }, counts, lately }) => {
    const limit = guardrails.reply_rate ?? LOW_REPLY_RATE;
    if (lately.all_started < guardrails.min_sends || counts.contacted === 0) return null;
    const rate = counts.replied / counts.contacted;
    if (rate >= limit) return null;
    return {
      count: counts.replied,
      sentence: `Only ${percent(rate)} of the people contacted have replied.`,
      fix: 'Review the audience and the first letter.',
    };
  },
  unverified_people: ({ campaign, lately: { unverified } }) =>
    campaign.verification_policy === 'any'
      ? null
      : some(
          unverified,
          `${many(unverified, 'address', 'addresses')} of the next people ${unverified === 1 ? 'was' : 'were'} never verified.`,
          'Verify the addresses. No scope is required.',
        ),
  people_running_out: ({ campaign, going, forecast: { days, finishes_on } }) =>
    campaign.state === 'active' && going > 0 && finishes_on !== null && sendingDays(days) <= FEW_DAYS
      ? some(
          going,
          `${many(going, 'person is', 'people are')} left, enough for a few days of sending.`,
          'Enrol more people. This requires wire.',
        )
      : null,
};

export function attentionOf(facts: MetricFacts, now: Date): Attention[] {
  if (facts.campaign.state === 'archived') return [];
  return ATTENTION.flatMap((code) => {
    const said = RULES[code](facts, now);
    return said
      ? [{ code, count: said.count, sentence: said.sentence, fix: said.fix, who: said.who ?? 'person' }]
      : [];
  });
}

type Sender = MetricFacts['senders'][number];

const domains = (senders: readonly Sender[], which: (sender: Sender) => boolean): string[] => [
  ...new Set(senders.filter(which).map(({ domain }) => domain)),
];

const named = ([first = '', ...more]: readonly string[]): string =>
  more.length === 0
    ? `${first} is`
    : `${first} and ${many(more.length, 'other domain', 'other domains')} are`;

const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`;
const sendingDays = (days: Forecast['days']): number => days.filter(({ letters }) => letters > 0).length;
