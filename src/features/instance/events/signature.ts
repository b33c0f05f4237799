// The signing secret of events and the signature it makes (interface specification §6, domain.md §4.4).
import { createHmac, randomBytes } from 'node:crypto';
import { Secret } from '../../../kernel/secret.ts';

const SECRET_BYTES = 32;

/** `whsec_` and 32 random bytes as base64url. The key is the whole text as it is shown. */
export const drawSecret = (): Secret =>
  new Secret(`whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`);

/** `sha256=` and the lower case hex of the HMAC-SHA256 of the exact body, a text as UTF-8, keyed with the secret's UTF-8 bytes. */
export function signatureOf(secret: Secret, body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', Buffer.from(secret.reveal(), 'utf8')).update(body).digest('hex')}`;
}
