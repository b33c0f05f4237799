// An instance whole in a process of its own, for tests that kill it or run several: opened as its parent ordered, ended with its
// parent.
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pino } from 'pino';
import { openInstance, type RunningInstance } from '../../src/instance.ts';
import { readLimits } from '../../src/kernel/limits.ts';
import { readAllowedHosts } from '../../src/net/switches.ts';
import type { FreshDatabase } from './database.ts';

export type Ordered = {
  database: FreshDatabase['options'];
  /** Hexadecimal. */
  masterKey: string;
  /** How far its clock is ahead. */
  aheadMs?: number;
};

type Differs = {
  name?: string;
  baseUrl?: string;
  passes?: 'by_themselves' | 'when_told';
  /** Hosts that mail and tools may reach although private. */
  allowHosts?: string;
  /** Events may go to private addresses. */
  events?: boolean;
  /** SERVICE_RATE_LIMITS */
  limits?: string;
};

export async function openChild<Orders extends Ordered>(
  differs: Differs = {},
): Promise<{ orders: Orders; instance: RunningInstance; clock: { now: () => Date } }> {
  const orders = JSON.parse(process.argv[2] ?? '') as Orders;
  // A parent that died leaves no one behind.
  process.on('disconnect', () => process.exit(0));
  const clock = { now: () => new Date(Date.now() + (orders.aheadMs ?? 0)) };
  const instance = await openInstance({
    name: differs.name ?? 'test',
    version: '0',
    base_url: differs.baseUrl ?? null,
    host: '127.0.0.1',
    port: 0,
    origins: [],
    database: orders.database,
    migrations: join(import.meta.dirname, '../../migrations'),
    master_key: Buffer.from(orders.masterKey, 'hex'),
    provisioning_key: null,
    api_document: join(import.meta.dirname, '../../openapi.json'),
    screens: null,
    outside: {
      lookup: async () => [],
      // No one answers there: nothing of a test asks the network.
      dns: { servers: ['127.0.0.1:1'] },
      events: { allowPrivate: differs.events ?? false },
      hosts: { allowedHosts: readAllowedHosts(differs.allowHosts ?? '') },
      mail_ca: [],
    },
    sending: { enabled: true, development: false },
    limits: readLimits(differs.limits ?? ''),
    passes: differs.passes ?? 'by_themselves',
    clock,
    log: pino({ level: process.env['TEST_LOG'] ?? 'fatal' }),
  });
  // What is killed leaves nothing for the next one otherwise.
  flushCompileCache();
  return { orders, instance, clock };
}
