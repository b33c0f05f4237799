// How the trouble of an identity is answered; apart from its rules, which screens read too.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { time } from '../../../kernel/shapes.ts';
import { TROUBLE_KINDS } from './trouble/trouble.rules.ts';

export const shownTrouble = z.object({
  kind: z.enum(TROUBLE_KINDS),
  /** What is wrong and what fixes it, in sentences of this product. */
  says: z.string(),
  fix: z.string(),
  since: time,
  code: z.int().nullable(),
  enhanced: z.string().nullable(),
  /** The mail server's own words: someone else's text. */
  words: z.string().nullable(),
  expired_at: time.nullable(),
});
export type ShownTrouble = z.infer<typeof shownTrouble>;
named('IdentityTrouble', shownTrouble);
