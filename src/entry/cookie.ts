// The session's cookie: HttpOnly, SameSite=Strict, and with the __Host- prefix wherever the instance is served by https.
import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Cookie } from '../kernel/context.ts';

export const isSecure = (base_url: string): boolean => base_url.startsWith('https:');

const nameOf = (secure: boolean): string => (secure ? '__Host-dunnock_session' : 'dunnock_session');

/**
 * The value of the session's cookie, or null. The name that we set is the only one: any neighbour under our domain may set one
 * without the prefix, and sign someone in as themselves.
 */
export function sessionSecret(request: IncomingMessage, secure: boolean): string | null {
  if (!request.headers.cookie) return null;
  return parseCookie(request.headers.cookie)[nameOf(secure)] || null;
}

/** The Set-Cookie header's value. */
export function cookieHeader(cookie: Cookie, secure: boolean): string {
  const name = nameOf(secure);
  const [value, expires] = cookie === 'clear' ? ['', new Date(0)] : [cookie.set, cookie.expires_at];
  return stringifySetCookie({ name, value, httpOnly: true, sameSite: 'strict', path: '/', secure, expires });
}
