// The address checks of this instance: with its name servers and the operator’s settings, and one queue per mail server.
import type { App } from '../../../kernel/app.ts';
import { openResolver } from '../../../mail/dns.ts';
import { openLimiter, type ProbeLimiter } from '../../../mail/probe/limiter.ts';
import {
  verifyAddress,
  type Verification,
  type VerifyFacts,
  type VerifyWorld,
} from '../../../mail/probe/verify.ts';
import { ehloName } from '../../../mail/transport.rules.ts';

const limiters = new WeakMap<App, ProbeLimiter>();

function limiterOf(app: App): ProbeLimiter {
  const limiter = limiters.get(app) ?? openLimiter(app.clock);
  limiters.set(app, limiter);
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

export function worldOf(app: App, late: AbortSignal): VerifyWorld {
  const { outside, clock, sending, instance } = app;
  const calls = sending.enabled && !sending.development;
  return {
    resolver: openResolver(outside.dns),
    clock,
    probing: calls
      ? {
          helo: ehloName(instance.base_url, 'localhost'),
          limiter: upTo(limiterOf(app), late),
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
