// Segments: saved filters over people. Who is in one is asked again every time.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { listedPerson } from '../people/contract.ts';

export const CONDITIONS_MAX = 30;

/** Which fields and ops there are, and what values an op takes: filter.rules.ts of people. */
export const condition = z.strictObject({
  /** `name`, `tags`, `country`…, or `custom.<key>`. */
  field: z.string().min(1).max(60),
  op: z.string().min(1).max(20),
  /** None with `set` and `not_set`. */
  value: z.unknown().optional(),
});
export type SegmentCondition = z.infer<typeof condition>;
named('SegmentCondition', condition);

const conditions = z.array(condition).min(1).max(CONDITIONS_MAX);

/** All of the conditions, or any of them. */
export const filter = z.union(
  [z.strictObject({ all: conditions }), z.strictObject({ any: conditions })],
  `filter is {all: [{field, op, value}]} or {any: […]}, with one to ${CONDITIONS_MAX} conditions`,
);
export type SegmentFilter = z.infer<typeof filter>;
named('SegmentFilter', filter);

export const segment = z.object({
  id,
  name: z.string(),
  filter,
  /** How many people it has now that whoever asks may read. Null where counting them takes too long. */
  count: z.int().nullable(),
  /** Why the filter holds no longer, in a sentence: it then has no one. Null where it holds. */
  fault: z.string().nullable(),
  revision,
  created_by: principal,
  created_at: time,
  updated_at: time,
});
export type Segment = z.infer<typeof segment>;
named('Segment', segment);

const free = { who: 'anyone', step_up: 'no', wire: 'never' } as const;
const exampleSegment = '0198c0de-0000-7000-8000-000000000061';

export const segmentList = operation({
  ...free,
  name: 'segment_list',
  says: 'Lists segments by name, each with its filter and its current number of people you may read.',
  method: 'GET',
  path: '/api/admin/crm/segments',
  takes: z.strictObject(page),
  gives: listOf(segment),
  example: {},
  effect: 'read',
  needs: { action: 'crm.segment.read', on: 'row' },
  answers: OK,
  cost: 'long',
});

export const segmentCreate = operation({
  ...free,
  name: 'segment_create',
  says: 'Saves a filter over people under a name. All problems of the filter are reported at once.',
  method: 'POST',
  path: '/api/admin/crm/segments',
  takes: z.strictObject({ name: text(120), filter }),
  gives: z.object({ segment }),
  example: { name: 'German customers', filter: { all: [{ field: 'country', op: 'is', value: 'DE' }] } },
  effect: 'write',
  needs: { action: 'crm.segment.create', on: () => ['crm:segment'] },
  answers: CREATED,
});

export const segmentCount = operation({
  ...free,
  name: 'segment_count',
  says: 'Counts the people you may read that match a filter, and saves nothing. All problems of the filter are reported at once.',
  method: 'POST',
  path: '/api/admin/crm/segments/count',
  takes: z.strictObject({ filter }),
  gives: z.object({ count: z.int() }),
  example: { filter: { all: [{ field: 'country', op: 'is', value: 'DE' }] } },
  effect: 'read',
  // A count answers questions about people, one bit at a time: it needs what reading them needs, and counts only those.
  needs: { action: 'crm.person.read', on: 'row' },
  answers: OK,
});

export const segmentUpdate = operation({
  ...free,
  name: 'segment_update',
  says: 'Changes a segment’s name or filter; needs the revision that was read.',
  method: 'PATCH',
  path: '/api/admin/crm/segments/:segment',
  takes: z.strictObject({ segment: id, revision, name: text(120).optional(), filter: filter.optional() }),
  gives: z.object({ segment }),
  example: { segment: exampleSegment, revision: 1, name: 'Customers in Germany' },
  effect: 'write',
  needs: { action: 'crm.segment.write', on: 'row' },
  answers: OK,
});

export const segmentDelete = operation({
  ...free,
  name: 'segment_delete',
  says: 'Deletes a segment. Its people stay.',
  method: 'DELETE',
  path: '/api/admin/crm/segments/:segment',
  takes: z.strictObject({ segment: id }),
  gives: done,
  example: { segment: exampleSegment },
  effect: 'destroy',
  needs: { action: 'crm.segment.delete', on: 'row' },
  answers: OK,
});

export const segmentPeople = operation({
  ...free,
  name: 'segment_people',
  says: 'Lists the people of a segment by name.',
  method: 'GET',
  path: '/api/admin/crm/segments/:segment/people',
  takes: z.strictObject({ segment: id, ...page }),
  gives: listOf(listedPerson),
  example: { segment: exampleSegment },
  effect: 'read',
  needs: { action: 'crm.person.read', on: 'row' },
  answers: OK,
  cost: 'long',
});
