// The link by which someone stops letters: it names the letter that carried it, and so the person and the campaign, under a
// keyed checksum. Nothing is stored for it, it does not end, and no one makes one for a letter that was not theirs.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { App, Sealer } from '../../../kernel/app.ts';
import { isUuid } from '../../../kernel/ids.ts';

const PURPOSE = 'unsubscribe';
const ID_BYTES = 16;
/** 128 bits: it is an answer for everyone who asks, and it must not be guessed for as long as mail is kept. */
const SUM_BYTES = 16;

const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

const checksum = (sealer: Sealer, id: Buffer): Buffer =>
  createHmac('sha256', sealer.key(PURPOSE).reveal()).update(id).digest().subarray(0, SUM_BYTES);

/** 43 characters of base64url. */
export function unsubscribeToken(sealer: Sealer, send_id: string): string {
  const id = idBytes(send_id);
  return Buffer.concat([id, checksum(sealer, id)]).toString('base64url');
}

/** The id of the letter, or null where the token is not one of ours. */
export function readUnsubscribeToken(sealer: Sealer, token: string): string | null {
  if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const id = bytes.subarray(0, ID_BYTES);
  // The last character carries two bits that mean nothing: one link has one spelling.
  if (bytes.toString('base64url') !== token) return null;
  if (!timingSafeEqual(checksum(sealer, Buffer.from(id)), bytes.subarray(ID_BYTES))) return null;
  const uuid = id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isUuid(uuid) ? uuid : null;
}

export const unsubscribeUrl = (
  { sealer, instance }: Pick<App, 'sealer' | 'instance'>,
  send_id: string,
): string => `${instance.base_url}/u/${unsubscribeToken(sealer, send_id)}`;

/**
 * Whether a text holds the link of this very letter, by the id that it begins with: for that no key is needed, and a link of
 * another letter would stop letters to someone else.
 */
export function offersOutgoingMail(text: string, base_url: string, send_id: string): boolean {
  return text
    .split(`${base_url}/u/`)
    .slice(1)
    .some((rest) => {
      const [token = ''] = /^[A-Za-z0-9_-]+/.exec(rest) ?? [];
      return token.length === 43 && names(token, send_id);
    });
}

const names = (token: string, send_id: string): boolean =>
  Buffer.from(token, 'base64url').subarray(0, ID_BYTES).equals(idBytes(send_id));

/** The same text with the link of this very letter as it is now, wherever it led before. */
export function relink(text: string, url: string, send_id: string): string {
  const parts = text.split('/u/');
  let said = parts[0] ?? '';
  for (const part of parts.slice(1)) {
    const token = part.slice(0, 43);
    const isOwn = /^[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/.test(part) && names(token, send_id);
    const begins = isOwn ? linkBegins(said) : -1;
    said = begins < 0 ? `${said}/u/${part}` : said.slice(0, begins) + url + part.slice(43);
  }
  return said;
}

/** Where the address begins that ends with this text; -1: none does. */
function linkBegins(text: string): number {
  const at = Math.max(text.lastIndexOf('https://'), text.lastIndexOf('http://'));
  return at >= 0 && !/[\s"'<>]/.test(text.slice(at)) ? at : -1;
}
