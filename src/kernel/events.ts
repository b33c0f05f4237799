// The five kinds of event (interface specification §6) and the shape of each body (domain.md §2). An event carries ids and
// the listed fields, never a body, a subject or a snippet of anybody's mail, and no permission to act.

export const READINGS = [
  'positive',
  'neutral',
  'negative',
  'referral',
  'unsubscribe',
  'out_of_office',
  'unread',
] as const;
export type Reading = (typeof READINGS)[number];

export type EventData = {
  'reply.landed': {
    touch_id: string;
    person_id: string;
    campaign_id: string | null;
    channel: string;
    reading: Reading;
  };
  'send.held': { send_id: string; campaign_id: string | null; person_id: string; reason: string };
  'domain.paused': { domain_id: string; domain: string; reason: string };
  'deal.opened': {
    deal_id: string;
    campaign_id: string | null;
    person_id: string;
    prospect_id: string | null;
    state: string;
  };
  'work.review_parked': {
    item_id: string;
    project_id: string;
    title: string;
    approval_id: string;
    moved_by: { kind: string; id: string; name: string };
  };
};

export type EventName = keyof EventData;

export const EVENT_NAMES = [
  'reply.landed',
  'send.held',
  'domain.paused',
  'deal.opened',
  'work.review_parked',
] as const satisfies EventName[];

/**
 * The exact bytes of a delivery. No attempt number and no sending time: a retry must be byte-identical, so that the
 * signature and the receiver's deduplication hold (domain.md §2).
 */
export function eventBody<E extends EventName>(envelope: {
  id: string;
  event: E;
  instance: string;
  occurred_at: Date;
  data: EventData[E];
}): string {
  const { id, event, instance, occurred_at, data } = envelope;
  return JSON.stringify({
    id,
    event,
    instance,
    occurred_at: occurred_at.toISOString(),
    data: CARRIES[event](data),
  });
}

/** The listed fields and no other, whatever stands in the value beside them: a type alone would let a wider one through. */
const CARRIES: { [E in EventName]: (data: EventData[E]) => EventData[E] } = {
  'reply.landed': ({ touch_id, person_id, campaign_id, channel, reading }) => ({
    touch_id,
    person_id,
    campaign_id,
    channel,
    // Any other value is sent as `unread` (specification §6).
    reading: READINGS.includes(reading) ? reading : 'unread',
  }),
  'send.held': ({ send_id, campaign_id, person_id, reason }) => ({ send_id, campaign_id, person_id, reason }),
  'domain.paused': ({ domain_id, domain, reason }) => ({ domain_id, domain, reason }),
  'deal.opened': ({ deal_id, campaign_id, person_id, prospect_id, state }) => ({
    deal_id,
    campaign_id,
    person_id,
    prospect_id,
    state,
  }),
  'work.review_parked': ({ item_id, project_id, title, approval_id, moved_by: { kind, id, name } }) => ({
    item_id,
    project_id,
    title,
    approval_id,
    moved_by: { kind, id, name },
  }),
};

/** News that a delivery is due: it wakes the pass that sends them. */
export const DELIVERIES_DUE = 'events_due';
