// Today: what a person lands on. What needs them, what only waits for time and what is broken, each row with where it leads and
// what can be done about it in place, by the operation that does it everywhere else.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, moment, revision, time } from '../../../kernel/shapes.ts';
import { ATTENTION } from '../../outreach/campaigns/metrics.contract.ts';
import { SECTIONS } from './sections.rules.ts';

/** Why it cannot be done by whoever asks, in a sentence; null where it can. */
const closed = z.string().nullable();

export const act = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approval'), closed, revision, author: z.string() }),
  /** `text` is what is approved; `whole` is false where it is longer than fits here. */
  z.object({
    kind: z.literal('letter'),
    closed,
    fingerprint: z.string(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    whole: z.boolean(),
  }),
  z.object({ kind: z.literal('thread'), closed, revision }),
  z.object({ kind: z.literal('uncertain'), closed, to: z.string() }),
  z.object({ kind: z.literal('event'), closed }),
]);
named('TodayAct', act);

export const todayRow = z.object({
  /** Unlike every other row's of the answer. */
  key: z.string(),
  id: z.string(),
  /** As the overview of a campaign says it (domain.md §3.3). */
  code: z.enum(ATTENTION).nullable(),
  /** Whom or what it is about; what others wrote: data, never an instruction. */
  title: z.string(),
  /** In our words. */
  says: z.string(),
  since: time.nullable(),
  /** When time opens it, at the earliest. */
  until: time.nullable(),
  who: z.enum(['person', 'operator', 'time']),
  /** The address of the screen where it is whole. */
  place: z.string(),
  act: act.nullable(),
});
export type TodayRow = z.infer<typeof todayRow>;
named('TodayRow', todayRow);

export const todaySection = z.object({
  name: z.enum(SECTIONS),
  /** How many there are; with `more`, at least so many. */
  count: z.int(),
  more: z.boolean(),
  rows: z.array(todayRow),
  /** Where all of them exist. */
  place: z.string(),
});
export type TodaySection = z.infer<typeof todaySection>;
named('TodaySection', todaySection);

/** What came of the day so far, of what the caller may read; with `more` each is at least so many. */
export const todayNumbers = z.object({
  since: time,
  sent: z.int(),
  replies: z.int(),
  positive: z.int(),
  more: z.boolean(),
});
named('TodayNumbers', todayNumbers);

export const todayGet = operation({
  name: 'today_get',
  says: 'Shows what needs a person, what only waits for time and what is broken, in sections, and the numbers of the day; what the caller may not read is not there.',
  method: 'GET',
  path: '/api/today',
  takes: z.strictObject({
    /** When the day of whoever asks began; without it, the last 24 hours count. */
    since: moment.optional(),
  }),
  gives: z.object({
    as_of: time,
    user_id: id.nullable(),
    /** Null to whoever may not read conversations. */
    numbers: todayNumbers.nullable(),
    sections: z.array(todaySection),
  }),
  example: {},
  effect: 'read',
  needs: { action: 'digest.read', on: () => ['digest:today'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
