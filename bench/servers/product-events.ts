// The product whole, as product.ts has it, with events that go where the benchmark says: told a receiver, it posts to that
// one from then on; told a number, it queues so many events, and the pass wakes on its own.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../src/kernel/clock.ts';
import { DELIVERIES_DUE } from '../../src/kernel/events.rules.ts';
import { newId } from '../../src/kernel/ids.ts';
import { WEBHOOK } from '../../src/features/instance/events/pass.ts';
import { instance } from './product.ts';

export type Order = { to: string } | { queue: number } | { forget: true };

const { database, sealer } = instance.app;
const { writer } = instance.pools;
const secret = sealer.seal(`whsec_${randomBytes(32).toString('base64url')}`, 'events_webhook.secret');

async function follow(order: Order): Promise<void> {
  if ('queue' in order) {
    const data = { campaign_id: null, reason: 'daily_cap' as const };
    await database.transact(async (tx) => {
      for (let n = 0; n < order.queue; n++)
        await database.emit(
          tx,
          'send.held',
          { ...data, send_id: newId(), person_id: newId() },
          systemClock.now(),
        );
    });
    database.tell([{ topic: DELIVERIES_DUE, id: '' }]);
  } else if ('to' in order) {
    await writer`
      insert into events_webhook (url, delivering, secret, secret_at) values (${order.to}, true, ${secret}, now())
      on conflict (the_one) do update set url = ${order.to}, delivering = true`;
    database.tell([{ topic: WEBHOOK, id: '' }]);
  } else {
    // A batch that is under way starts nothing more, and nothing is due.
    await writer`update events_webhook set delivering = false`;
    database.tell([{ topic: WEBHOOK, id: '' }]);
    await writer`delete from event_deliveries`;
  }
}

process.on('message', (order: Order) => void follow(order).then(() => process.send?.('done')));
