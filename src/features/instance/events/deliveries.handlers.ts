// Handlers of deliveries: the list, and sending again.
import { z } from 'zod';
import { DELIVERIES_DUE } from '../../../kernel/events.rules.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, notFound } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
import { id } from '../../../kernel/shapes.ts';
import {
  MOST_REDELIVERED,
  eventsRecent,
  eventsRedeliver,
  eventsRedeliverRange,
} from './deliveries.contract.ts';
import { deliveryRows, lockDelivery, queueAgain, queueSpanAgain } from './deliveries.store.ts';

export const recent = bind(eventsRecent, async ({ db, caller }, { limit, cursor, event, state }) => {
  const before = keyIn(cursor, () => z.tuple([id]))?.[0] ?? null;
  const rows = await deliveryRows(db, caller, { event, state, before, count: limit + 1 });
  return pageOf(rows, limit, (row) => [row.id]);
});

export const redeliver = bind(eventsRedeliver, async ({ db, caller, now, tell }, { id: asked }) => {
  const row = await lockDelivery(db, caller, asked);
  if (!row) throw notFound('delivery', 'deliveries are deleted 30 days after their event');
  if (row.state === 'pending')
    throw conflict('this delivery is still being retried: wait for the next attempt');
  if (row.state === 'delivered') throw conflict('this delivery succeeded: it can’t be sent again');
  const delivery = await queueAgain(db, row, now);
  tell(DELIVERIES_DUE, '');
  return { delivery };
});

export const redeliverRange = bind(
  eventsRedeliverRange,
  async ({ db, caller, now, tell }, { since, until, state }) => {
    const queued = await queueSpanAgain(db, caller, { since, until, state }, now, MOST_REDELIVERED);
    if (queued > 0) tell(DELIVERIES_DUE, '');
    return { queued, more: queued === MOST_REDELIVERED };
  },
);
