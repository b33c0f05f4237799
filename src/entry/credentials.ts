// From the headers of a request to a Caller: a bearer, or else a session's cookie. A request with both is the bearer's; the
// rights are never added up. Tokens anywhere else (query, body, other headers) are not looked at.
import type { IncomingMessage } from 'node:http';
import { nobody, type Caller } from '../kernel/caller.ts';
import type { Identify } from '../kernel/app.ts';
import { demandPace, inLimitWords, takeAtPlace, tooOften, type Limits } from '../kernel/limits.ts';
import { placeOf } from '../kernel/place.ts';
import { Refusal } from '../kernel/refusal.ts';
import { UNAUTHORIZED } from '../kernel/sentences.ts';
import { sessionSecret } from './cookie.ts';
import type { OriginCheck } from './origin-check.ts';

/** A request, and the address it came from: a proxy's on this machine is looked behind. */
type Request = { raw: IncomingMessage; ip: string };

export type Credentials = {
  /** The caller of a direct call: a person, a token or no one. Throws 401 for a bearer worth nothing. */
  direct(request: Request): Promise<Caller>;
  /** The caller of an agent's turn: a bearer and nothing else. */
  agent(request: Request): Promise<Caller>;
};

/** `secure`: people use the instance by https, and its cookie has the name that browsers keep for it. */
export function openCredentials(
  identify: Identify,
  originCheck: OriginCheck,
  limits: Limits,
  secure: boolean,
): Credentials {
  const refuse = async (address: string): Promise<never> => {
    // A right one is never counted and never locked out.
    const full = await takeAtPlace(limits, 'wrong_tokens', '', placeOf(address));
    if (full)
      throw tooOften(
        `an IP address can try at most ${inLimitWords(full, 'wrong tokens')}: wait ${full.retry_after} seconds`,
        full,
      );
    throw unauthorized();
  };
  const paced = async (caller: Caller, entry: 'api' | 'mcp'): Promise<Caller> => {
    if (caller.credential.kind === 'token') await demandPace(limits, entry, caller.credential.id);
    return caller;
  };
  return {
    async direct({ raw, ip }) {
      const bearer = bearerOf(raw);
      if (bearer !== undefined) {
        const caller = bearer && (await identify.bearer(bearer, { turn: 'direct', surface: 'rest' }));
        return caller ? paced(caller, 'api') : refuse(ip);
      }
      const secret = sessionSecret(raw, secure);
      if (secret === null) return nobody('rest');
      originCheck.demandSameOrigin(raw);
      return (await identify.session(secret, { turn: 'direct', surface: 'screen' })) ?? nobody('screen');
    },
    async agent({ raw, ip }) {
      const bearer = bearerOf(raw);
      // Nothing was guessed: it is told what is missing however often it asks.
      if (bearer === undefined) throw unauthorized();
      const caller = bearer && (await identify.bearer(bearer, { turn: 'agent', surface: 'mcp' }));
      return caller ? paced(caller, 'mcp') : refuse(ip);
    },
  };
}

export const unauthorized = (): Refusal => new Refusal(401, 'unauthorized', UNAUTHORIZED);

/** undefined: no Authorization header; null: one that is no single bearer. The scheme's case does not matter (RFC 9110 §11.1). */
function bearerOf(request: IncomingMessage): string | null | undefined {
  const headers = request.rawHeaders.filter(
    (name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization',
  );
  if (headers.length === 0) return undefined;
  if (headers.length > 1) return null;
  const value = /^bearer ([\x21-\x7e]{1,200})$/i.exec(request.headers.authorization ?? '');
  return value?.[1] ?? null;
}
