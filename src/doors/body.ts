// Reading a request's body: only when it is asked for, up to a limit, JSON in UTF-8 and nothing else.
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../kernel/refusal.ts';

/** What a REST call may carry; the import on screen has a limit and a reader of its own. */
export const REST_BODY_BYTES = 1_048_576;
/** What /mcp reads: a request tool's 1024 KiB and room for the envelope (mcp-endpoint.md). */
export const MCP_BODY_BYTES = 1_572_864;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function isJson(request: IncomingMessage): boolean {
  const [type] = (request.headers['content-type'] ?? '').split(';');
  return (
    type?.trim().toLowerCase() === 'application/json' &&
    (request.headers['content-encoding'] ?? 'identity') === 'identity'
  );
}

export const unsupported = (): Refusal =>
  new Refusal(415, 'invalid', 'send the body as application/json, uncompressed');

/** Reads the whole body as text. Throws 413 past `limitBytes` and 400 where it is no UTF-8. */
export async function readText(request: IncomingMessage, limitBytes: number): Promise<string> {
  const tooLarge = (): Refusal =>
    new Refusal(
      413,
      'too_large',
      `that body is larger than the limit of ${limitBytes / 1024} KiB; nothing of it was read`,
    );
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > limitBytes) throw tooLarge();
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof Refusal || !request.destroyed) throw error;
    throw new Refusal(400, 'invalid', 'the request broke off before its body was whole');
  }
  try {
    return utf8.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
  } catch {
    throw new Refusal(400, 'invalid', 'the body is not UTF-8');
  }
}

/** The body as one JSON value, or undefined where there is none. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const empty =
    request.headers['content-length'] === '0' ||
    (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined);
  if (empty) return undefined;
  if (!isJson(request)) throw unsupported();
  const text = await readText(request, REST_BODY_BYTES);
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal(400, 'invalid', 'the body is not JSON');
  }
}
