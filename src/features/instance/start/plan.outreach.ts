// Campaigns of a made-up desk as they would be by now: everyone's letters up to this moment, what came of them, and the days
// that numbers are drawn from.
import { DAY_MS, HOUR_MS, MINUTE_MS, after } from '../../../kernel/clock.ts';
import { GUARDRAILS } from '../../outreach/campaigns/contract.ts';
import { reachedBy, type Stage } from '../../outreach/prospects/spine/spine.rules.ts';
import { nameKey } from '../../crm/people/rules.ts';
import { by, chance as seeded, Json, type CampaignSize, type Plan } from './plan.ts';
import { planLetter, planReply, type SampleSender } from './plan.letters.ts';
import type { Metric } from './plan.people.ts';
import { STEPS } from './words.rules.ts';

const OUTCOMES = {
  none: 62,
  positive: 7,
  meeting: 3,
  won: 1,
  neutral: 8,
  negative: 7,
  referral: 2,
  unsubscribe: 3,
  out_of_office: 4,
  unread: 1,
  bounced: 2,
} as const;
type Outcome = keyof typeof OUTCOMES;

/** How far each leads, and what ends the sequence. */
const STAGE: Record<Exclude<Outcome, 'none'>, Stage> = {
  positive: 'positive',
  meeting: 'meeting',
  won: 'won',
  neutral: 'replied',
  negative: 'declined',
  referral: 'replied',
  unsubscribe: 'unsubscribed',
  out_of_office: 'contacted',
  unread: 'replied',
  bounced: 'bounced',
};
const READ_AS = { meeting: 'positive', won: 'positive' } as const;

export type Positive = { person: Metric; campaign_id: string; prospect_id: string; at: Date; stage: string };

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** On a weekday, between eight and three. */
function workingHour(plan: Plan, at: Date): Date {
  const day = new Date(at);
  day.setUTCHours(8 + plan.chance.below(7), plan.chance.below(60), plan.chance.below(60), 0);
  const weekday = day.getUTCDay();
  return after(day, (weekday === 6 ? 2 : weekday === 0 ? 1 : 0) * DAY_MS);
}

