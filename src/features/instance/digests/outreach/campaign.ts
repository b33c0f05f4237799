// The digests of one campaign: what it comes to and asks for, and what each of its steps brought.
import {
  campaignForecast,
  campaignOverview,
  type AttentionCode,
} from '../../../outreach/campaigns/metrics.contract.ts';
import { reasonsAmong } from '../../../outreach/deliveries/report.store.ts';
import { readable } from '../../../outreach/sends/letter/send.store.ts';
import { notTaken } from './not-taken.ts';
import { loadCampaign } from '../../../outreach/campaigns/store.ts';
import { bind, type ReadContext } from '../../../../kernel/context.ts';
import { sequenceRead } from '../../../outreach/sequences/contract.ts';
import type { Next } from '../frame.contract.ts';
import { stepMetrics, type StepMetrics } from './letters.store.ts';
import { campaignDigest, sequenceDigest } from '../outreach.contract.ts';
import { framed, section, short, shortOrNull, within } from '../section.ts';

const O = '/api/admin/outreach';
const NAME_MAX = 120;
const DAYS_SHOWN = 7;
const LETTERS = 'outreach.send.read';

/** Where each code leads; who can do it is the act's own gate, not a wish. */
const ACTS: Record<AttentionCode, (campaign: string) => Pick<Next, 'with' | 'who'>> = {
  complaint_seen: () => ({ with: 'sending_digest {}', who: 'agent' }),
  domain_paused: () => ({ with: `POST ${O}/domains/:domain/resume`, who: 'wire' }),
  uncertain_letters: () => ({ with: `POST ${O}/sends/resolve`, who: 'person' }),
  bounce_rate_high: () => ({ with: 'outreach_verify_email {"action": "check"}', who: 'agent' }),
  unanswered_positive: (c) => ({
    with: `replies_digest {"campaign": "${c}", "reading": "positive"}`,
    who: 'agent',
  }),
  review_confirmation_stale: (c) => ({ with: `PUT ${O}/campaigns/${c}/no-human-review`, who: 'wire' }),
  auth_failing: () => ({ with: `GET ${O}/domains/:domain/records`, who: 'person' }),
  identity_inactive: () => ({ with: `POST ${O}/identities/:identity/activate`, who: 'wire' }),
  pool_empty: (c) => ({ with: `PUT ${O}/campaigns/${c}/pool`, who: 'wire' }),
  window_never_opens: (c) => ({ with: `PATCH ${O}/campaigns/${c}`, who: 'agent' }),
  held_letters: (c) => ({ with: `held_digest {"campaign": "${c}"}`, who: 'agent' }),
  review_waiting: () => ({ with: `POST ${O}/sends/approve`, who: 'wire' }),
  domain_warned: () => ({ with: 'sending_digest {}', who: 'agent' }),
  auth_unknown: () => ({ with: `POST ${O}/domains/:domain/check`, who: 'agent' }),
  no_capacity_today: (c) => ({ with: `PATCH ${O}/campaigns/${c}`, who: 'agent' }),
  missing_variables: () => ({ with: 'held_digest {"reason": "unresolved_variable"}', who: 'agent' }),
  ends_before_finish: (c) => ({ with: `PATCH ${O}/campaigns/${c}`, who: 'agent' }),
  low_reply_rate: (c) => ({ with: `sequence_digest {"campaign": "${c}"}`, who: 'agent' }),
  unverified_people: () => ({ with: 'outreach_verify_email {"action": "check"}', who: 'agent' }),
  people_running_out: (c) => ({ with: `sequence_enrol {"campaign": "${c}"}`, who: 'wire' }),
};

export const campaign = bind(campaignDigest, async (context, { campaign: id }) => {
  const read = 'outreach.campaign.read';
  const shown = section(context, read, null, async () => {
    const { overview } = await context.invoke(campaignOverview, { campaign: id });
    const { campaign_id, name, state, paused_reason, counts, rates, today, attention } = overview;
    return {
      campaign_id,
      name: short(name, NAME_MAX),
      state,
      paused_reason,
      counts,
      rates,
      today,
      attention,
    };
  });
  const plan = section(context, read, null, async () => {
    const { forecast } = await context.invoke(campaignForecast, { campaign: id });
    const { people_left, letters_left, finishes_on, why_not, days } = forecast;
    const next_days = days
      .slice(0, DAYS_SHOWN)
      .map(({ day, capacity, letters }) => ({ day, capacity, letters }));
    return { people_left, letters_left, finishes_on, why_not, next_days };
  });
  const reasons = section(context, LETTERS, null, async () =>
    notTaken(await reasonsAmong(context.db, { campaign: id }, readable(context.db, context.caller, LETTERS))),
  );
  const [overview, forecast, not_taken] = await Promise.all([shown, plan, reasons]);
  const asked = within(overview, ({ attention }) => attention, []);
  const next = asked.map(({ code, fix }) => ({ what: fix, ...ACTS[code](id) }));
  const steps: Next = {
    what: 'Compare its steps.',
    with: `sequence_digest {"campaign": "${id}"}`,
    who: 'agent',
  };
  return framed(context, { campaign: overview, not_taken, plan: forecast }, [...next, steps]);
});

const NONE = { sent: 0, replied: 0, positive: 0, bounced: 0, unsubscribed: 0, median_days: null };

export const sequence = bind(sequenceDigest, async (context, { campaign: id, step }) => {
  const steps = await section(context, 'outreach.sequence.read', null, () => stepsOf(context, id, step));
  return framed(context, { steps }, [
    { what: 'Read what the steps say.', with: `GET ${O}/campaigns/${id}/sequence`, who: 'agent' },
    {
      what: 'Change a step. Letters that no one reviewed go back to review.',
      with: `PUT ${O}/campaigns/${id}/sequence`,
      who: 'agent',
    },
    {
      what: 'Rewrite a drafted letter.',
      with: `letter_draft {"campaign": "${id}", …}`,
      who: 'agent',
    },
  ]);
});

async function stepsOf(context: ReadContext, id: string, only: number | undefined) {
  const { db, caller } = context;
  const { sequence: read } = await context.invoke(sequenceRead, { campaign: id });
  const { guardrails } = await loadCampaign(db, caller, 'outreach.campaign.read', id);
  const figures = new Map((await stepMetrics(db, id)).map((each) => [each.step_id, each]));
  const floor = guardrails.min_sends;
  return read.steps
    .filter(({ position }) => only === undefined || position === only)
    .map(({ id: step_id, position, kind, subject }) => {
      const found: Omit<StepMetrics, 'step_id'> = figures.get(step_id) ?? NONE;
      const { sent, replied, positive, bounced, unsubscribed, median_days } = found;
      const enough = kind !== 'letter' || sent >= floor;
      return {
        step: position,
        step_id,
        kind,
        subject: shortOrNull(subject),
        sent,
        replied,
        positive,
        bounced,
        unsubscribed,
        reply_rate: sent > 0 && enough ? Math.round((replied / sent) * 10_000) / 10_000 : null,
        median_days,
        sample_warning: enough ? null : `${sent} letters sent. Rates are meaningful from ${floor} letters.`,
      };
    });
}
