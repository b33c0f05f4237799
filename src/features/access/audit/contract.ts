// The audit log: who did what, refusals included. Rows are only ever added. Agents’ reads are kept beside it for a month;
// together they are the activity.
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, moment, page, principal, text, time } from '../../../kernel/shapes.ts';
import { NOUN_NAMES, SURFACES } from './nouns.rules.ts';

export const auditRow = z.object({
  id,
  at: time,
  principal,
  on_behalf_of: principal.nullable(),
  token: z.object({ id: z.string(), name: z.string() }).nullable(),
  surface: z.string(),
  turn: z.enum(['direct', 'agent']),
  act: z.string(),
  resource: z.string().nullable(),
  outcome: z.enum(['done', 'refused', 'fault']),
  code: z.string().nullable(),
  sentence: z.string().nullable(),
  request_id: z.string(),
  /** How many refusals alike it represents: of one user the first hundred in a minute are rows of their own. */
  times: z.int(),
});
export type AuditEntry = z.infer<typeof auditRow>;
named('AuditEntry', auditRow);

export const auditList = operation({
  name: 'audit_list',
  says: 'Lists who did what, newest first, refusals included.',
  method: 'GET',
  path: '/api/admin/audit',
  takes: z.strictObject({
    act: text(60).optional(),
    outcome: z.enum(['done', 'refused', 'fault']).optional(),
    /** A person's, an agent's or a token's id. */
    actor: id.optional(),
    surface: z.enum(SURFACES).optional(),
    ...page,
  }),
  gives: listOf(auditRow),
  example: {},
  effect: 'read',
  needs: { action: 'admin.audit.read', on: () => ['admin:audit'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const auditSeal = operation({
  name: 'audit_seal',
  says: 'Reads the newest seal of the audit log: every row before its moment is behind its hash. `dunnock verify audit` checks the chain.',
  method: 'GET',
  path: '/api/admin/audit/seal',
  takes: z.strictObject({}),
  gives: z.object({
    /** Null: nothing is sealed yet. */
    seal: z.object({ number: z.int(), hash: z.string(), until: time }).nullable(),
  }),
  example: {},
  effect: 'read',
  needs: { action: 'admin.audit.read', on: () => ['admin:audit'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const activityRow = auditRow.omit({ times: true }).extend({
  /** A `read` represents as many as `count` says, alike and within a moment, until `until`; so may refusals. */
  kind: z.enum(['act', 'read']),
  count: z.int(),
  until: time,
  /** What it was about, as it is called now; null where it is gone, or where the caller may not read it. */
  record: z
    .object({ noun: z.enum(NOUN_NAMES), id: z.string(), key: z.string().nullable(), title: z.string() })
    .nullable(),
});
export type ActivityRow = z.infer<typeof activityRow>;
named('ActivityEntry', activityRow);

export const activityList = operation({
  name: 'activity_list',
  says: 'Lists what was done, refused and, by agents, read, newest first: of one actor, about one kind of thing or one thing, within a time. Reads are kept for 30 days.',
  method: 'GET',
  path: '/api/admin/activity',
  takes: z.strictObject({
    show: z.enum(['all', 'acts', 'reads']).default('all'),
    act: text(60).optional(),
    /** `refused`: by a right, a rule or the state of things; `invalid`: for arguments that no one could have meant. */
    outcome: z.enum(['done', 'refused', 'invalid', 'fault']).optional(),
    /** A person's, an agent's or a token's id. */
    actor: id.optional(),
    surface: z.enum(SURFACES).optional(),
    noun: z.enum(NOUN_NAMES).optional(),
    /** Of the noun. */
    id: text(100).optional(),
    from: moment.optional(),
    to: moment.optional(),
    ...page,
  }),
  gives: listOf(activityRow),
  example: { noun: 'campaign', outcome: 'refused' },
  effect: 'read',
  needs: { action: 'admin.audit.read', on: () => ['admin:audit'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const activityExport = csvOf(activityList, 'activity_export', 'activity');
