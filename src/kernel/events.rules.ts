// The five kinds of event (interface specification §6) and the shape of each body (domain.md §2). An event carries ids and
// the listed fields, never a body, a subject or a snippet of anyone's mail, and no permission to act.

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

/** Each kind by name: what people call it, and the fields of its body in their order. A new kind is added here. */
export const EVENTS = {
  'reply.landed': {
    title: 'Reply received',
    fields: ['touch_id', 'person_id', 'campaign_id', 'channel', 'reading'],
  },
  'send.held': { title: 'Letter held', fields: ['send_id', 'campaign_id', 'person_id', 'reason'] },
  'domain.paused': { title: 'Domain paused', fields: ['domain_id', 'domain', 'reason'] },
  'deal.opened': {
    title: 'Deal opened',
    fields: ['deal_id', 'campaign_id', 'person_id', 'prospect_id', 'state'],
  },
  'work.review_parked': {
    title: 'Card parked for review',
    fields: ['item_id', 'project_id', 'title', 'approval_id', 'moved_by'],
  },
} as const satisfies { [E in EventName]: { title: string; fields: readonly (keyof EventData[E])[] } };

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

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
    data: carried(event, data),
  });
}

/** The listed fields and no other, whatever else the value has: a type alone would let a wider one through. */
const carried = <E extends EventName>(event: E, data: EventData[E]): EventData[E] =>
  Object.fromEntries(
    EVENTS[event].fields.map((field) => [field, shown(field, Reflect.get(data, field))]),
  ) as EventData[E];

function shown(field: string, value: unknown): unknown {
  // Any other value is sent as `unread` (specification §6).
  if (field === 'reading') return READINGS.includes(value as Reading) ? value : 'unread';
  if (field !== 'moved_by') return value;
  const { kind, id, name } = value as EventData['work.review_parked']['moved_by'];
  return { kind, id, name };
}

/** Notifies that a delivery is due: it wakes the pass that sends them. */
export const DELIVERIES_DUE = 'events_due';
