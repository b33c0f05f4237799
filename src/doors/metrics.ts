// Figures for Prometheus at /metrics: the process's own and one histogram of requests by door. Read with an administrator's
// token, since they tell how busy the instance is.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { nameOf } from '../kernel/caller.ts';
import type { House } from '../kernel/house.ts';
import { demand } from '../kernel/policy.ts';
import type { Credentials } from './credentials.ts';
import { unauthorized } from './credentials.ts';

export function openMetrics(app: FastifyInstance, house: House, credentials: Credentials): void {
  const register = new Registry();
  register.setDefaultLabels({ instance: house.instance.name });
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: 'dunnock_request_seconds',
    help: 'Time from a request to its answer, by door and status.',
    labelNames: ['door', 'method', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 30],
    registers: [register],
  });
  app.addHook('onResponse', (request, reply, done) => {
    requests.observe(
      { door: doorOf(request), method: request.method, status: `${reply.statusCode}` },
      reply.elapsedTime / 1000,
    );
    done();
  });
  app.get('/metrics', async (request, reply) => {
    const caller = await credentials.direct(request);
    if (caller.credential.kind === 'none') throw unauthorized();
    demand(caller.rights, nameOf(caller), 'admin.metric.read', ['admin:metric']);
    return reply.type(register.contentType).send(await register.metrics());
  });
}

/** A path would make a label of every id; the door is what is compared. */
function doorOf(request: FastifyRequest): string {
  const [, first = ''] = (request.raw.url ?? '').split(/[/?]/);
  return ['api', 'mcp', 'hooks', 'u'].includes(first) ? first : 'screens';
}
