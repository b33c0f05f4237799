// The REST entry point: resolves a path to an operation, hands over how to read its arguments, and writes the answer. Every route
// under /api is here because an operation declares it; this file knows none of them.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../kernel/app.ts';
import { KEY_FORM } from '../kernel/idempotency.ts';
import { freshRequest, invoke } from '../kernel/invoke.ts';
import { placeOf } from '../kernel/place.ts';
import { FIELDS, fieldsIn, isList, withFields } from '../kernel/lean.ts';
import { Refusal, invalid } from '../kernel/refusal.ts';
import { noRoute } from '../kernel/route-finder.ts';
import type { Download } from '../kernel/context.ts';
import { METHOD_NOT_ALLOWED } from '../kernel/sentences.ts';
import { understood } from '../kernel/understood.ts';
import { joinArguments } from './arguments.ts';
import { readJson } from './body.ts';
import { cookieHeader, isSecure } from './cookie.ts';
import type { Credentials } from './credentials.ts';
import { countStreams, streamChanges } from './live.ts';
import { openCount, type OpenCount } from './open-count.ts';
import { isMultipart, readMultipart } from './multipart.ts';
import type { Router } from './router.ts';
import { type Hold, isLarge, openUploads } from './uploads.ts';

export type RestHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** `closing` is aborted when the product stops: live streams end on it. */
export function openRest(
  app: App,
  router: Router,
  credentials: Credentials,
  closing: AbortSignal,
): RestHandler {
  const secure = isSecure(app.instance.base_url);
  const streams = countStreams();
  const uploads = openUploads();
  const strangers = countStrangers();
  return async (request, reply) => {
    const [path = '', query = ''] = splitOnce(request.raw.url ?? '', '?');
    const route = router.resolve(request.method, path);
    const caller = await credentials.direct(request);
    if ('allowed' in route) {
      if (route.allowed.length === 0) throw noRoute(app.operations, request.method, path);
      void reply.header('allow', route.allowed.join(', '));
      throw new Refusal(405, 'invalid', METHOD_NOT_ALLOWED);
    }
    const { operation, params } = route;
    const search = new URLSearchParams(query);
    const fields = isList(operation) ? search.get(FIELDS) : null;
    if (fields !== null) search.delete(FIELDS);
    const key = request.headers['idempotency-key'];
    const readArguments = async (hold: Hold): Promise<unknown> => {
      if (operation.effect !== 'read' && key !== undefined && usable(key) === null)
        throw invalid(KEY_UNUSABLE);
      const wanted = caller.credential.kind === 'session' && isMultipart(request) && operation.upload;
      const body =
        operation.method === 'GET'
          ? undefined
          : wanted
            ? await readMultipart(request, wanted, hold)
            : await readJson(request.raw, caller);
      if (fields !== null) fieldsIn(operation, fields);
      const given = joinArguments(operation, { params, query: search, body });
      return understood(app, operation, caller, given);
    };
    const facts = freshRequest({
      address: request.ip,
      user_agent: request.headers['user-agent'] ?? null,
      idempotency_key: usable(key),
    });
    void reply.headers({ 'x-request-id': facts.id, 'cache-control': 'no-store' });
    if ('stream' in operation.answers)
      return streamChanges(
        streams,
        app,
        operation,
        caller,
        () => readArguments(ignored),
        { ...facts, signal: closing },
        request,
        reply,
      );
    // Whoever hangs up on a read waits for nothing; what they had written is written.
    const signal = operation.effect === 'read' ? hungUp(reply) : undefined;
    const perform = (hold: Hold = ignored) =>
      invoke(app, operation, caller, () => readArguments(hold), { ...facts, ...(signal && { signal }) });
    const isStranger = caller.credential.kind === 'none' && operation.effect !== 'read';
    const isFile = operation.upload && (isMultipart(request) || isLarge(request.raw));
    const outcome = isStranger
      ? await strangers(placeOf(request.ip), () => perform())
      : await (isFile ? uploads(caller, perform) : perform());
    if ('file' in operation.answers)
      return sendFile(reply, operation.answers.file, outcome.answer as Download);
    if (outcome.cookie) void reply.header('set-cookie', cookieHeader(outcome.cookie, secure));
    const { status, answer } = outcome;
    return reply
      .code(status)
      .send(fields === null ? answer : withFields(answer, fieldsIn(operation, fields)));
  };
}

/** What is no file is held by no one's budget. */
const ignored: Hold = () => undefined;

/** Before anything of a call is read: a sign-in waits for its password to be compared, and a flood of them keeps no one waiting. */
const countStrangers = (): OpenCount =>
  openCount({
    of_one: 32,
    of_all: 256,
    yours: () => new Refusal(429, 'rate_limited', TOO_MANY_AT_ONCE, { retry_after: 5 }),
    everybodys: () =>
      new Refusal(
        503,
        'unavailable',
        'too many people are signing in right now: try again in a few seconds',
        {
          retry_after: 5,
        },
      ),
  });

const TOO_MANY_AT_ONCE =
  'this IP address already has 32 requests in progress without a sign-in, the maximum: try again in a few seconds';

/** Aborted where the connection ends before the answer is out. */
function hungUp({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** The text goes out as it is made: at most one piece waits for a slow reader. */
function sendFile(reply: FastifyReply, type: string, { filename, pieces }: Download): FastifyReply {
  void reply.headers({ 'content-type': type, 'content-disposition': `attachment; filename="${filename}"` });
  return reply.send(Readable.from(pieces, { highWaterMark: 1 }));
}

function splitOnce(text: string, at: string): string[] {
  const i = text.indexOf(at);
  return i === -1 ? [text] : [text.slice(0, i), text.slice(i + 1)];
}

/** Passed over in silence, it would leave its sender sure that a repeated call does nothing: so on all that write. */
const KEY_UNUSABLE =
  'Idempotency-Key: must be 1 to 200 printable ASCII characters without spaces, such as a UUID; nothing was done';

function usable(key: string | string[] | undefined): string | null {
  return typeof key === 'string' && KEY_FORM.test(key) ? key : null;
}
