// Reading a request's body: only when it is asked for, up to a limit, JSON in UTF-8 and nothing else.
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../kernel/caller.ts';
import { Refusal } from '../kernel/refusal.ts';

/** What a REST call may carry; the import on screen has a limit and a reader of its own. */
export const REST_BODY_BYTES = 1_048_576;
/** The same of a caller without a credential: a name, a password, the proof of a passkey. */
const NOBODYS_BODY_BYTES = 65_536;
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

/** Reads the whole body as text. Throws 413 past `limitBytes` and 400 where it is no UTF-8 or never became whole. */
export async function readText(request: IncomingMessage, limitBytes: number): Promise<string> {
  const bytes = await readBytes(request, limitBytes);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal(400, 'invalid', 'the body is not valid UTF-8');
  }
}

// By events and not by `for await`: an iterator over a body of one part costs more than reading it.
export function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const announced = Number(request.headers['content-length'] ?? 0);
    const refuse = (): void => {
      // The rest is left unread; with it the connection cannot be used again.
      request.removeAllListeners('data').resume();
      reject(
        new Refusal(
          413,
          'too_large',
          announced > limitBytes
            ? `the body is ${Math.ceil(announced / 1024)} KiB and the limit is ${limitBytes / 1024} KiB: send less; nothing was read`
            : `the body is over the limit of ${limitBytes / 1024} KiB: send less; nothing was read`,
        ),
      );
    };
    if (announced > limitBytes) return refuse();
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size > limitBytes) refuse();
      else parts.push(part);
    });
    request.on('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
    const brokeOff = (): void => {
      if (!request.complete)
        reject(new Refusal(400, 'invalid', 'the request ended before the body was complete: send it again'));
    };
    request.on('close', brokeOff);
    request.on('error', brokeOff);
  });
}

/** The body as one JSON value, or undefined where there is none. */
export async function readJson(request: IncomingMessage, caller: Caller): Promise<unknown> {
  const empty =
    request.headers['content-length'] === '0' ||
    (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined);
  if (empty) return undefined;
  if (!isJson(request)) throw unsupported();
  const text = await readText(
    request,
    caller.credential.kind === 'none' ? NOBODYS_BODY_BYTES : REST_BODY_BYTES,
  );
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal(400, 'invalid', 'the body is not valid JSON');
  }
}
