// Which door a request goes to. No business, no gate; what every request meets before that stands in edge.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { House, Identify } from '../kernel/house.ts';
import { UNAUTHORIZED } from '../kernel/sentences.ts';
import { openCredentials } from './credentials.ts';
import { isSecure } from './cookie.ts';
import { mountDocument } from './documents.ts';
import { mountEndpoint, openEdge } from './edge.ts';
import { mountHooks } from './hooks.ts';
import { openEndpoint } from './mcp/endpoint.ts';
import { INSTRUCTIONS } from './mcp/instructions.ts';
import { openShelf } from './mcp/shelf.ts';
import { openToolbox } from './mcp/toolbox.ts';
import { openMetrics, type SharedFigures } from './metrics.ts';
import { mountUploads } from './multipart.ts';
import { openApiText } from './openapi/document.ts';
import { apiPage } from './openapi/page.ts';
import { openRest, type RestDoor } from './rest.ts';
import { routerOf } from './router.ts';
import { serveScreens } from './static.ts';

export type HttpOptions = {
  house: House;
  identify: Identify;
  /** The address listened on; a loopback one refuses foreign Host names. */
  host: string;
  origins: string[];
  /** Who is believed on whom they speak for; loopback alone, where nothing is said. */
  is_proxy?: (address: string) => boolean;
  /** A worker answers /healthz and /metrics, and has no other door. */
  doors: 'all' | 'health_alone';
  /** Folder of the built screens, or null where there are none. */
  screens: string | null;
  /** Whether the database answers and its schema is this version's. */
  health(): Promise<{ ok: true } | { ok: false; reason: string }>;
  /** What /metrics asks of the database. */
  figures(): Promise<SharedFigures>;
};

export async function openHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { house, host, origins, is_proxy } = options;
  const { app, originCheck } = await openEdge({
    base_url: house.instance.base_url,
    host,
    origins,
    ...(is_proxy && { is_proxy }),
    log: house.log,
  });
  const credentials = openCredentials(
    options.identify,
    originCheck,
    house.limits,
    isSecure(house.instance.base_url),
  );
  const look = shared(() => health(options), HEALTH_MS);
  app.get('/healthz', { config: { byAnyName: true } }, async (_request, reply) => {
    const found = await look();
    return reply
      .code(found.ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(found);
  });
  openMetrics(app, house, credentials, options.figures);
  if (options.doors === 'health_alone') return app;
  const router = routerOf(house.operations);
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  const rest = openRest(house, router, credentials, closing.signal);
  const shelf = openShelf(house, house.resources);
  const mcp = openEndpoint({
    name: `dunnock:${house.instance.name}`,
    instructions: INSTRUCTIONS,
    toolbox: openToolbox(house, router),
    shelf,
    identify: credentials.agent,
    log: house.log,
  });
  const traced = (door: string, handler: RestDoor): RestDoor => {
    return (request, reply) =>
      house.trace.span(
        `${request.method} ${door}`,
        { 'http.request.method': request.method },
        async (add) => {
          const answer = await handler(request, reply);
          add({ 'http.response.status_code': reply.statusCode });
          return answer;
        },
      );
  };
  const api = traced('/api', rest);
  mountEndpoint(app, traced('/mcp', mcp));
  app.all('/api/*', api);
  await mountUploads(app, house.operations, api);
  mountHooks(app, house);
  mountDocument(app, '/openapi.json', 'application/json; charset=utf-8', () => openApiText(house));
  mountDocument(app, '/api-docs', 'text/html; charset=utf-8', async () => apiPage(house));
  // Clients that look for OAuth must find nothing but a sentence, never the web app's page.
  app.all('/.well-known/*', noOAuth);
  app.all('/register', noOAuth);
  await serveScreens(app, options.screens);
  return app;
}

async function noOAuth(_request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const error_description = `${UNAUTHORIZED}; this service has no OAuth flow, send Authorization: Bearer <token>`;
  return reply.code(404).send({ error: 'not_found', error_description });
}

async function health({ house, health: check }: HttpOptions): ReturnType<HttpOptions['health']> {
  return check().catch((err: unknown) => {
    house.log.error({ err }, 'the health check failed');
    return { ok: false, reason: 'the database does not answer' };
  });
}

/** Whoever asks while one looks, or within so long after, hears what that one found. */
const HEALTH_MS = 500;

function shared<T>(look: () => Promise<T>, for_ms: number): () => Promise<T> {
  let last: { found: Promise<T>; ended: number } | null = null;
  return () => {
    if (last && performance.now() - last.ended < for_ms) return last.found;
    const one = { found: look(), ended: Infinity };
    void one.found.finally(() => (one.ended = performance.now()));
    last = one;
    return one.found;
  };
}
