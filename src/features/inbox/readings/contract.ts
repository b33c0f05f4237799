// Correcting how the inbox read a message (domain.md §1.3, §1.4): the operation, and an answer that says what happened.
import { z } from 'zod';
import { READINGS } from '../../../kernel/events.rules.ts';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { date, id, text, time } from '../../../kernel/shapes.ts';
import { exampleThread } from '../threads/contract.ts';
import { STAGES } from '../../crm/people/stages.rules.ts';

export const READ_BY = ['rule', 'model', 'person'] as const;
export type ReadBy = (typeof READ_BY)[number];

/** What a reading may say beside its name. */
export const readingDetails = z.strictObject({
  /** Of an away message: the day when they are back. */
  returns_on: date.optional(),
  /** Of a referral: whom they named, as they named them. No one is enrolled by it. */
  referred_to: text(300).optional(),
  /** Of a referral: whom we wrote to no longer works there. Every sequence of theirs is over. */
  left: z.boolean().optional(),
  /** Of an unsubscribe: they want their data erased, which a person does. False: it is dealt with. */
  erasure: z.boolean().optional(),
  /** Of a "not now": when to ask again. */
  follow_up_on: date.optional(),
});
export type ReadingDetails = z.infer<typeof readingDetails>;
named('ReadingDetails', readingDetails);

export const threadReading = operation({
  name: 'thread_reading',
  says: 'Corrects the reading of something that someone said: the newest of a thread, or the touch that is named. What follows goes forward only, and the sentence says what did; a suppression is never lifted by it.',
  method: 'POST',
  path: '/api/threads/:thread/reading',
  takes: z.strictObject({
    thread: id,
    reading: z.enum(READINGS),
    /** One of theirs in this thread; the newest where nothing is said. */
    touch_id: id.optional(),
    details: readingDetails.optional(),
  }),
  gives: z.object({
    thread_id: id,
    touch_id: id,
    reading: z.enum(READINGS),
    reading_by: z.enum(READ_BY),
    /** As it was read before. */
    was: z.enum(READINGS).nullable(),
    /** Whether the stage in the campaign moved; `stage` is where they are now, null where the thread is of no campaign. */
    moved: z.boolean(),
    stage: z.enum(STAGES).nullable(),
    /** The stage that the reading asks for; null where it asks for none. */
    asked: z.enum(STAGES).nullable(),
    /** The deal that it opened. */
    deal_id: id.nullable(),
    held_until: time.nullable(),
    sentence: z.string(),
  }),
  example: { thread: exampleThread, reading: 'positive' },
  effect: 'write',
  needs: { action: 'inbox.thread.write', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
