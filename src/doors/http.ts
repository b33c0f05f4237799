// The HTTP edge: limits, deadlines, security headers, and which door a request goes to. No business, no gate.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import helmet from '@fastify/helmet';
import type { House, Identify } from '../kernel/house.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { METHOD_NOT_ALLOWED, UNAUTHORIZED } from '../kernel/sentences.ts';
import type { Resource } from '../kernel/tool.ts';
import { openCredentials } from './credentials.ts';
import { errorAnswer } from './errors.ts';
import { openEndpoint } from './mcp/endpoint.ts';
import { INSTRUCTIONS } from './mcp/instructions.ts';
import { openShelf } from './mcp/shelf.ts';
import { openToolbox } from './mcp/toolbox.ts';
import { openMetrics } from './metrics.ts';
import { apiPage, openApiDocument } from './openapi.ts';
import { openPremises } from './premises.ts';
import { openRest } from './rest.ts';
import { routerOf } from './router.ts';
import { serveScreens } from './static.ts';

export type HttpOptions = {
  house: House;
  identify: Identify;
  /** Resources whose feature has not landed: listed, and absent when read. */
  awaited: Resource[];
  /** The address listened on; a loopback one refuses foreign Host names. */
  host: string;
  origins: string[];
  /** Folder of the built screens, or null where there are none. */
  screens: string | null;
  /** Whether the database answers and its schema is this version's. */
  health(): Promise<{ ok: true } | { ok: false; reason: string }>;
};

/** A request must have arrived whole within this, a slow body included. */
const REQUEST_MS = 30 * SECOND_MS;
const HEADERS_MS = 10 * SECOND_MS;
const CHECK_MS = 2 * SECOND_MS;
const KEEP_ALIVE_MS = 65 * SECOND_MS;

export async function openHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { house, host, origins } = options;
  const premises = openPremises({ base_url: house.instance.base_url, host, origins });
  const credentials = openCredentials(options.identify, premises);
  const router = routerOf(house.operations);
  const rest = openRest(house, router, credentials);
  const shelf = openShelf(house, [...house.resources, ...options.awaited]);
  const mcp = openEndpoint({
    name: `dunnock:${house.instance.name}`,
    instructions: INSTRUCTIONS,
    toolbox: openToolbox(house, router),
    shelf,
    identify: (request) => credentials.agent(request.raw),
    log: house.log,
  });
  const app = Fastify({
    logger: false,
    trustProxy: 'loopback',
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false },
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS, maxHeaderSize: 16_384 },
  });
  // A body is read by the door that wants it, after the gates that do not: the edge only hands the stream on.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  await app.register(helmet, helmetOptions(house.instance.base_url));
  app.setErrorHandler((error, _request, reply) => sendError(house, error, reply));
  app.addHook('onRequest', async (request) => premises.demandKnown(request.raw));

  app.route({ method: ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'], url: '/mcp', handler: refuseMethod });
  app.post('/mcp', mcp);
  app.all('/api/*', rest);
  app.get('/healthz', async (_request, reply) => health(options, reply));
  app.get('/openapi.json', async () => openApiDocument(house));
  app.get('/api-docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(apiPage(house)));
  openMetrics(app, house, credentials);
  // Clients that look for OAuth must find nothing but a sentence, never the web app's page.
  app.all('/.well-known/*', noOAuth);
  app.all('/register', noOAuth);
  await serveScreens(app, options.screens);
  return app;
}

async function refuseMethod(_request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  return reply.code(405).header('allow', 'POST').send({ error: { code: 'invalid', message: METHOD_NOT_ALLOWED } });
}

async function noOAuth(_request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const error_description = `${UNAUTHORIZED}; this service has no OAuth flow, send Authorization: Bearer <token>`;
  return reply.code(404).send({ error: 'not_found', error_description });
}

async function health({ house, health: check }: HttpOptions, reply: FastifyReply): Promise<unknown> {
  const found = await check().catch((err: unknown) => {
    house.log.error({ err }, 'the health check failed');
    return { ok: false as const, reason: 'the database does not answer' };
  });
  return reply.code(found.ok ? 200 : 503).header('cache-control', 'no-store').send(found);
}

function sendError(house: House, error: unknown, reply: FastifyReply): FastifyReply {
  const { status, body, headers } = errorAnswer(error, house.log);
  return reply.code(status).headers({ ...headers, 'cache-control': 'no-store' }).send(body);
}

function helmetOptions(base_url: string) {
  const https = base_url.startsWith('https:');
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // The component library sets styles on elements.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        frameSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    hsts: https,
    referrerPolicy: { policy: 'same-origin' as const },
    crossOriginEmbedderPolicy: false,
  };
}
