// Signatures by Svix, which several vendors use (its documentation, “Verifying Webhooks Manually”): HMAC-SHA256 over
// id, time and body, with a base64 secret; several may be present while a secret is rotated.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Secret } from '../../kernel/secret.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How far the sender's clock may be from ours: what was recorded on the way is of no use later. */
export const TOLERANCE_MS = 5 * MINUTE_MS;

const PREFIX = 'whsec_';
/** No one rotates so often. */
const SIGNATURES_MAX = 10;

const one = (headers: Headers, name: string): string | null => {
  const value = headers[`svix-${name}`];
  return typeof value === 'string' && value.length <= 2_000 ? value : null;
};

export const claimsSvix = (headers: Headers): boolean =>
  ['id', 'timestamp', 'signature'].every((name) => one(headers, name) !== null);

/** The id of the message, where one of these secrets signed it within five minutes; null otherwise. */
export function verifySvix(
  headers: Headers,
  body: Buffer,
  secrets: readonly Secret[],
  now: Date,
): string | null {
  const [id, timestamp, signatures] = [
    one(headers, 'id'),
    one(headers, 'timestamp'),
    one(headers, 'signature'),
  ];
  if (id === null || timestamp === null || signatures === null) return null;
  if (!/^[\w.-]{1,200}$/.test(id) || !/^\d{1,12}$/.test(timestamp)) return null;
  if (Math.abs(Number(timestamp) * 1000 - now.getTime()) > TOLERANCE_MS) return null;
  const given = signatures
    .split(' ')
    .slice(0, SIGNATURES_MAX)
    .flatMap((each) => (each.startsWith('v1,') ? Buffer.from(each.slice(3), 'base64') : []));
  const isRight = secrets.some((secret) => {
    const key = keyOf(secret);
    if (key === null) return false;
    const right = signature(key, id, timestamp, body);
    return given.some((each) => each.length === right.length && timingSafeEqual(each, right));
  });
  return isRight ? id : null;
}

const signature = (key: Buffer, id: string, timestamp: string, body: Buffer): Buffer =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();

/** An empty key would be everyone's. */
function keyOf(secret: Secret): Buffer | null {
  const text = secret.reveal();
  const key = Buffer.from(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text, 'base64');
  return key.length >= 16 ? key : null;
}
