// What was reported of letters: reports that no one could place, kept and shown (domain.md §6.3).
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, time } from '../../../kernel/shapes.ts';
import { KINDS, SOURCES } from './rules.ts';

export const unplaced = z.object({
  id,
  kind: z.enum(KINDS),
  source: z.enum(SOURCES),
  /** RFC 3463, and the cause in our words. */
  status: z.string().nullable(),
  cause: z.string().nullable(),
  /** The server's own words: data written by others. */
  said: z.string().nullable(),
  /** The letter that it names, which is none of ours. */
  message_id: z.string().nullable(),
  /** Of the address that it is about: it matches a suppression or an address, and tells no one's. */
  recipient_hash: z.string().nullable(),
  at: time,
  received_at: time,
});
export type Unplaced = z.infer<typeof unplaced>;
named('UnplacedDelivery', unplaced);

export const deliveriesUnplaced = operation({
  name: 'deliveries_unplaced',
  says: 'Lists reports of letters that no letter of ours was found for, newest first. They change nothing: who suppresses an address on one does it by hand.',
  method: 'GET',
  path: '/api/admin/outreach/deliveries/unplaced',
  takes: z.strictObject({ ...page }),
  gives: listOf(unplaced),
  example: {},
  effect: 'read',
  needs: { action: 'outreach.send.read', on: () => ['outreach:send'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
