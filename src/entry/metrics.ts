// Numbers for Prometheus at /metrics: the process's own, a histogram of requests by entry point, and what the database knows of
// passes and of what waits. Read with an administrator's token, since they tell how busy the instance is.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { nameOf } from '../kernel/caller.ts';
import type { App } from '../kernel/app.ts';
import { demand } from '../kernel/policy.ts';
import type { Credentials } from './credentials.ts';
import { unauthorized } from './credentials.ts';

/** What every process of one instance would say alike, asked of the database at each look. */
export type SharedMetrics = {
  passes: readonly { name: string; ran_at: Date; well_at: Date | null; claimed: number; faults: number }[];
  queues: readonly { name: string; due: number; oldest_at: Date | null }[];
  seal: { number: number; hash: string } | null;
  database: { bytes: number; connections: { used: number; most: number } };
};

export function openMetrics(
  server: FastifyInstance,
  app: App,
  credentials: Credentials,
  shared: () => Promise<SharedMetrics>,
): void {
  const register = new Registry();
  register.setDefaultLabels({ instance: app.instance.name });
  collectDefaultMetrics({ register });
  const observe = requestMetrics(register);
  const show = sharedMetrics(register);
  server.addHook('onResponse', (request, reply, done) => {
    observe(entryOf(request), request.method, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  server.get('/metrics', async (request, reply) => {
    const caller = await credentials.direct(request);
    if (caller.credential.kind === 'none') throw unauthorized();
    demand(caller.rights, nameOf(caller), 'admin.metric.read', ['admin:metric']);
    show(await shared(), app.clock.now());
    return reply.type(register.contentType).send(await register.metrics());
  });
}

function requestMetrics(register: Registry) {
  const requests = new Histogram({
    name: 'dunnock_request_seconds',
    help: 'Time from request to response, by entry point and status.',
    labelNames: ['entry', 'method', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 30],
    registers: [register],
  });
  const limited = new Counter({
    name: 'dunnock_rate_limited_total',
    help: 'Requests that got 429, by entry point.',
    labelNames: ['entry'],
    registers: [register],
  });
  return (entry: string, method: string, status: number, seconds: number): void => {
    requests.observe({ entry, method, status: `${status}` }, seconds);
    if (status === 429) limited.inc({ entry });
  };
}

function sharedMetrics(register: Registry) {
  const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
    new Gauge({ name, help, labelNames, registers: [register] });
  const ran = gauge('dunnock_pass_ran_seconds_ago', 'Seconds since a pass last ran, in any process.', [
    'pass',
  ]);
  const well = gauge('dunnock_pass_well_seconds_ago', 'Seconds since a pass last succeeded.', ['pass']);
  const claimed = gauge('dunnock_pass_claimed_rows', 'Rows that a pass has claimed so far.', ['pass']);
  const faults = gauge('dunnock_pass_faults', 'Failures of a pass so far.', ['pass']);
  const due = gauge('dunnock_queue_due', 'Rows that are due and waiting for a pass.', ['queue']);
  const oldest = gauge('dunnock_queue_oldest_seconds', 'How long the oldest due row has waited.', ['queue']);
  const sealed = gauge('dunnock_audit_seal', 'Number of the newest seal of the audit log, with its hash.', [
    'hash',
  ]);
  const bytes = gauge('dunnock_database_bytes', 'Size of the database.');
  const used = gauge('dunnock_database_connections', 'Open connections to the server, from all clients.');
  const most = gauge('dunnock_database_connections_most', 'Maximum connections of the server.');
  return (figures: SharedMetrics, now: Date): void => {
    const ago = (at: Date): number => Math.max(0, (now.getTime() - at.getTime()) / 1000);
    for (const { name, ran_at, well_at, ...counts } of figures.passes) {
      ran.set({ pass: name }, ago(ran_at));
      if (well_at) well.set({ pass: name }, ago(well_at));
      claimed.set({ pass: name }, counts.claimed);
      faults.set({ pass: name }, counts.faults);
    }
    for (const queue of figures.queues) {
      due.set({ queue: queue.name }, queue.due);
      oldest.set({ queue: queue.name }, queue.oldest_at ? ago(queue.oldest_at) : 0);
    }
    sealed.reset();
    if (figures.seal) sealed.set({ hash: figures.seal.hash }, figures.seal.number);
    bytes.set(figures.database.bytes);
    used.set(figures.database.connections.used);
    most.set(figures.database.connections.most);
  };
}

/** A path would make a label of every id; the entry point is what is compared. */
function entryOf(request: FastifyRequest): string {
  const [, first = ''] = (request.raw.url ?? '').split(/[/?]/);
  return ['api', 'mcp', 'hooks', 'u'].includes(first) ? first : 'screens';
}