export function planCampaign(
  plan: Plan,
  size: CampaignSize,
  sender: SampleSender,
  people: readonly Metric[],
): Positive[] {
  const { chance, wishes } = plan;
  const { now } = wishes;
  const began = after(now, -size.began_days * DAY_MS);
  const id = chance.id(began);
  plan.add('campaigns', {
    id,
    name: size.name,
    name_key: nameKey(size.name),
    state: size.state,
    paused_reason: size.state === 'paused' ? 'person' : null,
    paused_at: size.state === 'paused' ? after(now, -DAY_MS) : null,
    goal: size.goal,
    owner: wishes.user_id,
    timezone: 'UTC',
    windows: new Json([{ days: [1, 2, 3, 4, 5], from: '08:00', to: '16:00' }]),
    postal_address_id: sender.postal_address_id,
    guardrails: new Json(GUARDRAILS),
    review_bound_revision: 1,
    review_bound_at: began,
    ...by('created_by', wishes.by),
    created_at: began,
    updated_at: now,
    ...by('activated_by', wishes.by),
    activated_at: began,
  });
  // Of their own chance, so that the rest of the desk stays as its seed makes it.
  const ids = seeded(wishes.seed + size.began_days);
  const fact = (kind: string, at: Date, details: object = {}): void =>
    plan.add('campaign_facts', {
      id: ids.id(at),
      campaign_id: id,
      kind,
      details: new Json(details),
      ...by('by', wishes.by),
      at,
    });
  fact('created', began);
  fact('sequence', after(began, MINUTE_MS), { sequence_revision: 1 });
  fact('pool', after(began, 2 * MINUTE_MS), { from: [], to: [{ identity_id: sender.id, weight: 1 }] });
  fact('activated', after(began, 3 * MINUTE_MS));
  if (size.state === 'paused') fact('paused', after(now, -DAY_MS), { reason: 'person' });
  if (size.state === 'finished') fact('finished', after(now, -DAY_MS));
  plan.add('campaign_identities', { campaign_id: id, identity_id: sender.id, weight: 1 });
  const steps = STEPS.map((step, position) => ({ ...step, id: chance.id(began), position }));
  for (const { id: step_id, position, wait_days, subject, text } of steps)
    plan.add('sequence_steps', {
      id: step_id,
      campaign_id: id,
      position,
      kind: 'letter',
      wait_days,
      subject,
      text,
      same_thread: position > 0,
    });
  const days = openDays(plan, id, sender);
  const positives: Positive[] = [];
  for (const [n, person] of people.entries()) {
    const begins = workingHour(plan, after(began, (n / people.length) * size.over_days * DAY_MS));
    const outcome = chance.weighted(OUTCOMES);
    const answered_step = outcome === 'none' ? steps.length : chance.below(steps.length);
    const prospect_id = chance.id(began);
    days.moved(began, null, 'enrolled');
    let at = begins;
    let stage: Stage = 'enrolled';
    let stage_at = began;
    let ended: string | null = null;
    let away: Date | null = null;
    let next: { id: string; due: Date } | null = null;
    const letters: { subject: string; message_id: string; references: string[] }[] = [];
    let thread_id: string | null = null;
    for (const step of steps) {
      at = step.position === 0 ? begins : workingHour(plan, after(at, step.wait_days * DAY_MS));
      if (at >= now || (size.state === 'paused' && at >= after(now, -DAY_MS))) {
        next = { id: step.id, due: at < now ? after(now, DAY_MS) : at };
        break;
      }
      thread_id ??= chance.id(at);
      const bounced = outcome === 'bounced' && step.position === 0;
      letters.push(
        planLetter(plan, {
          step,
          at,
          person,
          sender,
          campaign_id: id,
          prospect_id,
          thread_id,
          bounced,
          before: letters.at(-1),
        }),
      );
      days.sent(at, step.position === 0);
      if (step.position === 0) {
        days.moved(at, stage, 'contacted');
        [stage, stage_at] = ['contacted', at];
      }
      const heard = after(at, (bounced ? 0.02 : 2 + chance.next() * 40) * HOUR_MS);
      if (outcome === 'none' || (step.position !== answered_step && !bounced) || heard >= now) continue;
      days.moved(heard, stage, STAGE[outcome]);
      stage = STAGE[outcome];
      stage_at = heard;
      if (outcome !== 'bounced')
        planReply(plan, {
          at: heard,
          person,
          sender,
          campaign_id: id,
          thread_id,
          letter: letters.at(-1),
          read:
            outcome in READ_AS
              ? 'positive'
              : (outcome as Exclude<Outcome, 'none' | 'bounced' | 'meeting' | 'won'>),
        });
      if (outcome === 'out_of_office') {
        away = after(now, 5 * DAY_MS);
        next = steps[step.position + 1] ? { id: steps[step.position + 1]?.id ?? '', due: away } : null;
      } else ended = stage === 'bounced' ? null : stage;
      if (['positive', 'meeting', 'won'].includes(stage))
        positives.push({ person, campaign_id: id, prospect_id, at: heard, stage });
      break;
    }
    const begun = letters.length > 0 || next?.id !== steps[0]?.id;
    const waits = ended === null && stage !== 'bounced' ? next : null;
    plan.add('prospects', {
      id: prospect_id,
      campaign_id: id,
      person_id: person.id,
      stage,
      stage_at,
      identity_id: begun ? sender.id : null,
      step_id: waits?.id ?? null,
      due_at: waits?.due ?? null,
      next_at: waits ? waits.due : null,
      hold_by: away ? 'away' : null,
      hold_reason: away ? 'away' : null,
      hold_until: away,
      held_at: away ? stage_at : null,
      ended,
      ended_at: ended ? stage_at : null,
      ...by('enrolled_by', wishes.by),
      created_at: began,
      updated_at: stage_at,
    });
    if (waits && !away && size.state === 'active')
      plan.awaiting.push({ prospect_id, step_id: waits.id, scheduled_for: waits.due });
  }
  days.write();
  return positives;
}

/** What numbers by day are drawn from, counted as letters go and answers come. */
function openDays(plan: Plan, campaign_id: string, sender: SampleSender) {
  const reached = new Map<string, number>();
  const one = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);
  return {
    moved(at: Date, from: Stage | null, to: Stage) {
      for (const stage of reachedBy(from, to)) one(reached, `${dayOf(at)} ${stage}`);
    },
    sent(at: Date, first: boolean) {
      const scopes = [`identity ${sender.id}`, `domain ${sender.domain_id}`, `campaign ${campaign_id}`];
      for (const scope of [...scopes, ...(first ? [`campaign_new ${campaign_id}`] : [])])
        one(sender.started, `${scope} ${dayOf(at)}`);
    },
    write() {
      for (const [key, people] of reached) {
        const [day = '', stage = ''] = key.split(' ');
        plan.add('stages_reached', { campaign_id, day, stage, people });
      }
    },
  };
}
