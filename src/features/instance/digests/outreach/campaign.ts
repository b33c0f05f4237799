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
import { invalid } from '../../../../kernel/refusal.ts';
import { screenUrl } from '../../../../kernel/links.rules.ts';
import { campaignPreflight } from '../../../outreach/campaigns/checks.contract.ts';
import { campaignUpdate } from '../../../outreach/campaigns/contract.ts';
import { campaignNoHumanReview, campaignPool } from '../../../outreach/campaigns/review.contract.ts';
import { campaignEnrol } from '../../../outreach/prospects/enrol.contract.ts';
import { sendList } from '../../../outreach/sends/contract.ts';
import { sequenceRead, sequenceSave } from '../../../outreach/sequences/contract.ts';
import { repliesDigest } from '../people.contract.ts';
import type { Proposal } from '../next.ts';
import { stepMetrics, type StepMetrics } from './letters.store.ts';
import { campaignDigest, heldDigest, sendingDigest, sequenceDigest } from '../outreach.contract.ts';
import { framed, isShown, section, short, shortOrNull, within } from '../section.ts';

const NAME_MAX = 120;
const DAYS_SHOWN = 7;
const LETTERS = 'outreach.send.read';

type Act = Omit<Proposal, 'what'>;
const SENDING: Act = { does: sendingDigest, tool: 'sending_digest', with: {} };

/** Where each code leads: to what says more, or to the act where nothing more is to be known. */
const ACTS: Record<AttentionCode, (campaign: string) => Act> = {
  complaint_seen: () => SENDING,
  domain_paused: () => SENDING,
  uncertain_letters: (campaign) => ({ does: sendList, with: { state: 'uncertain', campaign, limit: 3 } }),
  bounce_rate_high: (campaign) => ({ does: campaignPreflight, with: { campaign } }),
  unanswered_positive: (campaign) => ({
    does: repliesDigest,
    tool: 'replies_digest',
    with: { campaign, reading: 'positive' },
  }),
  review_confirmation_stale: (campaign) => ({ does: campaignNoHumanReview, with: { campaign } }),
  auth_failing: () => SENDING,
  identity_inactive: () => SENDING,
  pool_empty: (campaign) => ({ does: campaignPool, with: { campaign } }),
  window_never_opens: (campaign) => ({ does: campaignUpdate, with: { campaign } }),
  held_letters: (campaign) => ({ does: heldDigest, tool: 'held_digest', with: { campaign } }),
  review_waiting: (campaign) => ({ does: sendList, with: { state: 'review', campaign, limit: 3 } }),
  domain_warned: () => SENDING,
  auth_unknown: () => SENDING,
  no_capacity_today: (campaign) => ({ does: campaignForecast, with: { campaign } }),
  missing_variables: (campaign) => ({ does: campaignPreflight, with: { campaign } }),
  ends_before_finish: (campaign) => ({ does: campaignUpdate, with: { campaign } }),
  low_reply_rate: (campaign) => ({ does: sequenceDigest, tool: 'sequence_digest', with: { campaign } }),
  unverified_people: (campaign) => ({ does: campaignPreflight, with: { campaign } }),
  people_running_out: (campaign) => ({ does: campaignEnrol, tool: 'sequence_enrol', with: { campaign } }),
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
  const open_at = screenUrl(context.app.instance, 'campaign', id);
  const asked = within(overview, ({ attention }) => attention, []);
  return framed(context, { campaign: overview, not_taken, plan: forecast }, [
    ...asked.map(({ code, fix }) => ({ what: fix, open_at, sign_at: open_at, ...ACTS[code](id) })),
    { what: 'Compare its steps.', does: sequenceDigest, tool: 'sequence_digest', with: { campaign: id } },
  ]);
});

const NONE: Omit<StepMetrics, 'step_id'> = {
  letters: 0,
  sent: 0,
  replied: 0,
  positive: 0,
  bounced: 0,
  letters_bounced: 0,
  unsubscribed: 0,
  median_days: null,
};

export const sequence = bind(sequenceDigest, async (context, { campaign: id, step }) => {
  const found = await section(context, 'outreach.sequence.read', null, () => stepsOf(context, id, step));
  const sections = isShown(found) ? found : { steps: found, no_step: found };
  const open_at = screenUrl(context.app.instance, 'campaign', id);
  return framed(context, sections, [
    { what: 'Read the letters of the steps.', does: sequenceRead, with: { campaign: id }, open_at },
    {
      what: 'Change a step. Letters that no one reviewed go back to review.',
      does: sequenceSave,
      with: { campaign: id },
      open_at,
    },
  ]);
});

async function stepsOf(context: ReadContext, id: string, only: number | undefined) {
  const { db, caller } = context;
  const { sequence: read } = await context.invoke(sequenceRead, { campaign: id });
  const { guardrails } = await loadCampaign(db, caller, 'outreach.campaign.read', id);
  const last = read.steps.length - 1;
  if (only !== undefined && only > last) {
    const says =
      last < 0
        ? 'this campaign has no steps: leave step out'
        : `this campaign has ${last + 1} ${last === 0 ? 'step' : 'steps'}: give a step from 0 to ${last}, or leave it out for all of them`;
    throw invalid(says, { step: says });
  }
  const metrics = await stepMetrics(db, id);
  const known = new Set(read.steps.map((step) => step.id));
  const figures = new Map(metrics.map((each) => [each.step_id, each]));
  const floor = guardrails.min_sends;
  const steps = read.steps
    .filter(({ position }) => only === undefined || position === only)
    .map(({ id: step_id, position, kind, subject }) => {
      const found = figures.get(step_id) ?? NONE;
      const { letters, sent, replied, positive, bounced, letters_bounced, unsubscribed, median_days } = found;
      const enough = kind !== 'letter' || letters >= floor;
      return {
        step: position,
        step_id,
        kind,
        subject: shortOrNull(subject),
        letters,
        sent,
        replied,
        positive,
        bounced,
        letters_bounced,
        unsubscribed,
        reply_rate: letters > 0 && enough ? Math.round((replied / letters) * 10_000) / 10_000 : null,
        median_days,
        sample_warning: enough
          ? null
          : `Letters started: ${letters}. Rates are meaningful from ${floor} letters.`,
      };
    });
  const others = metrics.filter(({ step_id }) => step_id === null || !known.has(step_id));
  const sum = (
    of: 'letters' | 'sent' | 'replied' | 'positive' | 'bounced' | 'letters_bounced' | 'unsubscribed',
  ) => others.reduce((all, each) => all + each[of], 0);
  const no_step = {
    letters: sum('letters'),
    sent: sum('sent'),
    replied: sum('replied'),
    positive: sum('positive'),
    bounced: sum('bounced'),
    letters_bounced: sum('letters_bounced'),
    unsubscribed: sum('unsubscribed'),
  };
  return { steps, no_step };
}
