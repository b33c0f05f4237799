// The ladder as this house climbs it: with its name servers, under the operator's switches, and with one line of waiting for
// each mail host, whoever asks.
import type { House } from '../../../kernel/house.ts';
import { openResolver } from '../../../mail/dns.ts';
import { openLimiter, type ProbeLimiter } from '../../../mail/probe/limiter.ts';
import {
  verifyAddress,
  type Verification,
  type VerifyFacts,
  type VerifyWorld,
} from '../../../mail/probe/verify.ts';
import { ehloName } from '../../../mail/transport.rules.ts';

const limiters = new WeakMap<House, ProbeLimiter>();

function limiterOf(house: House): ProbeLimiter {
  const limiter = limiters.get(house) ?? openLimiter(house.clock);
  limiters.set(house, limiter);
  return limiter;
}

class OutOfTime extends Error {}

/** Whoever still waits in line when `late` comes does not call any more. */
const upTo = (limiter: ProbeLimiter, late: AbortSignal): ProbeLimiter => ({
  run: (host, probe) =>
    limiter.run(host, () => {
      if (late.aborted) throw new OutOfTime();
      return probe();
    }),
});

export function worldOf(house: House, late: AbortSignal): VerifyWorld {
  const { outside, clock, sending, instance } = house;
  const calls = sending.enabled && !sending.development;
  return {
    resolver: openResolver(outside.dns),
    clock,
    probing: calls
      ? {
          helo: ehloName(instance.base_url, 'localhost'),
          limiter: upTo(limiterOf(house), late),
          opening: outside.hosts,
        }
      : null,
  };
}

/** Null: there was no time. */
export async function climb(
  world: VerifyWorld,
  address: string,
  facts: VerifyFacts,
  late: AbortSignal,
): Promise<Verification | null> {
  const climbed = verifyAddress(address, facts, world).catch((error: unknown) => {
    if (error instanceof OutOfTime) return null;
    throw error;
  });
  const tooLate = new Promise<null>((resolve) => {
    if (late.aborted) resolve(null);
    else late.addEventListener('abort', () => resolve(null), { once: true });
  });
  return Promise.race([climbed, tooLate]);
}
