// The rest of a made-up desk: the sender, deals, a board with what waits for a person on it, and deliveries of events.
import { DAY_MS, HOUR_MS, MINUTE_MS, after } from '../../../kernel/clock.ts';
import { itemVector, searchVector } from '../../../kernel/words.ts';
import { by, Json, type Plan, SAMPLE_DOMAIN } from './plan.ts';
import type { SampleSender } from './plan.letters.ts';
import type { Positive } from './plan.outreach.ts';
import type { Metric } from './plan.people.ts';
import { CARDS, COMMENT, LABELS, SIGNATURE } from './words.rules.ts';

export type Key = { private_key: string; public_key: string };

/** A domain that passed its checks and is never checked again, since no one publishes it, and an identity of the sandbox. */
export function planSender(plan: Plan, key: (domain_id: string) => Key): SampleSender {
  const { chance, wishes } = plan;
  const at = after(wishes.now, -60 * DAY_MS);
  const [domain_id, id, postal_address_id] = [chance.id(at), chance.id(at), chance.id(at)];
  const passing = { outcome: 'passing', why: 'passing', found: null, checked_at: wishes.now.toISOString() };
  const owned = { ...by('created_by', wishes.by), created_at: at, updated_at: at };
  plan.add('postal_addresses', {
    id: postal_address_id,
    name: 'Sample office',
    lines: 'Halyard Rope & Sail\nQuay 1\nSampletown',
    created_at: at,
  });
  plan.add('domains', {
    id: domain_id,
    name: SAMPLE_DOMAIN,
    organisation: SAMPLE_DOMAIN,
    state: 'active',
    verified_at: at,
    dkim_selector: 'sample',
    dkim_algorithm: 'ed25519',
    dkim_private: key(domain_id).private_key,
    dkim_public: key(domain_id).public_key,
    auth: new Json({ spf: passing, dkim: passing, dmarc: passing }),
    checked_at: wishes.now,
    next_check_at: new Date('2100-01-01T00:00:00Z'),
    ...owned,
  });
  const address = `ada@${SAMPLE_DOMAIN}`;
  plan.add('identities', {
    id,
    domain_id,
    name: 'Ada Operator',
    address,
    normalised: address,
    signature_text: SIGNATURE,
    timezone: 'UTC',
    transport_kind: 'sandbox',
    transport: new Json({ kind: 'sandbox' }),
    active: true,
    ...owned,
  });
  return {
    id,
    name: 'Ada Operator',
    address,
    domain: SAMPLE_DOMAIN,
    domain_id,
    postal_address_id,
    started: new Map(),
  };
}

export function planStarted(plan: Plan, { started }: SampleSender): void {
  for (const [key, letters] of started) {
    const [scope = '', scope_id = '', day = ''] = key.split(' ');
    plan.add('letters_started', { scope, scope_id, day, started: letters });
  }
}

const LOST = ['Bought elsewhere', 'No budget this year', 'Too small an order'] as const;

export function planDeals(
  plan: Plan,
  count: number,
  positives: readonly Positive[],
  people: readonly Metric[],
): void {
  const { chance, wishes } = plan;
  for (let n = 0; n < count; n++) {
    const from = positives[n];
    const person = from?.person ?? people[(n * 7) % people.length];
    if (!person) return;
    const at = from?.at ?? after(wishes.now, -chance.below(40) * DAY_MS);
    const state = from?.stage === 'won' ? 'won' : chance.weighted({ open: 75, won: 12, lost: 13 });
    const closed = after(at, chance.next() * (wishes.now.getTime() - at.getTime()));
    const name = `${person.company}: ${chance.pick(['mooring lines', 'running rigging', 'towing gear', 'season contract'])}`;
    plan.add('deals', {
      id: chance.id(at),
      name,
      person_id: person.id,
      company_id: person.company_id,
      campaign_id: from?.campaign_id ?? null,
      prospect_id: from?.prospect_id ?? null,
      state,
      stage: state === 'won' ? (wishes.stages.at(-1) ?? '') : chance.pick(wishes.stages),
      amount: (4 + chance.below(90)) * 25_000,
      currency: 'EUR',
      expected_on: after(wishes.now, (5 + chance.below(60)) * DAY_MS)
        .toISOString()
        .slice(0, 10),
      owner: chance.next() < 0.6 ? wishes.user_id : null,
      lost_reason: state === 'lost' ? chance.pick(LOST) : null,
      opened_by: from ? 'reading' : 'person',
      position: (n + 1) * 1024,
      search: searchVector(name),
      ...by('created_by', wishes.by),
      created_at: at,
      updated_at: state === 'open' ? at : closed,
      closed_at: state === 'open' ? null : closed,
    });
  }
}

