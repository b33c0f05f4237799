// The screens: built files with long-lived names, and one page for every path that is a screen's. What is no screen is 404 in
// JSON, so that no client takes the web app's page for an answer.
import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { notThere, notFound } from '../kernel/refusal.ts';

const NOT_SCREENS = /^\/(api|mcp|hooks|u|oauth)(\/|$)/i;

/** Vite names files under assets/ by their content: they may be kept for ever, everything else is asked for again. */
const cacheOf = (path: string): string =>
  path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

export async function serveScreens(server: FastifyInstance, folder: string | null): Promise<void> {
  const page = folder === null ? null : await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
  if (folder !== null && page !== null)
    await server.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      // The build lays compressed copies beside its files.
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        void reply.header('cache-control', cacheOf(path));
      },
    });
  server.setNotFoundHandler(async (request, reply) => {
    const path = (request.raw.url ?? '').split('?')[0] ?? '';
    const wantsPage =
      request.method === 'GET' &&
      !NOT_SCREENS.test(path) &&
      (request.headers.accept ?? '').includes('text/html');
    if (!wantsPage) throw notFound('route', 'GET /openapi.json lists routes', 'path');
    if (page === null)
      throw notThere('the screens are not built: stop the server and start it with npm start');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  });
}
