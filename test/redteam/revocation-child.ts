// One more process of an instance: it serves until whoever started it goes, and says where.
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pino } from 'pino';
import { openInstance } from '../../src/instance.ts';
import { readAllowedHosts } from '../../src/net/switches.ts';
import type { ChildOrders } from './revocation.ts';

const orders = JSON.parse(process.argv[2] ?? '') as ChildOrders;
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
  master_key: Buffer.from(orders.masterKey, 'hex'),
  provisioning_key: null,
  screens: null,
  outside: {
    lookup: async () => [],
    dns: { servers: ['127.0.0.1:1'] },
    events: { allowPrivate: false },
    hosts: { allowedHosts: readAllowedHosts('') },
  },
  sending: { enabled: true, development: false },
  passes: 'when_told',
  clock: { now: () => new Date() },
  log: pino({ level: process.env['TEST_LOG'] ?? 'fatal' }),
});
flushCompileCache();
process.send?.(instance.address);
