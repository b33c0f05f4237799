// The process that is killed: an instance whole, whose own pass sends what is due.
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pino } from 'pino';
import { openInstance } from '../../src/instance.ts';
import { readAllowedHosts } from '../../src/net/switches.ts';
import type { ChildOrders } from './crash.ts';

const orders = JSON.parse(process.argv[2] ?? '') as ChildOrders;
// A parent that died leaves nobody behind.
process.on('disconnect', () => process.exit(0));

const instance = await openInstance({
  name: 'crash',
  version: '0',
  base_url: 'https://desk.example',
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
    // Nobody answers there: nothing of a test asks the network.
    dns: { servers: ['127.0.0.1:1'] },
    events: { allowPrivate: true },
    hosts: { allowedHosts: readAllowedHosts('127.0.0.1') },
  },
  sending: { enabled: true, development: false },
  passes: 'by_themselves',
  clock: { now: () => new Date(Date.now() + orders.aheadMs) },
  log: pino({ level: process.env['TEST_LOG'] ?? 'fatal' }),
});
process.send?.('open');
// What is killed leaves nothing for the next one otherwise.
flushCompileCache();
if (orders.untilIdle) {
  // Once more after the pass that began by itself: what it found leased may be free by now.
  await instance.jobs.run('letters');
  await instance.jobs.run('letters');
  process.send?.('idle');
}
