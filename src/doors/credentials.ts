// From the headers of a request to a Caller: a bearer, or else a session's cookie. A request with both is the bearer's; the
// rights are never added up. Tokens anywhere else (query, body, other headers) are not looked at.
import type { IncomingMessage } from 'node:http';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { nobody, type Caller } from '../kernel/caller.ts';
import type { Identify } from '../kernel/house.ts';
import { Refusal } from '../kernel/refusal.ts';
import { UNAUTHORIZED } from '../kernel/sentences.ts';
import { sessionSecret } from './cookie.ts';
import type { Premises } from './premises.ts';

/** Wrong bearers an address may try in a minute; a right one is never counted and never locked out. */
const WRONG_BEARERS_A_MINUTE = 600;

/** A request, and the address it came from: a proxy's on this machine is looked behind. */
type Request = { raw: IncomingMessage; ip: string };

export type Credentials = {
  /** The caller of a direct call: a person, a token or nobody. Throws 401 for a bearer worth nothing. */
  direct(request: Request): Promise<Caller>;
  /** The caller of an agent's turn: a bearer and nothing else. */
  agent(request: Request): Promise<Caller>;
};

export function openCredentials(identify: Identify, premises: Premises): Credentials {
  const wrong = new RateLimiterMemory({ points: WRONG_BEARERS_A_MINUTE, duration: 60 });
  const refuse = async (address: string): Promise<never> => {
    const passed = await wrong
      .consume(address)
      .catch((limit: { msBeforeNext: number }) => limit.msBeforeNext);
    if (typeof passed === 'number')
      throw new Refusal(429, 'rate_limited', 'too many wrong tokens from this address: wait a minute', {
        retry_after: Math.ceil(passed / 1000),
      });
    throw unauthorized();
  };
  return {
    async direct({ raw, ip }) {
      const bearer = bearerOf(raw);
      if (bearer !== undefined) {
        const caller = bearer && (await identify.bearer(bearer, { turn: 'direct', surface: 'rest' }));
        return caller || (await refuse(ip));
      }
      const secret = sessionSecret(raw);
      if (secret === null) return nobody('rest');
      premises.demandSameOrigin(raw);
      return (await identify.session(secret, { turn: 'direct', surface: 'screen' })) ?? nobody('screen');
    },
    async agent({ raw, ip }) {
      const bearer = bearerOf(raw);
      // Nothing was guessed: it is told what is missing however often it asks.
      if (bearer === undefined) throw unauthorized();
      const caller = bearer && (await identify.bearer(bearer, { turn: 'agent', surface: 'mcp' }));
      return caller || (await refuse(ip));
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
