// The entry points outside /api that features list (kernel/hook.ts). No credential is read here, a session's cookie neither: what a
// stranger's mail program or a vendor may do hangs on nothing but what they sent.
import type { FastifyInstance } from 'fastify';
import type { App } from '../kernel/app.ts';
import { readBytes } from './body.ts';

export function mountHooks(server: FastifyInstance, app: App): void {
  for (const { method, path, handle } of app.features.flatMap((feature) => feature.hooks ?? []))
    server.route({
      method,
      url: path,
      // No one's rights are lent to whoever calls, so that whose page it is does not matter (edge.ts).
      config: { fromAnywhere: true },
      handler: async (request, reply) => {
        const [name = ''] = Object.values(request.params as Record<string, string>);
        const answer = await handle(app, {
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
