// The doors outside /api that features list (kernel/hook.ts). No credential is read here, a session's cookie neither: what a
// stranger's mail program or a vendor may do hangs on nothing but what they sent.
import type { FastifyInstance } from 'fastify';
import type { House } from '../kernel/house.ts';
import { readBytes } from './body.ts';

export function mountHooks(app: FastifyInstance, house: House): void {
  for (const { method, path, handle } of house.features.flatMap((feature) => feature.hooks ?? []))
    app.route({
      method,
      url: path,
      // Nobody's rights are lent to whoever calls, so that whose page it is does not matter (edge.ts).
      config: { fromAnywhere: true },
      handler: async (request, reply) => {
        const [name = ''] = Object.values(request.params as Record<string, string>);
        const answer = await handle(house, {
          name,
          query: (request.raw.url ?? '').split('?').slice(1).join('?'),
          headers: request.headers,
          address: request.ip,
          body: (limitBytes) => readBytes(request.raw, limitBytes),
        });
        return reply
          .code(answer.status)
          .headers({ 'cache-control': 'no-store', ...answer.headers })
          .send(answer.body);
      },
    });
}