export function planBoard(plan: Plan, { cards, parked }: { cards: number; parked: number }): void {
  const { chance, wishes } = plan;
  const { now, project } = wishes;
  const made = after(now, -40 * DAY_MS);
  const [project_id, scout] = [
    chance.id(made),
    { kind: 'agent', id: chance.id(made), name: 'scout' } as const,
  ];
  plan.add('work_projects', {
    id: project_id,
    key: project.key,
    name: project.name,
    description: 'Made-up work of agents and people.',
    lead: wishes.user_id,
    labels: LABELS,
    next_number: cards + 1,
    created_at: made,
    updated_at: made,
  });
  for (let n = 0; n < cards; n++) {
    const waits = n < parked;
    const status = waits
      ? 'in_review'
      : chance.weighted({ backlog: 25, todo: 25, in_progress: 20, done: 25, cancelled: 5 });
    const at = after(now, -(1 + chance.below(38)) * DAY_MS);
    const last = after(at, chance.next() * (now.getTime() - at.getTime()));
    const [id, number, key] = [chance.id(at), n + 1, `${project.key}-${n + 1}`];
    const title = `${CARDS[n % CARDS.length]}${n >= CARDS.length ? `, part ${Math.floor(n / CARDS.length) + 1}` : ''}`;
    const author = waits || chance.next() < 0.5 ? scout : wishes.by;
    const approval_id = waits ? chance.id(last) : null;
    const held = status === 'in_progress' && chance.next() < 0.5;
    if (approval_id)
      plan.add('approvals', {
        id: approval_id,
        kind: 'work_review',
        subject_kind: 'item',
        subject_id: id,
        subject_key: key,
        subject_title: title,
        subject_revision: 2,
        project_id,
        ...by('requested_by', scout),
        ...by('author', scout),
        state: 'pending',
        announced_at: last,
        created_at: last,
      });
    plan.add('work_items', {
      id,
      project_id,
      number,
      title,
      description: chance.next() < 0.6 ? 'The list stands in the campaign; **half an hour** should do.' : '',
      status,
      priority: chance.weighted({ none: 40, low: 15, medium: 25, high: 15, urgent: 5 }),
      labels: chance.next() < 0.7 ? [chance.pick(LABELS)] : [],
      ...by('assignee', chance.next() < 0.6 ? (chance.next() < 0.5 ? scout : wishes.by) : null),
      ...by('author', author),
      due_on:
        chance.next() < 0.4
          ? after(now, (chance.below(30) - 6) * DAY_MS)
              .toISOString()
              .slice(0, 10)
          : null,
      needs_review: waits,
      approval_id,
      ...by('claim', held ? scout : null),
      claim_since: held ? now : null,
      claim_expires_at: held ? after(now, HOUR_MS) : null,
      position: (n + 1) * 1024,
      revision: waits ? 2 : 1,
      created_at: at,
      updated_at: last,
      completed_at: status === 'done' ? last : null,
      search: itemVector(title, key),
    });
    if (chance.next() < 0.3)
      plan.add('work_comments', {
        id: chance.id(last),
        item_id: id,
        ...by('author', scout),
        text: COMMENT,
        at: last,
      });
  }
}

/** Deliveries that are over, failures among them; none waits, so none is sent. */
export function planEvents(plan: Plan, count: number): void {
  const { chance, wishes } = plan;
  for (let n = 0; n < count; n++) {
    const at = after(wishes.now, -(count - n) * 4 * HOUR_MS);
    const event = chance.weighted({
      'reply.landed': 60,
      'send.held': 15,
      'deal.opened': 20,
      'work.review_parked': 5,
    });
    const state = chance.weighted({ delivered: 85, failed: 11, skipped: 4 });
    const id = chance.id(at);
    const failed = state === 'failed';
    plan.add('event_deliveries', {
      id,
      event,
      occurred_at: at,
      body: JSON.stringify({ id, event, instance: wishes.instance, occurred_at: at.toISOString(), data: {} }),
      state,
      attempts: state === 'skipped' ? 0 : failed ? 4 : 1,
      last_status: state === 'delivered' ? 200 : failed ? 503 : null,
      last_error: failed ? 'status' : null,
      delivered_at: state === 'delivered' ? after(at, MINUTE_MS) : null,
    });
  }
}
