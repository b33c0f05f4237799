// Documents that anyone may read, and that are the same for everyone: made once, at the first call, compressed once, and not
// sent to whoever has them already. However many ask at once, it costs what sending bytes costs.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Half a megabyte in 60 ms; better compression takes seconds, and one reader waits for it. */
const QUALITY = 6;

type Coding = 'br' | 'gzip' | 'identity';
type Made = Record<Coding, { bytes: Buffer; etag: string }>;

/** Serves what `make` gives at `path` for as long as the process lives. */
export function mountDocument(
  server: FastifyInstance,
  path: string,
  type: string,
  make: () => Promise<string>,
): void {
  let made: Promise<Made> | null = null;
  server.get(path, async (request, reply) => {
    const coding = codingFor(request.headers['accept-encoding'] ?? '');
    made ??= make()
      .then(compressed)
      .catch((error: unknown) => {
        made = null;
        throw error;
      });
    const { bytes, etag } = (await made)[coding];
    void reply.headers({ etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
    if (has(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send();
    if (coding !== 'identity') void reply.header('content-encoding', coding);
    return reply.type(type).send(bytes);
  });
}

async function compressed(text: string): Promise<Made> {
  const bytes = Buffer.from(text);
  const name = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const [br, gz] = await Promise.all([
    brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
    zip(bytes),
  ]);
  return {
    br: { bytes: br, etag: `"${name}-br"` },
    gzip: { bytes: gz, etag: `"${name}-gz"` },
    identity: { bytes, etag: `"${name}"` },
  };
}

function codingFor(accepted: string): Coding {
  const named = new Set(
    accepted
      .slice(0, 200)
      .split(',')
      .filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
      .map((each) => each.split(';')[0]?.trim().toLowerCase()),
  );
  if (named.has('br')) return 'br';
  return named.has('gzip') ? 'gzip' : 'identity';
}

/** Weak or strong, the bytes are the same. */
const has = (known: string, etag: string): boolean =>
  known
    .slice(0, 2_000)
    .split(',')
    .some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag);
