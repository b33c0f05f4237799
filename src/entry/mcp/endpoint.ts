// POST /mcp: JSON-RPC over streamable HTTP, one message in and one JSON answer out, without sessions and without streams
// (interface specification §1, §4.1). It knows methods and envelopes; tools and resources are handed to it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Caller } from '../../kernel/caller.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { refusedByTrouble } from '../../kernel/trouble.ts';
import { METHOD_NOT_SUPPORTED } from '../../kernel/sentences.ts';
import { isJson, MCP_BODY_BYTES, readText, unsupported } from '../body.ts';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  readMessage,
  rpcError,
  rpcResult,
  RpcFault,
  UNAUTHORIZED_CODE,
  type RpcAnswer,
  type RpcRequest,
} from './envelope.ts';
import type { Resources } from './resources.ts';
import type { Tools } from './tools.ts';

export const PROTOCOL_VERSION = '2025-03-26';

export type EndpointParts = {
  /** `dunnock:<instance>` */
  name: string;
  instructions: string;
  toolbox: Tools;
  shelf: Resources;
  identify(request: FastifyRequest): Promise<Caller>;
  log: Logger;
};

type Method = (parts: EndpointParts, params: Record<string, unknown>, caller: Caller) => unknown;

// The seven methods, and no others (§4.1). A Map, so that no name reaches a property of an object.
const METHODS = new Map<string, Method>([
  ['initialize', initialize],
  ['ping', () => ({})],
  ['tools/list', ({ toolbox }) => toolbox.list],
  ['tools/call', callTool],
  ['resources/list', ({ shelf }) => shelf.list],
  ['resources/templates/list', ({ shelf }) => shelf.templates],
  ['resources/read', readResource],
]);

/** Answers one POST. */
export type Endpoint = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export function openEndpoint(parts: EndpointParts): Endpoint {
  return async (request, reply) => {
    const [status, answer] = await answerTo(parts, request, reply);
    void reply.code(status);
    return answer === null
      ? reply.send()
      : reply.header('content-type', 'application/json').send(JSON.stringify(answer));
  };
}

async function answerTo(
  parts: EndpointParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<[number, RpcAnswer | null]> {
  try {
    // The token comes before everything: a request without one is told so whatever it carries.
    const caller = await parts.identify(request);
    if (!isJson(request.raw)) throw unsupported();
    const message = readMessage(await readText(request.raw, MCP_BODY_BYTES));
    if (message.kind === 'notification') return [202, null];
    if (message.kind === 'refused') return [message.status, message.answer];
    return [200, await dispatch(parts, message.request, caller)];
  } catch (error) {
    const refused = error instanceof Refusal ? error : refusedByTrouble(error);
    if (!refused) throw error;
    if (refused !== error) parts.log.warn({ err: error }, 'the database failed a request');
    const { status, details, sentence } = refused;
    if (status === 401) void reply.header('www-authenticate', 'Bearer');
    if (details?.retry_after !== undefined) void reply.header('retry-after', String(details.retry_after));
    return [status, rpcError(null, CODE_OF.get(status) ?? INVALID_REQUEST, sentence)];
  }
}

/** JSON-RPC's code for what was refused before there was a message; 400 is a body that could not be read as text. */
const CODE_OF = new Map([
  [400, PARSE_ERROR],
  [401, UNAUTHORIZED_CODE],
]);

async function dispatch(
  parts: EndpointParts,
  { id, method, params }: RpcRequest,
  caller: Caller,
): Promise<RpcAnswer> {
  const run = METHODS.get(method);
  if (!run) return rpcError(id, METHOD_NOT_FOUND, METHOD_NOT_SUPPORTED);
  try {
    return rpcResult(id, await run(parts, params ?? {}, caller));
  } catch (error) {
    if (error instanceof RpcFault) return rpcError(id, error.code, error.message);
    parts.log.error({ err: error, method }, 'a method of the endpoint broke');
    return rpcError(
      id,
      INTERNAL_ERROR,
      'something broke on our side; nothing was changed, and the operator can find it in the log',
    );
  }
}

function initialize({ name, instructions }: EndpointParts): unknown {
  return {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: { tools: { listChanged: false }, resources: {} },
    serverInfo: { name, version: '1' },
    instructions,
  };
}

async function callTool(
  { toolbox }: EndpointParts,
  params: Record<string, unknown>,
  caller: Caller,
): Promise<unknown> {
  const { name } = params;
  const args = params['arguments'] === undefined ? {} : params['arguments'];
  if (typeof name !== 'string' || !toolbox.has(name))
    throw new RpcFault(INVALID_PARAMS, 'no tool has that name: tools/list lists tools');
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw new RpcFault(INVALID_PARAMS, 'arguments must be an object');
  return toolbox.call(name, args as Record<string, unknown>, caller);
}

async function readResource(
  { shelf }: EndpointParts,
  params: Record<string, unknown>,
  caller: Caller,
): Promise<unknown> {
  if (typeof params['uri'] !== 'string') throw new RpcFault(INVALID_PARAMS, 'uri must be a string');
  return shelf.read(params['uri'], caller);
}
