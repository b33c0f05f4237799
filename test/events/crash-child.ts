// The process that is killed: an instance whole, with a clock that is ahead, that commits facts with their events while its
// own pass delivers them.
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { openInstance } from '../../src/instance.ts';
import { newId } from '../../src/kernel/ids.ts';
import { readAllowedHosts } from '../../src/net/switches.ts';
import type { ChildOrders } from './crash.ts';

const orders = JSON.parse(process.argv[2] ?? '') as ChildOrders;
// A parent that died leaves nobody behind.
process.on('disconnect', () => process.exit(0));

const clock = { now: () => new Date(Date.now() + orders.aheadMs) };
const instance = await openInstance({
  name: 'crash',
  version: '0',
  base_url: null,
  host: '127.0.0.1',
  port: 0,
  origins: [],
  database: orders.database,
  migrations: join(import.meta.dirname, '../../migrations'),
  master_key: Buffer.from(orders.masterKey, 'hex'),
  provisioning_key: null,
  screens: null,
  outside: {
    lookup: async () => [],
    dns: { servers: ['127.0.0.1:9'] },
    events: { allowPrivate: true },
    hosts: { allowedHosts: readAllowedHosts('') },
  },
  sending: { enabled: true, development: false },
  passes: 'by_themselves',
  clock,
  log: pino({ level: 'fatal' }),
});
// What is killed leaves nothing for the next one otherwise.
flushCompileCache();
const { ground, sealer } = instance.house;
const { writer } = instance.pools;
const sealed = sealer.seal(orders.secret, 'events_webhook.secret');
await writer`insert into events_webhook (url, delivering, secret, secret_at) values (${orders.url}, true, ${sealed}, ${clock.now()})
             on conflict (the_one) do nothing`;

const IN_ONE = 8;
for (let n = 0; n < orders.facts; n += IN_ONE) {
  await ground
    .transact(async (tx) => {
      for (let i = 0; i < Math.min(IN_ONE, orders.facts - n); i++) {
        const data = { send_id: newId(), campaign_id: null, person_id: newId(), reason: 'daily_cap' };
        const id = await ground.emit(tx, 'send.held', data, clock.now());
        await tx`insert into test_facts (id) values (${id})`;
      }
      if (n % (5 * IN_ONE) === 0 && n > 0) throw new Error('rolled back');
    })
    .catch(() => undefined);
  ground.tell([{ topic: 'events_due', id: '' }]);
  if (n < orders.facts / 2 && n + IN_ONE >= orders.facts / 2) process.send?.('half');
  await turn();
}
await instance.jobs.run('deliveries');
process.send?.('idle');
