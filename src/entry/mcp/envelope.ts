// The JSON-RPC 2.0 envelope: what counts as a request, and the answers that JSON-RPC itself makes. One message a request
// (interface specification §1); every row of the wire's table is here or in endpoint.ts.

export type RpcId = string | number;
export type RpcRequest = { id: RpcId; method: string; params: Record<string, unknown> | undefined };
export type RpcError = { code: number; message: string };
export type RpcAnswer =
  | { jsonrpc: '2.0'; id: RpcId; result: unknown }
  | { jsonrpc: '2.0'; id: RpcId | null; error: RpcError };

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
/** The specification's own: a resource that is not served or could not be read. */
export const NO_RESOURCE = -32_002;
/** The specification's own: no valid token. */
export const UNAUTHORIZED_CODE = -32_001;

export const rpcError = (id: RpcId | null, code: number, message: string): RpcAnswer => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
export const rpcResult = (id: RpcId, result: unknown): RpcAnswer => ({ jsonrpc: '2.0', id, result });

/** Thrown by a method: becomes a JSON-RPC error with HTTP 200. */
export class RpcFault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type Message =
  | { kind: 'request'; request: RpcRequest }
  /** A message without an id, or a client's own answer: 202, and nothing runs. */
  | { kind: 'notification' }
  | { kind: 'refused'; status: 400 | 200; answer: RpcAnswer };

const refused = (says: string): Message => ({
  kind: 'refused',
  status: 400,
  answer: rpcError(null, INVALID_REQUEST, says),
});

/** Reads one message. A gate and the dispatcher see the same parsed object, so a doubled key cannot mean two things. */
export function readMessage(text: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {
      kind: 'refused',
      status: 400,
      answer: rpcError(null, PARSE_ERROR, 'the body is not valid JSON'),
    };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused('send one JSON-RPC request object, not a batch');
  const message = value as Record<string, unknown>;
  if (message['jsonrpc'] !== '2.0') return refused('jsonrpc must be "2.0"');
  const hasId = Object.hasOwn(message, 'id');
  if (
    !Object.hasOwn(message, 'method') &&
    hasId &&
    (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'))
  )
    return { kind: 'notification' };
  if (typeof message['method'] !== 'string') return refused('method must be a string');
  if (!hasId) return { kind: 'notification' };
  const id = message['id'];
  if (typeof id !== 'string' && !(typeof id === 'number' && Number.isInteger(id)))
    return refused('id must be a string or a whole number');
  const params = message['params'];
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    return { kind: 'refused', status: 200, answer: rpcError(id, INVALID_PARAMS, 'params must be an object') };
  return {
    kind: 'request',
    request: { id, method: message['method'], params: params as Record<string, unknown> | undefined },
  };
}
