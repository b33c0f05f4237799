// The session's cookie: HttpOnly, SameSite=Strict, and with the __Host- prefix wherever the instance is served by https.
import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Cookie } from '../kernel/scene.ts';

const NAMES = ['__Host-dunnock_session', 'dunnock_session'];

/** The value of the session's cookie, or null. */
export function sessionSecret(request: IncomingMessage): string | null {
  if (!request.headers.cookie) return null;
  const cookies = parseCookie(request.headers.cookie);
  return NAMES.map((name) => cookies[name]).find((value) => value) ?? null;
}

/** The Set-Cookie header's value. */
export function cookieHeader(cookie: Cookie, secure: boolean): string {
  const name = secure ? '__Host-dunnock_session' : 'dunnock_session';
  const [value, expires] = cookie === 'clear' ? ['', new Date(0)] : [cookie.set, cookie.expires_at];
  return stringifySetCookie({ name, value, httpOnly: true, sameSite: 'strict', path: '/', secure, expires });
}
