// Deliveries of events: the list for those who run no listener, and sending one again (interface specification §6).
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { EVENT_NAMES } from '../../../kernel/events.rules.ts';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, time } from '../../../kernel/shapes.ts';

export const STATES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof STATES)[number];

/** Rows that one call sends again, at most. */
export const MOST_REDELIVERED = 1_000;

export const delivery = z.object({
  /** The id that the receiver deduplicates on, `X-Service-Delivery`. */
  id,
  event: z.enum(EVENT_NAMES),
  occurred_at: time,
  /** The exact text that is signed and posted. */
  body: z.string(),
  state: z.enum(STATES),
  /** Attempts that were spent; the fourth failure is final. */
  attempts: z.int(),
  next_attempt_at: time.nullable(),
  /** HTTP status of the last answer; null where none came. */
  last_status: z.int().nullable(),
  /** Why the last attempt failed, as a class of ours; never the receiver's text. */
  last_error: z.string().nullable(),
  delivered_at: time.nullable(),
});
export type Delivery = z.infer<typeof delivery>;
named('EventDelivery', delivery);

export const eventsRecent = operation({
  name: 'events_recent',
  says: 'Lists deliveries of events about what you may read, newest first, with their exact bodies; for those who run no listener, and to see why one failed.',
  method: 'GET',
  path: '/api/admin/events/recent',
  takes: z.strictObject({
    event: z.enum(EVENT_NAMES).optional(),
    state: z.enum(STATES).optional(),
    ...page,
  }),
  gives: listOf(delivery),
  example: {},
  effect: 'read',
  needs: { action: 'admin.event.read', on: () => ['admin:event'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const eventsExport = csvOf(eventsRecent, 'events_export', 'deliveries of events');

export const eventsRedeliver = operation({
  name: 'events_redeliver',
  says: 'Resends a failed or skipped delivery: same id and bytes, signed with the current secret, with all attempts.',
  method: 'POST',
  path: '/api/admin/events/:id/redeliver',
  takes: z.strictObject({ id }),
  gives: z.object({ delivery }),
  example: { id: '0198c0de-0000-7000-8000-00000000000e' },
  effect: 'write',
  needs: { action: 'admin.event.redeliver', on: () => ['admin:event'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const eventsRedeliverRange = operation({
  name: 'events_redeliver_range',
  says: `Resends failed or skipped deliveries of a time range, oldest first, at most ${MOST_REDELIVERED.toLocaleString('en')} per call.`,
  method: 'POST',
  path: '/api/admin/events/redeliver',
  takes: z.strictObject({
    /** Of the moment at which the event occurred; `since` is inside, `until` is not. */
    since: time,
    until: time.optional(),
    state: z.enum(['failed', 'skipped']),
  }),
  /** `more`: there are others in the span; call again. */
  gives: z.object({ queued: z.int(), more: z.boolean() }),
  example: { since: '2026-03-02T14:00:00.000Z', state: 'failed' },
  effect: 'write',
  needs: { action: 'admin.event.redeliver', on: () => ['admin:event'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
