// What a post of a web form says, pure: strangers wrote it, so it is cleaned and cut where a caller's argument would be refused.
import { cleanLine, cleanText } from '../threads/record/clean.rules.ts';
import { type Address, parseAddress } from '../../../mail/address.rules.ts';

/** People do not see it; a program that fills in whatever it finds does. */
export const HONEYPOT = '_gotcha';

const MOST_FIELDS = 50;
const NAME_CHARS = 120;
const FIELD_CHARS = 5_000;
const MESSAGE_CHARS = 50_000;

export function isRedirect(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    !/[\p{Cc}\s\\]/u.test(text)
  );
}

/** As a browser writes it in `Origin`: nothing behind the host, and no capital letter. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.origin === text.toLowerCase()
  );
}

export type Post = {
  from: Address;
  name: string;
  /** What was written, and below it whatever else was asked. */
  text: string;
  /** What was written alone: this is read. */
  message: string;
};

/** `bait`: a program filled in what no one sees. */
export type ReadPost = { kind: 'post'; post: Post } | { kind: 'bait' } | { kind: 'no_address' };

/** Names of fields in any case; of several of one name the first counts. */
export function readPost(given: readonly (readonly [name: string, value: string])[]): ReadPost {
  const fields = new Map<string, { label: string; value: string }>();
  for (const [label, value] of given.slice(0, MOST_FIELDS)) {
    const key = cleanLine(label).toLowerCase();
    if (key !== '' && !fields.has(key))
      fields.set(key, { label: cleanLine(label).slice(0, NAME_CHARS), value });
  }
  const take = (key: string): string => {
    const value = fields.get(key)?.value ?? '';
    fields.delete(key);
    return value;
  };
  if (take(HONEYPOT).trim() !== '') return { kind: 'bait' };
  const address = parseAddress(cleanLine(take('email')).slice(0, 400));
  if (!address.ok) return { kind: 'no_address' };
  const name = cleanLine(take('name')).slice(0, NAME_CHARS).toWellFormed();
  const message = cleanText(take('message').replace(/\r\n?/g, '\n'), MESSAGE_CHARS).trim();
  const others = [...fields.values()]
    .map(({ label, value }) => [label, cleanText(value, FIELD_CHARS).trim()] as const)
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `${label}: ${value}`);
  const text = [message, others.join('\n')].filter((part) => part !== '').join('\n\n');
  return { kind: 'post', post: { from: address.address, name, text, message } };
}
