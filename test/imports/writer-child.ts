// The process that is killed: an instance whole whose pass writes big batches of people, with a clock that is ahead.
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pino } from 'pino';
import { openInstance } from '../../src/instance.ts';
import { keyOfText } from '../../src/store/seal.ts';
import type { FreshDatabase } from '../support/database.ts';
import { readAllowedHosts } from '../../src/net/switches.ts';

export type Orders = { database: FreshDatabase['options']; aheadMs: number };

const orders = JSON.parse(process.argv[2] ?? '') as Orders;
// A parent that died leaves nobody behind.
process.on('disconnect', () => process.exit(0));

const instance = await openInstance({
  name: 'test',
  version: '0',
  base_url: null,
  host: '127.0.0.1',
  port: 0,
  origins: [],
  database: orders.database,
  migrations: join(import.meta.dirname, '../../migrations'),
  master_key: keyOfText(`test ${orders.database.database}`),
  provisioning_key: null,
  screens: null,
  outside: {
    lookup: async () => [],
    dns: { servers: ['127.0.0.1:9'] },
    events: { allowPrivate: false },
    hosts: { allowedHosts: readAllowedHosts('') },
  },
  sending: { enabled: true, development: false },
  passes: 'by_themselves',
  clock: { now: () => new Date(Date.now() + orders.aheadMs) },
  log: pino({ level: 'fatal' }),
});
// What is killed leaves nothing for the next one otherwise.
flushCompileCache();
await instance.jobs.run('imports');
process.send?.('idle');
