// How it is answered whether bounces arrive; apart from its rules, which screens read too.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { time } from '../../../kernel/shapes.ts';
import { ARRIVES } from './probe/probe.rules.ts';

export const shownBounces = z.object({
  /** `unknown`: never probed with these settings. `not_yet`: the probe was sent within the last 15 minutes. */
  arrive: z.enum(ARRIVES),
  probed_at: time.nullable(),
  arrived_at: time.nullable(),
  /** The mail server would not take the probe: its own words. */
  server_said: z.string().nullable(),
});
export type ShownBounces = z.infer<typeof shownBounces>;
named('IdentityBounces', shownBounces);
