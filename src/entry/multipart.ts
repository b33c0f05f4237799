// A file from a screen: a multipart body with the file in one part and the other arguments as JSON in the part `arguments`.
// Only an operation that says so takes one, and only from a session, whose call was checked to come from our own pages.
import { createHash } from 'node:crypto';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clipped, refusalNaming } from '../kernel/parse.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { invalid, Refusal } from '../kernel/refusal.ts';
import { Upload } from '../kernel/upload.ts';
import { REST_BODY_BYTES } from './body.ts';
import type { RestHandler } from './rest.ts';
import type { Hold } from './uploads.ts';

type Wanted = { argument: string; max_bytes: number };

/** Room for the part of the arguments and for the lines between parts. */
const BESIDE_THE_FILE_BYTES = REST_BODY_BYTES + 16_384;

/** Mounts `entry point` at the routes that take files: in a scope of their own, so that no other call is looked at for parts. */
export async function mountUploads(
  server: FastifyInstance,
  operations: readonly AnyOperation[],
  handler: RestHandler,
): Promise<void> {
  await server.register(async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    for (const { upload, method, path } of operations)
      if (upload) scope.route({ method, url: path, handler });
  });
}

export const isMultipart = (request: FastifyRequest): boolean =>
  /^\s*multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '');

/** The arguments of the call, the file among them. */
export async function readMultipart(
  request: FastifyRequest,
  { argument, max_bytes }: Wanted,
  hold: Hold,
): Promise<Record<string, unknown>> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > max_bytes + BESIDE_THE_FILE_BYTES) throw tooLarge(announced, max_bytes);
  let given: Record<string, unknown> = {};
  let file: Upload | null = null;
  try {
    const parts = request.parts({
      limits: { fileSize: max_bytes + 1, files: 1, fields: 1, parts: 2, fieldSize: REST_BODY_BYTES },
    });
    for await (const part of parts) {
      if (part.type === 'file') {
        if (part.fieldname !== argument) throw strayPart(part.fieldname);
        file = await readFile(part.file, part.filename, { max_bytes, announced, hold });
      } else if (part.fieldname !== 'arguments') throw strayPart(part.fieldname);
      else given = argumentsIn(part.value, part.valueTruncated);
    }
  } catch (error) {
    // The rest is left unread; with it the connection cannot be used again.
    request.raw.unpipe().resume();
    if (error instanceof Refusal) throw error;
    throw malformed();
  }
  if (argument in given)
    throw refusalNaming([[argument, `${argument} must be sent as the file, not among the arguments`]]);
  return { ...given, ...(file && { [argument]: file }) };
}

async function readFile(
  stream: AsyncIterable<Buffer>,
  filename: string,
  { max_bytes: max, announced, hold }: { max_bytes: number; announced: number; hold: Hold },
): Promise<Upload> {
  const parts: Buffer[] = [];
  const hash = createHash('sha256');
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > max) throw tooLarge(Math.max(size, announced), max);
    hold(part.length);
    hash.update(part);
    parts.push(part);
  }
  const name = filename.trim().toWellFormed().replaceAll('\0', '').slice(0, 255);
  return new Upload(Buffer.concat(parts), { filename: name || null, sha256: hash.digest('hex') });
}

function argumentsIn(value: unknown, truncated: boolean): Record<string, unknown> {
  if (truncated) throw tooLarge(REST_BODY_BYTES + 1, REST_BODY_BYTES);
  try {
    const given: unknown = JSON.parse(String(value));
    if (typeof given === 'object' && given !== null && !Array.isArray(given))
      return given as Record<string, unknown>;
  } catch {
    // The sentence below says the same.
  }
  throw invalid('the part "arguments" must be a JSON object');
}

const tooLarge = (bytes: number, max: number): Refusal =>
  new Refusal(
    413,
    'too_large',
    `the body is ${Math.ceil(bytes / 1024)} KiB and the limit is ${max / 1024} KiB: send a smaller file; nothing was saved`,
  );

const strayPart = (name: string): Refusal =>
  refusalNaming([[clipped(name), `the part "${clipped(name)}" is missing`]]);

const malformed = (): Refusal =>
  invalid(
    'the multipart body is incomplete: send one part with the file and one part named "arguments" with JSON',
  );
