// The process that is killed: an instance whole, with a clock that is ahead, that commits facts with their events while its
// own pass delivers them.
import { setImmediate as turn } from 'node:timers/promises';
import { newId } from '../../src/kernel/ids.ts';
import { openChild } from '../support/child.ts';
import type { ChildOrders } from './crash.ts';

const { orders, instance, clock } = await openChild<ChildOrders>({ name: 'crash', events: true });
const { database, sealer } = instance.app;
const { writer } = instance.pools;
const sealed = sealer.seal(orders.secret, 'events_webhook.secret');
await writer`insert into events_webhook (url, delivering, secret, secret_at) values (${orders.url}, true, ${sealed}, ${clock.now()})
             on conflict (the_one) do nothing`;

const IN_ONE = 8;
for (let n = 0; n < orders.facts; n += IN_ONE) {
  await database
    .transact(async (tx) => {
      for (let i = 0; i < Math.min(IN_ONE, orders.facts - n); i++) {
        const data = { send_id: newId(), campaign_id: null, person_id: newId(), reason: 'daily_cap' };
        const id = await database.emit(tx, 'send.held', data, clock.now());
        await tx`insert into test_facts (id) values (${id})`;
      }
      if (n % (5 * IN_ONE) === 0 && n > 0) throw new Error('rolled back');
    })
    .catch(() => undefined);
  database.tell([{ topic: 'events_due', id: '' }]);
  if (n < orders.facts / 2 && n + IN_ONE >= orders.facts / 2) process.send?.('half');
  await turn();
}
await instance.jobs.run('deliveries');
process.send?.('idle');
