// Which entry point a request goes to. No business, no gate; what every request meets before that is in edge.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App, Identify } from '../kernel/app.ts';
import { UNAUTHORIZED } from '../kernel/sentences.ts';
import { openCredentials } from './credentials.ts';
import { isSecure } from './cookie.ts';
import { mountDocument } from './documents.ts';
import { mountEndpoint, openEdge } from './edge.ts';
import { mountHooks } from './hooks.ts';
import { openEndpoint } from './mcp/endpoint.ts';
import { INSTRUCTIONS } from './mcp/instructions.ts';
import { openResources } from './mcp/resources.ts';
import { openTools } from './mcp/tools.ts';
import { openMetrics, type SharedMetrics } from './metrics.ts';
import { mountUploads } from './multipart.ts';
import { apiPage } from './openapi/page.ts';
import { servedDocument } from './openapi/served.ts';
import { openRest, type RestHandler } from './rest.ts';
import { routerOf } from './router.ts';
import { serveScreens } from './static.ts';

export type HttpOptions = {
  app: App;
  identify: Identify;
  /** The address listened on; a loopback one refuses foreign Host names. */
  host: string;
  origins: string[];
  /** Who is believed on whom they speak for. */
  is_proxy: (address: string) => boolean;
  /** A worker answers /healthz and /metrics, and has no other entry point. */
  serves: 'all' | 'health_only';
  /** File of the API document as it is generated (openapi.json). */
  api_document: string;
  /** Folder of the built screens, or null where there are none. */
  screens: string | null;
  /** Whether the database answers and its schema is this version's. */
  health(): Promise<{ ok: true } | { ok: false; reason: string }>;
  /** What /metrics asks of the database. */
  figures(): Promise<SharedMetrics>;
};

export async function openHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { app, host, origins, is_proxy } = options;
  const { server, originCheck } = await openEdge({
    base_url: app.instance.base_url,
    host,
    origins,
    is_proxy,
    log: app.log,
  });
  const credentials = openCredentials(
    options.identify,
    originCheck,
    app.limits,
    isSecure(app.instance.base_url),
  );
  const look = shared(() => health(options), HEALTH_MS);
  server.get('/healthz', { config: { byAnyName: true } }, async (_request, reply) => {
    const found = await look();
    return reply
      .code(found.ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(found);
  });
  openMetrics(server, app, credentials, options.figures);
  if (options.serves === 'health_only') return server;
  const router = routerOf(app.operations);
  const closing = new AbortController();
  server.addHook('preClose', async () => closing.abort());
  const rest = openRest(app, router, credentials, closing.signal);
  const shelf = openResources(app, app.resources);
  const mcp = openEndpoint({
    name: `dunnock:${app.instance.name}`,
    instructions: INSTRUCTIONS,
    toolbox: openTools(app, router),
    shelf,
    identify: credentials.agent,
    log: app.log,
  });
  const traced = (entry: string, handler: RestHandler): RestHandler => {
    return (request, reply) =>
      app.trace.span(`${request.method} ${entry}`, { 'http.request.method': request.method }, async (add) => {
        const answer = await handler(request, reply);
        add({ 'http.response.status_code': reply.statusCode });
        return answer;
      });
  };
  const api = traced('/api', rest);
  mountEndpoint(server, traced('/mcp', mcp));
  server.all('/api/*', api);
  await mountUploads(server, app.operations, api);
  mountHooks(server, app);
  mountDocument(server, '/openapi.json', 'application/json; charset=utf-8', () =>
    servedDocument(options.api_document, app.instance),
  );
  mountDocument(server, '/api-docs', 'text/html; charset=utf-8', async () => apiPage(app));
  // Clients that look for OAuth must find nothing but a sentence, never the web app's page.
  server.all('/.well-known/*', noOAuth);
  server.all('/register', noOAuth);
  await serveScreens(server, options.screens);
  return server;
}

async function noOAuth(_request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const error_description = `${UNAUTHORIZED}; this service has no OAuth flow, send Authorization: Bearer <token>`;
  return reply.code(404).send({ error: 'not_found', error_description });
}

async function health({ app, health: check }: HttpOptions): ReturnType<HttpOptions['health']> {
  return check().catch((err: unknown) => {
    app.log.error({ err }, 'the health check failed');
    return { ok: false, reason: 'the database is not responding' };
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
