// Bulk actions' public face: one act on many people, chosen by id or by a filter, done in the background. Starting, following,
// stopping and undoing one.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, principal, text, time } from '../../../kernel/shapes.ts';
import { customValues } from '../fields/contract.ts';
import { BASES, country, examplePerson, peopleFilters, tag, timezone } from '../people/contract.ts';

/** What `bulk_start` does; enrolling has its own operation, which needs wire. */
const ACTS = ['add_tags', 'remove_tags', 'set', 'suppress', 'delete', 'verify'] as const;
const STATES = ['going', 'done', 'stopped'] as const;
const OUTCOMES = ['done', 'unchanged', 'refused'] as const;

/** Ids of one call; a filter takes more. */
const IDS_MAX = 10_000;
export const PEOPLE_MAX = 200_000;

/** What `set` writes; null empties a field, and custom values are laid over those that are there. */
const fields = z.strictObject({
  owner: z
    .union([z.literal('me'), id])
    .nullable()
    .optional(),
  title: text(200).nullable().optional(),
  company_id: id.nullable().optional(),
  country: country.nullable().optional(),
  timezone: timezone.nullable().optional(),
  source: text(120).nullable().optional(),
  basis: z.enum(BASES).optional(),
  basis_note: text(1_000).nullable().optional(),
  custom: customValues.optional(),
});
export type SetFields = z.output<typeof fields>;

export type BulkArgs = {
  tags?: string[] | undefined;
  fields?: SetFields | undefined;
  campaign?: string | undefined;
};

const job = z.object({
  id,
  act: z.enum([...ACTS, 'enrol', 'undo']),
  tags: z.array(z.string()),
  /** The names of the fields that are set. */
  fields: z.array(z.string()),
  campaign: id.nullable(),
  state: z.enum(STATES),
  /** Why it ended before its last person. */
  why: z.string().nullable(),
  total: z.int(),
  done: z.int(),
  /** Nothing was left to do for them. */
  unchanged: z.int(),
  refused: z.int(),
  /** Whether an undo would change anything now. */
  undoable: z.boolean(),
  undoes: id.nullable(),
  undone_by: id.nullable(),
  created_by: principal,
  created_at: time,
  finished_at: time.nullable(),
});
export type Job = z.infer<typeof job>;
named('BulkJob', job);

const row = z.object({
  no: z.int(),
  /** Null: they are gone, or the caller may not read them. */
  person: z.object({ id, name: z.string().nullable() }).nullable(),
  /** Null: their turn has not come. */
  outcome: z.enum(OUTCOMES).nullable(),
  why: z.string().nullable(),
});
export type JobRow = z.infer<typeof row>;

const ofPeople = {
  needs: { action: 'crm.person.write', on: 'row' },
  who: 'anyone',
  step_up: 'no',
} as const;
const free = { ...ofPeople, wire: 'never', answers: OK } as const;
const exampleJob = '0198c0de-0000-7000-8000-000000000083';
const BULK = '/api/admin/crm/people/bulk';

/** Whom it is for: ids, or everyone a filter matches. */
const whom = {
  people: z.array(id).min(1).max(IDS_MAX).optional(),
  filter: z.strictObject(peopleFilters).optional(),
};
const oneOfBoth = {
  error: 'give people (up to 10,000 ids) or a filter, one of the two',
  path: ['people'],
};
const isOneOfBoth = ({ people, filter }: { people?: unknown; filter?: unknown }): boolean =>
  (people === undefined) !== (filter === undefined);

const NEEDS = { add_tags: 'tags', remove_tags: 'tags', set: 'fields' } as const;

export const bulkStart = operation({
  ...ofPeople,
  name: 'bulk_start',
  says: 'Starts one act on many people, by ids or by a filter, and answers with the job that does it in the background. Each person goes through the gates of the single act.',
  method: 'POST',
  path: BULK,
  takes: z
    .strictObject({
      act: z.enum(ACTS),
      tags: z.array(tag).min(1).max(20).optional(),
      fields: fields.optional(),
      ...whom,
    })
    .refine(isOneOfBoth, oneOfBoth)
    .superRefine((given, context) => {
      const needed = given.act in NEEDS ? NEEDS[given.act as keyof typeof NEEDS] : null;
      for (const key of ['tags', 'fields'] as const)
        if ((given[key] !== undefined) !== (key === needed))
          context.addIssue({
            code: 'custom',
            path: [key],
            message: key === needed ? `${given.act} needs it` : `${given.act} takes none`,
          });
    }),
  gives: z.object({ job }),
  example: { act: 'add_tags', tags: ['fair'], people: [examplePerson] },
  // It may delete them.
  effect: 'destroy',
  wire: 'never',
  answers: CREATED,
});

export const bulkEnrol = operation({
  ...ofPeople,
  name: 'bulk_enrol',
  says: 'Starts enrolling many people into a campaign, by ids or by a filter, and answers with the job that does it in the background. People who can’t be enrolled are listed with the reason.',
  method: 'POST',
  path: `${BULK}/enrol`,
  takes: z.strictObject({ campaign: id, ...whom }).refine(isOneOfBoth, oneOfBoth),
  gives: z.object({ job }),
  example: { campaign: exampleJob, people: [examplePerson] },
  effect: 'write',
  wire: { act: 'prospect.enrol' },
  answers: CREATED,
});

export const bulkList = operation({
  ...free,
  name: 'bulk_list',
  says: 'Lists bulk actions on people, newest first.',
  method: 'GET',
  path: BULK,
  takes: z.strictObject({ state: z.enum(STATES).optional(), ...page }),
  gives: listOf(job),
  example: {},
  effect: 'read',
});

export const bulkGet = operation({
  ...free,
  name: 'bulk_get',
  says: 'Reads one bulk action and its people: what came of each, and why.',
  method: 'GET',
  path: `${BULK}/:job`,
  takes: z.strictObject({ job: id, outcome: z.enum(OUTCOMES).optional(), ...page }),
  gives: z.object({ job, rows: listOf(row) }),
  example: { job: exampleJob },
  effect: 'read',
});

export const bulkStop = operation({
  ...free,
  name: 'bulk_stop',
  says: 'Stops a bulk action. People it has reached stay as they are now.',
  method: 'POST',
  path: `${BULK}/:job/stop`,
  takes: z.strictObject({ job: id }),
  gives: z.object({ job }),
  example: { job: exampleJob },
  effect: 'write',
});

export const bulkUndo = operation({
  ...free,
  name: 'bulk_undo',
  says: 'Undoes a bulk action on tags or fields, in the background: each value goes back unless it changed since.',
  method: 'POST',
  path: `${BULK}/:job/undo`,
  takes: z.strictObject({ job: id }),
  gives: z.object({ job }),
  example: { job: exampleJob },
  effect: 'write',
});
