// The edge that every request passes: limits, deadlines, security headers, Host and Origin, and how errors look. It knows
// no feature and no app, so that a test can mount the endpoint with other tools behind the very same edge.
import { createServer } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import helmet from '@fastify/helmet';
import type { Logger } from 'pino';
import { SECOND_MS } from '../kernel/clock.ts';
import { Refusal } from '../kernel/refusal.ts';
import { METHOD_NOT_ALLOWED } from '../kernel/sentences.ts';
import { errorAnswer } from './errors.ts';
import type { Endpoint } from './mcp/endpoint.ts';
import { inTurns } from './turns.ts';
import { openOriginCheck, type OriginCheck, type OriginCheckOptions } from './origin-check.ts';

/** A request must have arrived whole within this, a slow body included. */
const REQUEST_MS = 30 * SECOND_MS;
const HEADERS_MS = 10 * SECOND_MS;
const CHECK_MS = 2 * SECOND_MS;
const KEEP_ALIVE_MS = 65 * SECOND_MS;

/**
 * `type/subtype`, parameters or none. Fastify answers on its own to what is no media type, before any entry point is asked; taken
 * for another type it reaches the entry point, which refuses it after the gates that come first.
 */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * `fromAnywhere`: a route that knows no credential, so that a foreign page borrows nothing by calling it. `byAnyName`: one that
 * tells no more than that it is there, to whoever watches over it under a name of their own.
 */
type Config = { fromAnywhere?: boolean; byAnyName?: boolean };

export type Edge = { server: FastifyInstance; originCheck: OriginCheck };

type EdgeOptions = OriginCheckOptions & { log: Logger; is_proxy: (address: string) => boolean };

export async function openEdge({ log, is_proxy, ...place }: EdgeOptions): Promise<Edge> {
  const originCheck = openOriginCheck(place);
  const server = Fastify({
    logger: false,
    trustProxy: is_proxy,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false },
    frameworkErrors: (error, _request, reply) => void sendError(error, reply, log),
    serverFactory: (handler) =>
      createServer(
        {
          requestTimeout: REQUEST_MS,
          keepAliveTimeout: KEEP_ALIVE_MS,
          headersTimeout: HEADERS_MS,
          connectionsCheckingInterval: CHECK_MS,
          maxHeaderSize: 16_384,
        },
        inTurns(handler, is_proxy),
      ),
  });
  // A body is read by the entry point that wants it, after the gates that do not: the edge only hands the stream on.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  // The library makes its headers again for each request, always the same; they are taken from the first (measured: 40 µs of
  // the 190 that a request costs here and at its sender).
  await server.register(helmet, { ...helmetOptions(place.base_url), global: false });
  let security: [name: string, value: string][] | null = null;
  server.setErrorHandler((error, _request, reply) => sendError(error, reply, log));
  server.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    security ??= securityHeaders(reply);
    // On the raw answer: a stream that is written past the framework carries them too.
    for (const [name, value] of security) reply.raw.setHeader(name, value);
    const { fromAnywhere, byAnyName } = routeOptions.config as Config;
    if (fromAnywhere) originCheck.demandKnownHost(raw);
    else if (!byAnyName) originCheck.demandKnown(raw);
    const type = raw.headers['content-type'];
    if (type !== undefined && !MEDIA_TYPE.test(type))
      raw.headers['content-type'] = 'application/octet-stream';
  });
  return { server, originCheck };
}

function securityHeaders(reply: FastifyReply): [string, string][] {
  reply.helmet();
  return Object.entries(reply.raw.getHeaders()).map(([name, value]) => [name, String(value)]);
}

function sendError(error: unknown, reply: FastifyReply, log: Logger): FastifyReply {
  const { status, body, headers } = errorAnswer(clientsFault(error) ?? error, log);
  return reply
    .code(status)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .send(body);
}

/** What Fastify itself finds wrong with a request (a path that does not decode, a method without its headers) is no fault of ours. */
function clientsFault(error: unknown): Refusal | null {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (typeof code !== 'string' || !code.startsWith('FST_ERR_')) return null;
  if (typeof statusCode !== 'number' || statusCode >= 500) return null;
  return new Refusal(
    statusCode,
    'invalid',
    'no route accepts a request like this: GET /openapi.json lists routes',
  );
}

/** POST /mcp, and the sentence for every other method: before authentication, since a 401 there sends clients into OAuth. */
export function mountEndpoint(server: FastifyInstance, endpoint: Endpoint): void {
  server.route({
    method: ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'],
    url: '/mcp',
    handler: refuseMethod,
  });
  server.post('/mcp', endpoint);
}

async function refuseMethod(_request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  return reply
    .code(405)
    .header('allow', 'POST')
    .send({ error: { code: 'invalid', message: METHOD_NOT_ALLOWED } });
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
