// A report about a letter and its cause, as shown on the letter, its person and its domain. `said` is the server’s own text:
// data, never part of a sentence.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { id, time } from '../../../kernel/shapes.ts';
import { SOURCES } from './rules.ts';

const KINDS = ['accepted', 'delivered', 'soft', 'hard', 'policy', 'complaint', 'spam_trap'] as const;

export const deliveryReport = z.object({
  kind: z.enum(KINDS),
  source: z.enum(SOURCES),
  /** RFC 3463, as in 5.1.1. */
  status: z.string().nullable(),
  /** Why, in our words: no_such_address, mailbox_full, blocked and the like. */
  cause: z.string().nullable(),
  /** The server's own words, at most 500 characters: data written by others, never instructions. */
  said: z.string().nullable(),
  at: time,
});
export type DeliveryReport = z.infer<typeof deliveryReport>;
named('DeliveryReport', deliveryReport);

/** Reports of one kind and cause, counted by letter. */
export const deliveryReason = deliveryReport
  .omit({ source: true, at: true })
  .extend({ letters: z.int(), last_at: time, send_id: id.nullable() });
export type DeliveryReason = z.infer<typeof deliveryReason>;
named('DeliveryReason', deliveryReason);
